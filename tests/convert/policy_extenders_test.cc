// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/policy.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;

struct ExtenderCase {
  std::string extender;
  std::string json;     // of the profile's extender
  std::string finding;  // a line of the report
};

TEST(Policy, TranslatesExtenders) {
  const ExtenderCase rows[] = {
      {"{urlPrefix: 'https://e.x.svc/s', filterVerb: f, prioritizeVerb: p, preemptVerb: v, "
       "bindVerb: "
       "b, weight: 5}",
       R"({"bindVerb":"b","filterVerb":"f","preemptVerb":"v","prioritizeVerb":"p",)"
       R"("urlPrefix":"https://e.x.svc/s","weight":5})",
       "exact        extenders[0] -> extenders[urlPrefix=https://e.x.svc/s]"},
      {"{urlPrefix: 'http://e', httpTimeout: 10000000000}",
       R"({"httpTimeout":"10s","urlPrefix":"http://e"})",
       "extenders[urlPrefix=http://e] with httpTimeout 10s"},
      {"{urlPrefix: 'http://e', httpTimeout: 1500000000}",
       R"({"httpTimeout":"1.5s","urlPrefix":"http://e"})", "with httpTimeout 1.5s"},
      {"{urlPrefix: 'http://e', httpTimeout: 1.0e+10}",
       R"({"httpTimeout":"10s","urlPrefix":"http://e"})", "with httpTimeout 10s"},
      {"{urlPrefix: 'http://e', httpTimeout: 30}",
       R"({"httpTimeout":"30ns","urlPrefix":"http://e"})",
       "approximate  extenders[0].httpTimeout -> 30ns: every call exceeds it; a number is in "
       "nanoseconds: 30000000000 is 30s"},
      {"{urlPrefix: 'http://e', httpTimeout: null}", R"({"urlPrefix":"http://e"})",
       "exact        extenders[0] -> extenders[urlPrefix=http://e]\n"},
      {"{urlPrefix: 'http://e', httpTimeout: 0}", R"({"urlPrefix":"http://e"})",
       "exact        extenders[0] -> extenders[urlPrefix=http://e]\n"},
      {"{urlPrefix: 'https://e', enableHttps: true}",
       R"({"enableHTTPS":true,"urlPrefix":"https://e"})",
       "exact        extenders[0].enableHttps -> enableHTTPS: the field was renamed"},
      {"{urlPrefix: 'https://e', enableHTTPS: true}",
       R"({"enableHTTPS":true,"urlPrefix":"https://e"})", "exact        extenders[0] -> "},
      {"{urlPrefix: 'http://e', apiVersion: v1beta1}", R"({"urlPrefix":"http://e"})",
       "dropped      extenders[0].apiVersion: the protocol has only one version"},
      {"{urlPrefix: 'http://e', nodeCacheCapable: true, ignorable: true}",
       R"({"ignorable":true,"nodeCacheCapable":true,"urlPrefix":"http://e"})",
       "exact        extenders[0] -> "},
      {"{urlPrefix: 'http://e', managedResources: [{name: example.com/a, ignoredByScheduler: "
       "true}, "
       "{name: example.com/b}]}",
       R"({"managedResources":[{"ignoredByScheduler":true,"name":"example.com/a"},)"
       R"({"name":"example.com/b"}],"urlPrefix":"http://e"})",
       "exact        extenders[0] -> "},
      {"{urlPrefix: 'https://e', tlsConfig: {insecure: true, serverName: s, caData: YQ==}}",
       R"({"tlsConfig":{"caData":"YQ==","insecure":true,"serverName":"s"},"urlPrefix":"https://e"})",
       "exact        extenders[0] -> "},
      {"{urlPrefix: 'https://e', tlsConfig: {certData: YQ==, keyData: YQ==}}",
       R"({"tlsConfig":{"certData":"YQ=="},"urlPrefix":"https://e"})",
       "dropped      extenders[0].tlsConfig.keyData: profiles are not secret"},
      {"{urlPrefix: 'https://e', tlsConfig: {certFile: /c, keyFile: /k, caFile: /a}}",
       R"({"tlsConfig":{"caFile":"/a","certFile":"/c","keyFile":"/k"},"urlPrefix":"https://e"})",
       "approximate  extenders[0].tlsConfig.keyFile -> /k: the path is on the old scheduler's"},
      {"{urlPrefix: 'http://e', prioritizeVerb: p, weight: 3000000000}",
       R"({"prioritizeVerb":"p","urlPrefix":"http://e","weight":2147483647})",
       "approximate  extenders[0].weight -> 2147483647: this is the maximum weight"},
      {"{urlPrefix: 'http://LOCALHOST:8888/x'}", R"({"urlPrefix":"http://LOCALHOST:8888/x"})",
       "approximate  extenders[urlPrefix=http://LOCALHOST:8888/x] -> "
       "spec.deployment.sidecars[name=extender]: it is called at the scheduler's loopback port "
       "8888: fill in the image of the server"},
      {"{urlPrefix: 'http://127.0.0.1/x'}", R"({"urlPrefix":"http://127.0.0.1/x"})",
       "the scheduler's loopback port 80:"},
      {"{urlPrefix: 'https://[::1]/x'}", R"({"urlPrefix":"https://[::1]/x"})",
       "the scheduler's loopback port 443:"},
  };
  for (const ExtenderCase& row : rows) {
    SCOPED_TRACE(row.extender);
    const Conversion conversion = ConversionOf(
        PolicyWith("predicates: [], priorities: [], extenders: [" + row.extender + "]"));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    ASSERT_EQ(profile.spec.extenders.size(), 1U);
    EXPECT_EQ(json::Encode(profile.spec.extenders[0]), row.json);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    const bool is_beside = row.finding.find("loopback port") != std::string::npos;
    EXPECT_EQ(ErrorsIn(profile).empty(), !is_beside);
    EXPECT_THAT(
        ErrorsIn(profile),
        HasSubstr(is_beside ? "sidecars[name=extender].image: Required value: fill in" : ""));
    EXPECT_EQ(conversion.profiles[0].comments.empty(), !is_beside);
  }
}

TEST(Policy, GetsASidecarForEachLoopbackPort) {
  const Conversion conversion = ConversionOf(PolicyWith(
      "predicates: [], extenders: [{urlPrefix: 'http://localhost:8888/a'}, {urlPrefix: "
      "'http://127.0.0.1:8888/b'}, {urlPrefix: 'http://[::1]/c'}, {urlPrefix: 'http://e:7777'}]"));
  EXPECT_EQ(json::Encode(conversion.profiles[0].profile.spec.deployment.sidecars),
            R"([{"name":"extender","port":8888},{"name":"extender-2","port":80}])");
  EXPECT_THAT(conversion.profiles[0].comments,
              testing::ElementsAre("Fill in spec.deployment.sidecars[name=extender].image: the "
                                   "program that serves http://localhost:8888/a.",
                                   "Fill in spec.deployment.sidecars[name=extender-2].image: the "
                                   "program that serves http://[::1]/c."));
}

TEST(Policy, AddsNoSidecarForRemoteExtenders) {
  const Conversion conversion = ConversionOf(
      PolicyWith("predicates: [], extenders: [{urlPrefix: 'http://localhost.example.com'}]"));
  EXPECT_TRUE(conversion.profiles[0].comments.empty());
}

}  // namespace
}  // namespace berth::convert
