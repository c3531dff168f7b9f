// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/admission.h"

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace berth::simulation {
namespace {

api::Node ANode() {
  api::Node node;
  node.metadata.name = "n1";
  node.metadata.labels = {{"disk", "ssd"}};
  node.status.allocatable = {{"cpu", Quantity::FromValue(4)},
                             {"memory", Quantity::FromValue(1 << 30)},
                             {"pods", Quantity::FromValue(2)}};
  return node;
}

api::Pod APodWanting(const std::string& resource, const std::string& amount) {
  api::Pod pod;
  pod.metadata.uid = "uid";
  pod.spec.containers.resize(1);
  pod.spec.containers[0].resources.requests[resource] = *Quantity::Parse(amount);
  return pod;
}

TEST(CheckAdmission, AdmitsPodThatFits) {
  EXPECT_EQ(CheckAdmission(APodWanting("cpu", "4"), ANode(), {}), std::nullopt);
}

TEST(CheckAdmission, OutOfCpuCountsMillicores) {
  NodeAccount account;
  account.Admit("other", {{"cpu", Quantity::FromValue(3)}});
  const auto rejection = CheckAdmission(APodWanting("cpu", "1500m"), ANode(), account);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "OutOfcpu");
  EXPECT_EQ(rejection->message,
            "Pod was rejected: Node didn't have enough resource: cpu, requested: 1500, used: 3000, "
            "capacity: 4000");
}

TEST(CheckAdmission, ReleaseFreesResources) {
  NodeAccount account;
  account.Admit("other", {{"cpu", Quantity::FromValue(3)}});
  account.Release("other");
  EXPECT_FALSE(CheckAdmission(APodWanting("cpu", "4"), ANode(), account));
}

TEST(CheckAdmission, OutOfMemoryCountsBytes) {
  const auto rejection = CheckAdmission(APodWanting("memory", "2Gi"), ANode(), {});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "OutOfmemory");
  EXPECT_EQ(rejection->message,
            "Pod was rejected: Node didn't have enough resource: memory, requested: 2147483648, "
            "used: 0, capacity: 1073741824");
}

TEST(CheckAdmission, OutOfPods) {
  NodeAccount account;
  account.Admit("a", {});
  account.Admit("b", {});
  const auto rejection = CheckAdmission(APodWanting("cpu", "1"), ANode(), account);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "OutOfpods");
}

TEST(CheckAdmission, IgnoresExtendedResourceMissingOnNode) {
  EXPECT_FALSE(CheckAdmission(APodWanting("example.com/dongle", "1"), ANode(), {}));
}

TEST(CheckAdmission, RejectsNodeSelectorMismatch) {
  api::Pod pod = APodWanting("cpu", "1");
  pod.spec.node_selector = api::StringMap{{"disk", "tape"}};
  const auto rejection = CheckAdmission(pod, ANode(), {});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "NodeAffinity");
  EXPECT_EQ(rejection->message,
            "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node "
            "affinity/selector");
}

TEST(CheckAdmission, RejectsRequiredAffinityMismatch) {
  const auto pod = json::Decode<api::Pod>(
      R"({"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
      {"nodeSelectorTerms":[{"matchExpressions":[{"key":"disk","operator":"NotIn","values":["ssd"]}]}]}}}}})");
  ASSERT_TRUE(pod);
  const auto rejection = CheckAdmission(*pod, ANode(), {});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "NodeAffinity");
}

TEST(CheckAdmission, RejectsPodOfAnotherNode) {
  api::Pod pod = APodWanting("cpu", "1");
  pod.spec.node_name = "n2";
  const auto rejection = CheckAdmission(pod, ANode(), {});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "NodeName");
  EXPECT_EQ(rejection->message,
            "Pod was rejected: Predicate NodeName failed: node(s) didn't match the requested node "
            "name");
}

TEST(CheckAdmission, RejectsHostPortConflict) {
  api::Pod pod = APodWanting("cpu", "1");
  pod.spec.containers[0].ports = {{.host_port = 80, .host_ip = "127.0.0.1", .protocol = "TCP"}};
  NodeAccount account;
  account.Admit("udp", {}, {{.ip = "0.0.0.0", .protocol = "UDP", .port = 80}});
  EXPECT_FALSE(CheckAdmission(pod, ANode(), account));
  account.Release("udp");
  account.Admit("any", {}, {{.ip = "0.0.0.0", .protocol = "TCP", .port = 80}});
  const auto rejection = CheckAdmission(pod, ANode(), account);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "NodePorts");
  EXPECT_EQ(rejection->message,
            "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the "
            "requested pod ports");
  account.Release("any");
  EXPECT_FALSE(CheckAdmission(pod, ANode(), account));
}

TEST(CheckAdmission, ChecksOnlyNoExecuteTaints) {
  api::Node node = ANode();
  node.spec.taints = {{.key = "k", .value = "v", .effect = "NoSchedule"}};
  EXPECT_FALSE(CheckAdmission(APodWanting("cpu", "1"), node, {}));
  node.spec.taints[0].effect = "NoExecute";
  const auto rejection = CheckAdmission(APodWanting("cpu", "1"), node, {});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, "TaintToleration");
  api::Pod tolerant = APodWanting("cpu", "1");
  tolerant.spec.tolerations = {{.key = "k", .op = "Exists"}};
  EXPECT_FALSE(CheckAdmission(tolerant, node, {}));
}

}  // namespace
}  // namespace berth::simulation
