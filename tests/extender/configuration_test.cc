// SPDX-License-Identifier: Apache-2.0
#include "extender/configuration.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/plugin_catalogue.h"
#include "extender/entry.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr const char* kHead = "apiVersion: berth.dev/v1alpha1\nkind: ExtenderConfiguration\n";

ExtenderConfiguration Load(const std::string& extenders) {
  auto config = LoadConfiguration(kHead + ("extenders:\n" + extenders), "e.yaml");
  EXPECT_TRUE(config) << config.error().message();
  return *config;
}

std::string Rejected(const std::string& text) {
  const auto config = LoadConfiguration(text, "e.yaml");
  return config ? "" : config.error().message();
}

// Returns the field errors as texts.
std::vector<std::string> ErrorsIn(const std::string& extenders) {
  std::vector<std::string> errors;
  for (const auto& error :
       Validate(Load(extenders), controllers::ViewOf(scheduler::MakeRegistry()))) {
    errors.push_back(error.ToString());
  }
  return errors;
}

TEST(ExtenderConfiguration, AcceptsEntryOfSchedulerConfiguration) {
  const auto config = Load(R"(
- urlPrefix: https://extender.example.com:8443/scheduler/
  filterVerb: predicates/test
  prioritizeVerb: prioritize/test
  preemptVerb: preempt
  bindVerb: bind
  weight: 3
  enableHTTPS: true
  tlsConfig: {caFile: /ca.crt}
  httpTimeout: 7s
  nodeCacheCapable: true
  managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]
  ignorable: true
  plugins: {filter: {enabled: [{name: PodNameLength}]}}
  pluginConfig: [{name: PodNameLength, args: {maxLength: 9}}])");
  EXPECT_THAT(Validate(config, controllers::ViewOf(scheduler::MakeRegistry())), IsEmpty());
  const ServedExtender& entry = config.extenders.front();
  EXPECT_EQ(PathOf(entry, entry.filter_verb), "/scheduler/predicates/test");
  EXPECT_EQ(entry.http_timeout, Duration(std::chrono::seconds(7)));
  EXPECT_EQ(Load("- {urlPrefix: '', filterVerb: f}").extenders.front().http_timeout,
            Duration(std::chrono::seconds(5)));
}

TEST(ExtenderConfiguration, PathMatchesKubeSchedulerRequest) {
  const struct {
    const char *prefix, *verb, *path;
  } kCases[] = {{"/a", "f", "/a/f"},       {"/a//", "f", "/a/f"},
                {"/a", "/f", "/a//f"},     {"http://h:1/a/b", "f/g", "/a/b/f/g"},
                {"http://h:1", "f", "/f"}, {"", "f", "/f"}};
  for (const auto& each : kCases) {
    ServedExtender entry;
    entry.url_prefix = each.prefix;
    EXPECT_EQ(PathOf(entry, each.verb), each.path) << each.prefix;
  }
}

TEST(ExtenderConfiguration, RejectsOtherKindsAndUnknownFields) {
  EXPECT_EQ(Rejected(""), "e.yaml: the file is empty");
  EXPECT_THAT(
      Rejected("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration"),
      HasSubstr("the file must begin with \"apiVersion: berth.dev/v1alpha1\" and \"kind: "
                "ExtenderConfiguration\""));
  EXPECT_EQ(Rejected(std::string(kHead) + "extenders: [{filterVreb: f}]"),
            "e.yaml: strict decoding error: unknown field \"extenders[0].filterVreb\"; nearest: "
            "filterVerb");
}

TEST(ExtenderConfiguration, ReportsEveryError) {
  EXPECT_THAT(Validate({}, controllers::ViewOf(scheduler::MakeRegistry())), SizeIs(1));
  EXPECT_THAT(
      ErrorsIn(R"(
- urlPrefix: scheduler
- urlPrefix: /s
- urlPrefix: /s
  filterVerb: f
  prioritizeVerb: f
  plugins:
    filter: {enabled: [{name: PodNameLenght}, {name: NodeNameLength}]}
    permit: {enabled: [{name: X}]}
    multiPoint: {enabled: [{name: PrioritySort}]}
  pluginConfig: [{name: PodNameLength, args: {maxLength: 0}}]
- urlPrefix: ''
  filterVerb: healthz/f
  bindVerb: 'b?c')"),
      UnorderedElementsAre(
          HasSubstr("extenders[0].urlPrefix: Invalid value: \"scheduler\": must be a path"),
          HasSubstr("extenders[1]: Required value: give at least one of filterVerb"),
          HasSubstr("extenders[2].prioritizeVerb: Invalid value: \"f\": /s/f is served by "
                    "extenders[2].filterVerb already"),
          HasSubstr("extenders[2].plugins.permit: Forbidden: an extender runs only preFilter"),
          HasSubstr("extenders[2].plugins.multiPoint.enabled[name=PrioritySort]: Invalid value"),
          HasSubstr("extenders[2].plugins.filter.enabled[name=PodNameLenght]: Invalid value: "
                    "\"PodNameLenght\": unknown plugin; nearest: PodNameLength"),
          HasSubstr("extenders[2].plugins.filter.enabled[name=NodeNameLength]: Invalid value: "
                    "\"NodeNameLength\": does not implement filter; it implements score"),
          HasSubstr(
              "extenders[2].pluginConfig[name=PodNameLength].args.maxLength: Invalid value: 0"),
          HasSubstr("extenders[3].urlPrefix: Required value"),
          HasSubstr(
              "extenders[3].filterVerb: Invalid value: \"healthz/f\": /healthz/f is reserved"),
          HasSubstr("extenders[3].bindVerb: Invalid value: \"b?c\": must consist of letters")));
}

// Returns the reasons why an entry needs a cluster.
std::vector<std::string> NeedsOf(const std::string& entry) {
  scheduler::testing::TestCluster cluster;
  const scheduler::Registry registry = scheduler::MakeRegistry();
  const auto entries = MakeEntries(Load(entry), registry, cluster.handle());
  EXPECT_TRUE(entries) << entries.error().message();
  return entries->front().WhyClusterIsNeeded(registry);
}

TEST(ExtenderEntry, RunsOnlyNamedPlugins) {
  scheduler::testing::TestCluster cluster;
  const auto entries = MakeEntries(Load(R"(
- {urlPrefix: /s, filterVerb: f}
- urlPrefix: /t
  filterVerb: f
  plugins: {multiPoint: {enabled: [{name: NodeAffinity}, {name: ImageLocality}]},
            score: {disabled: [{name: ImageLocality}], enabled: [{name: NodeNameLength, weight: 4}]}})"),
                                   scheduler::MakeRegistry(), cluster.handle());
  ASSERT_TRUE(entries) << entries.error().message();
  using scheduler::ExtensionPoint;
  EXPECT_THAT(entries->at(0).profile->effective().At(ExtensionPoint::kFilter), IsEmpty());
  EXPECT_FALSE(entries->at(0).profile->HasScore());
  EXPECT_THAT(entries->at(1).profile->effective().At(ExtensionPoint::kFilter),
              ElementsAre("NodeAffinity"));
  EXPECT_THAT(entries->at(1).profile->effective().At(ExtensionPoint::kScore),
              UnorderedElementsAre("NodeAffinity", "NodeNameLength"));
  EXPECT_EQ(entries->at(1).profile->effective().WeightOf("NodeNameLength"), 4);
}

TEST(ExtenderEntry, ListsReasonsToNeedCluster) {
  EXPECT_THAT(NeedsOf(R"(
- urlPrefix: /s
  filterVerb: f
  plugins: {multiPoint: {enabled: [{name: PodNameLength}, {name: NodeAffinity}, {name: TaintToleration},
                                   {name: NodeNameLength}]}})"),
              IsEmpty());
  EXPECT_THAT(NeedsOf(R"(
- urlPrefix: /s
  filterVerb: f
  bindVerb: b
  preemptVerb: p
  nodeCacheCapable: true
  plugins: {multiPoint: {enabled: [{name: NodeResourcesFit}, {name: VolumeZone}]}})"),
              ElementsAre(HasSubstr("nodeCacheCapable"), HasSubstr("bindVerb"),
                          HasSubstr("preemptVerb"), "plugin NodeResourcesFit reads pods",
                          "plugin VolumeZone reads persistentvolumes, persistentvolumeclaims, "
                          "storageclasses"));
}

}  // namespace
}  // namespace berth::extender
