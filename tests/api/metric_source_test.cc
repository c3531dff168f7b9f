// SPDX-License-Identifier: Apache-2.0
#include "api/metric_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/outbound_address.h"

namespace berth::api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> Texts(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) texts.push_back(error.ToString());
  return texts;
}

TEST(MetricSource, DefaultsToHttp) {
  const std::pair<const char*, const char*> cases[] = {
      {"p:9090", "http://p:9090"},
      {"p.ns.svc", "http://p.ns.svc"},
      {"http://p:9090/", "http://p:9090"},
      {"https://p/prometheus//", "https://p/prometheus"},
      {"[fd00::1]:9090", "http://[fd00::1]:9090"}};
  for (const auto& [address, url] : cases) {
    EXPECT_EQ((MetricSource{.address = address, .secret_name = ""}.Url()), url);
  }
}

TEST(MetricSource, RequiresHttpsForASecret) {
  EXPECT_THAT(Check({.address = "https://p", .secret_name = "s"}, "args"), IsEmpty());
  for (const char* const address : {"p", "http://p", "HTTP://p", "p:443"}) {
    EXPECT_THAT(Texts(Check({.address = address, .secret_name = "s"}, "args")),
                ElementsAre(HasSubstr("args.secretName: Invalid value: \"s\": requires https")))
        << address;
  }
}

TEST(MetricSource, RejectsInvalidSecretNames) {
  for (const char* const secret : {"../../etc/passwd", "a/b", "A", "."}) {
    EXPECT_THAT(Check({.address = "https://p", .secret_name = secret}, ""), SizeIs(1)) << secret;
  }
  EXPECT_EQ(FileOfSecret("s", "token"), "/etc/berth/secrets/s/token");
}

TEST(MetricSource, RejectsAmbiguousAddresses) {
  for (const char* const address :
       {"", "ftp://p", "http://user@p", "http://u:s@p", "http://127.1", "http://0x7f000001", "p:0",
        "p:99999", "http://", "p?x=1", "p/#f", "a b"}) {
    EXPECT_THAT(Check({.address = address, .secret_name = ""}, ""), SizeIs(1)) << address;
  }
}

TEST(MetricSource, RejectsForbiddenAddressesForProfiles) {
  const auto outbound = [](const char* address) {
    return Texts(CheckOutbound({.address = address, .secret_name = ""}, "args"));
  };
  EXPECT_THAT(outbound("p.ns.svc:9090"), IsEmpty());
  EXPECT_THAT(outbound("https://p.example.com"), IsEmpty());
  EXPECT_THAT(outbound("p.example.com"), ElementsAre(HasSubstr("must begin with https://")));
  EXPECT_THAT(outbound("127.0.0.1:9090"), ElementsAre(HasSubstr("must not lead to a loopback")));
  EXPECT_THAT(outbound("https://metadata.google.internal"), SizeIs(1));
}

TEST(MetricSourcesOf, ReturnsTheSourcesInPluginArguments) {
  const std::vector<PluginConfig> configs = {
      {"NodeResourcesFit", {R"({"address":"http://other"})"}},
      {"NetworkTraffic", {R"({"address":"https://p","secretName":"s","deviceName":"eth0"})"}},
      {"NetworkTraffic", {R"({"address":7})"}},
      {"NetworkTraffic", {R"({"address":"http://p","secretName":"s"})"}},
      {"NetworkTraffic", {""}}};
  const auto sources = MetricSourcesOf(configs);
  ASSERT_THAT(sources, SizeIs(1)) << "the plugin rejects invalid arguments";
  EXPECT_EQ(sources[0].source, (MetricSource{.address = "https://p", .secret_name = "s"}));
  EXPECT_EQ(sources[0].path, "pluginConfig[name=NetworkTraffic].args");
}

}  // namespace
}  // namespace berth::api
