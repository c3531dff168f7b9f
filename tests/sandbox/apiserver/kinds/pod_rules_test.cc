// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Returns the errors of a valid pod spec with `changes`.
std::vector<std::string> Found(const json& changes) {
  json spec = json::parse(R"({"restartPolicy": "Always", "dnsPolicy": "ClusterFirst",
      "terminationGracePeriodSeconds": 30, "containers": [{"name": "c", "image": "app"}]})");
  spec.merge_patch(changes);
  Errors errors;
  CheckPodSpec(Field(spec, errors));
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.ToString());
  return texts;
}

std::vector<std::string> FoundIn(const char* container) {
  json with = {{"name", "c"}, {"image", "app"}};
  with.merge_patch(json::parse(container));
  return Found({{"containers", json::array({with})}});
}

TEST(CheckPodSpec, AcceptsValidSpec) {
  EXPECT_THAT(Found(json::object()), IsEmpty());
  EXPECT_THAT(Found(json::parse(R"({"volumes": [{"name": "v", "emptyDir": {}}],
      "containers": [{"name": "c", "image": "app", "ports": [{"name": "http", "containerPort": 80}],
        "volumeMounts": [{"name": "v", "mountPath": "/v", "subPath": "a/b"}],
        "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1500m"}}}],
      "tolerations": [{"operator": "Exists"}, {"key": "k", "operator": "Equal", "value": "v"}]})")),
              IsEmpty());
}

TEST(CheckPodSpec, RequiresUniqueContainerNames) {
  EXPECT_THAT(Found({{"containers", json::array()}}), ElementsAre("containers: Required value"));
  EXPECT_THAT(Found(json::parse(R"({"initContainers": [{"name": "c", "image": "app"}]})")),
              ElementsAre("initContainers[0].name: Duplicate value: \"c\""));
}

TEST(CheckPodSpec, ComparesRequestsWithLimits) {
  EXPECT_THAT(FoundIn(R"({"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}})"),
              ElementsAre("containers[0].resources.requests: Invalid value: \"2\": must be less "
                          "than or equal to cpu limit of 1"));
}

TEST(CheckPodSpec, ChecksTolerations) {
  EXPECT_THAT(
      Found(json::parse(R"({"tolerations": [{"key": "k", "tolerationSeconds": 1}]})")),
      ElementsAre("tolerations[0].effect: Invalid value: \"\": effect must be 'NoExecute' when "
                  "`tolerationSeconds` is set"));
}

}  // namespace
}  // namespace berth::apiserver
