// SPDX-License-Identifier: Apache-2.0
#include "engine/config.h"

#include <gmock/gmock.h>

#include "api/scheduler_contract.h"
#include "tests/engine/config_fixture.h"

namespace berth::engine {
namespace {

using ::testing::HasSubstr;

constexpr const char* kGood = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: hello
  plugins:
    score: {disabled: [{name: TaintToleration}]}
)";

constexpr const char* kTypo = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: hello
  plugins:
    filter: {enabled: [{name: NodeNam}]}
)";

TEST_F(ConfigTest, BuildsTheProfilesOfAValidConfig) {
  const auto loaded = Load(kGood);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->hash, api::ConfigHash(kGood));
  ASSERT_TRUE(loaded->profiles.contains("hello"));
  EXPECT_EQ(loaded->profiles.at("hello")->effective().WeightOf("TaintToleration"), 0);
  EXPECT_EQ(loaded->profiles.at("hello")->effective().WeightOf("NodeAffinity"), 2);
}

TEST_F(ConfigTest, ErrorNamesFileAndNearestName) {
  const auto loaded = Load(kTypo);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("file.yaml"));
  EXPECT_THAT(loaded.error().message(), HasSubstr("NodeNam"));
  EXPECT_THAT(loaded.error().message(), HasSubstr("; nearest: NodeName"));
}

TEST_F(ConfigTest, ValidatesAfterDecoding) {
  const auto rejected = Load(std::string(kGood) + "percentageOfNodesToScore: 101\n");
  ASSERT_FALSE(rejected);
  EXPECT_THAT(rejected.error().message(), HasSubstr("percentageOfNodesToScore"));
}

TEST_F(ConfigTest, RejectsProfilesWithDifferentQueueSorts) {
  const auto rejected = Load(std::string(kGood) + R"(
- schedulerName: other
  plugins:
    multiPoint: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}
)");
  ASSERT_FALSE(rejected);
  EXPECT_THAT(rejected.error().message(),
              HasSubstr("different queue sort plugins for profile \"other\": \"QOSSort\", first: "
                        "\"PrioritySort\""));
}

TEST_F(ConfigTest, RejectsAConfigWithAnUnreachableExtender) {
  const auto loaded = Load(std::string(kGood) + "extenders: [{urlPrefix: \"http://a\"}]\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message(),
            "file.yaml: couldn't build extenders: extenders[0]: no way to http://a from file.yaml");
}

TEST_F(ConfigTest, RejectsLoopbackMetricSourcesUnlessTheFileIsLocal) {
  const std::string text = std::string(kGood) + R"(
- schedulerName: other
  plugins: {score: {enabled: [{name: NetworkTraffic}]}}
  pluginConfig: [{name: NetworkTraffic, args: {address: "127.0.0.1:9090", deviceName: eth0}}]
)";
  EXPECT_TRUE(Load(text));
  EXPECT_THAT(
      Choose(text, std::nullopt, "x").error,
      HasSubstr("profiles[1].pluginConfig[name=NetworkTraffic].args.address: Invalid value: "
                "\"http://127.0.0.1:9090\": must not lead to a loopback address"));
}

TEST_F(ConfigTest, RejectsLoopbackExtendersUnlessTheFileIsLocal) {
  const std::string text = std::string(kGood) +
                           "extenders: [{urlPrefix: \"http://127.0.0.1:1\", filterVerb: f, "
                           "tlsConfig: {caFile: /etc/passwd}}]\n";
  const std::string rendered = Load(text, /*is_rendered=*/true).error().message();
  EXPECT_THAT(rendered, HasSubstr("file.yaml: "));
  EXPECT_THAT(rendered, HasSubstr("extenders[0].urlPrefix: Invalid value: \"http://127.0.0.1:1\": "
                                  "must not lead to a loopback address"));
  EXPECT_THAT(rendered, HasSubstr("extenders[0].tlsConfig.caFile: "));
  EXPECT_THAT(Load(text).error().message(), HasSubstr("no way to http://127.0.0.1:1"));
  EXPECT_THAT(Choose(text, kGood, "").error, HasSubstr("must not lead to a loopback address"));
}

TEST_F(ConfigTest, AllowsOnlySidecarPortsOnTheLoopback) {
  const auto text = [](const std::string& url) {
    return std::string(kGood) + "extenders: [{urlPrefix: \"" + url + "\", filterVerb: f}]\n";
  };
  EXPECT_THAT(LoadSidecars(text("http://localhost:8888/e"), 8888).error().message(),
              HasSubstr("no way to http://localhost:8888/e from file.yaml"))
      << "it is asked for its port";
  EXPECT_THAT(LoadSidecars(text("http://localhost:8889/e"), 8888).error().message(),
              HasSubstr("must not lead to a loopback address"));
}

TEST_F(ConfigTest, AcceptsANewValidConfig) {
  const Choice choice = Choose(kGood, std::nullopt, "0123456789abcdef");
  ASSERT_TRUE(choice.config);
  EXPECT_EQ(choice.error, "");
}

TEST_F(ConfigTest, IgnoresTheRunningConfig) {
  const Choice choice = Choose(kGood, std::nullopt, api::ConfigHash(kGood));
  EXPECT_FALSE(choice.config);
  EXPECT_EQ(choice.error, "");
}

TEST_F(ConfigTest, KeepsTheRunningConfigOnError) {
  const Choice choice = Choose(kTypo, kGood, "0123456789abcdef");
  EXPECT_FALSE(choice.config);
  EXPECT_THAT(choice.error, HasSubstr("ConfigMap a/b: scheduler-config.yaml"));
}

TEST_F(ConfigTest, StartFallsBackToTheLastValidConfig) {
  const Choice choice = Choose(kTypo, kGood, "");
  ASSERT_TRUE(choice.config);
  EXPECT_EQ(choice.config->hash, api::ConfigHash(kGood));
  EXPECT_THAT(choice.error, HasSubstr("NodeNam"));
}

TEST_F(ConfigTest, StartWithoutAValidConfigReportsBothErrors) {
  const Choice choice = Choose(kTypo, "kind: Nonsense", "");
  EXPECT_FALSE(choice.config);
  EXPECT_THAT(choice.error, HasSubstr("scheduler-config.yaml"));
  EXPECT_THAT(choice.error, HasSubstr("last-good.yaml"));
}

TEST_F(ConfigTest, RejectsAConfigMapWithoutTheKey) {
  EXPECT_EQ(Choose(std::nullopt, std::nullopt, "0123456789abcdef").error,
            "ConfigMap a/b: scheduler-config.yaml is missing");
}

}  // namespace
}  // namespace berth::engine
