// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The findings of a pod spec that is fine but for `changes`.
std::vector<std::string> Found(const json& changes) {
  json spec = json::parse(R"({"restartPolicy": "Always", "dnsPolicy": "ClusterFirst",
      "terminationGracePeriodSeconds": 30, "containers": [{"name": "c", "image": "app"}]})");
  spec.merge_patch(changes);
  Problems problems;
  CheckPodSpec(Field(spec, problems));
  std::vector<std::string> texts;
  for (const auto& problem : problems) texts.push_back(problem.ToString());
  return texts;
}

std::vector<std::string> FoundIn(const char* container) {
  json with = {{"name", "c"}, {"image", "app"}};
  with.merge_patch(json::parse(container));
  return Found({{"containers", json::array({with})}});
}

TEST(CheckPodSpec, AcceptsWhatIsFine) {
  EXPECT_THAT(Found(json::object()), IsEmpty());
  EXPECT_THAT(Found(json::parse(R"({"volumes": [{"name": "v", "emptyDir": {}}],
      "containers": [{"name": "c", "image": "app", "ports": [{"name": "http", "containerPort": 80}],
        "volumeMounts": [{"name": "v", "mountPath": "/v", "subPath": "a/b"}],
        "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1500m"}}}],
      "tolerations": [{"operator": "Exists"}, {"key": "k", "operator": "Equal", "value": "v"}]})")),
              IsEmpty());
}

TEST(CheckPodSpec, WantsContainersWithNamesOfTheirOwn) {
  EXPECT_THAT(Found({{"containers", json::array()}}), ElementsAre("containers: Required value"));
  EXPECT_THAT(Found(json::parse(R"({"initContainers": [{"name": "c", "image": "app"}]})")),
              ElementsAre("initContainers[0].name: Duplicate value: \"c\""));
}

TEST(CheckPodSpec, ComparesRequestsWithLimits) {
  EXPECT_THAT(FoundIn(R"({"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}})"),
              ElementsAre("containers[0].resources.requests: Invalid value: \"2\": must be less "
                          "than or equal to cpu limit of 1"));
  EXPECT_THAT(FoundIn(R"({"resources": {"requests": {"a.b/gpu": "1"}}})"),
              ElementsAre("containers[0].resources.limits: Required value: Limit must be set for "
                          "non overcommitable resources"));
  EXPECT_THAT(
      FoundIn(R"({"resources": {"requests": {"a.b/gpu": "1"}, "limits": {"a.b/gpu": "2"}}})"),
      ElementsAre("containers[0].resources.requests: Invalid value: \"1\": must be equal to "
                  "a.b/gpu limit of 2"));
}

TEST(CheckPodSpec, APathDoesNotLeadOutOfItsVolume) {
  EXPECT_THAT(
      FoundIn(R"({"volumeMounts": [{"name": "v", "mountPath": "/v", "subPath": "/a/.."}]})"),
      ElementsAre("containers[0].volumeMounts[0].name: Not found: \"v\"",
                  "containers[0].volumeMounts.subPath: Invalid value: \"/a/..\": must be a "
                  "relative path",
                  "containers[0].volumeMounts.subPath: Invalid value: \"/a/..\": must not "
                  "contain '..'"));
}

TEST(CheckPodSpec, TwoContainersCannotHaveOnePortOfTheHost) {
  EXPECT_THAT(FoundIn(R"({"ports": [{"containerPort": 1, "hostPort": 9, "protocol": "TCP"},
                            {"containerPort": 2, "hostPort": 9, "protocol": "UDP"},
                            {"containerPort": 3, "hostPort": 9, "protocol": "TCP"}]})"),
              ElementsAre("containers[0].ports[2].hostPort: Duplicate value: \"TCP//9\""));
}

TEST(CheckPodSpec, ProbesHaveOneWayAndSucceedOnce) {
  EXPECT_THAT(FoundIn(R"({"livenessProbe": {"exec": {"command": ["x"]}, "successThreshold": 2}})"),
              ElementsAre("containers[0].livenessProbe.successThreshold: Invalid value: 2: must "
                          "be 1"));
  EXPECT_THAT(FoundIn(R"({"readinessProbe": {}})"),
              ElementsAre("containers[0].readinessProbe: Required value: must specify a handler "
                          "type"));
}

TEST(CheckPodSpec, AVolumeHasOneSource) {
  EXPECT_THAT(
      Found(json::parse(R"({"volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}},
                                        {"name": "w"}]})")),
      ElementsAre("volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
                  "volumes[1]: Required value: must specify a volume type"));
}

TEST(CheckPodSpec, ChecksWhereAPodMayRun) {
  EXPECT_THAT(Found(json::parse(R"({"affinity": {"nodeAffinity": {
      "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{
        "matchExpressions": [{"key": "k", "operator": "Gt", "values": ["1", "2"]}],
        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["N_"]}]}]}}}})"))
                  .size(),
              2U);
  EXPECT_THAT(
      Found(json::parse(R"({"tolerations": [{"key": "k", "tolerationSeconds": 1}]})")),
      ElementsAre("tolerations[0].effect: Invalid value: \"\": effect must be 'NoExecute' when "
                  "`tolerationSeconds` is set"));
}

}  // namespace
}  // namespace berth::apiserver
