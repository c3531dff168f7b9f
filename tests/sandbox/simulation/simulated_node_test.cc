// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/simulated_node.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

NodeDescription ADescription() {
  return {.name = "n1",
          .allocatable = {{"cpu", Quantity::FromValue(4)}},
          .labels = {{"zone", "east"}},
          .taints = {{.key = "k", .value = "v", .effect = "NoSchedule"}}};
}

TEST(NodeObjectOf, HasCommonLabelsAndPods) {
  const api::Node node = NodeObjectOf(ADescription(), kNow);
  EXPECT_EQ(node.metadata.labels.at("kubernetes.io/hostname"), "n1");
  EXPECT_EQ(node.metadata.labels.at("zone"), "east");
  EXPECT_EQ(node.status.allocatable.at("pods").Value(), 110);
  EXPECT_EQ(node.status.capacity, node.status.allocatable);
  EXPECT_EQ(node.spec.taints.size(), 1U);
}

TEST(NodeStatusPatch, HeartbeatKeepsTransitionTime) {
  const auto later = kNow + std::chrono::minutes(5);
  const auto status =
      nlohmann::json::parse(NodeStatusPatch(ADescription(), "10.64.0.1", kNow, later))["status"];
  const auto& ready = status["conditions"][3];
  EXPECT_EQ(ready["type"], "Ready");
  EXPECT_EQ(ready["status"], "True");
  EXPECT_EQ(ready["lastTransitionTime"], kNow.ToString());
  EXPECT_EQ(ready["lastHeartbeatTime"], later.ToString());
  EXPECT_EQ(status["addresses"][0]["address"], "10.64.0.1");
}

TEST(LeaseOf, IsOwnedByNode) {
  const api::Lease lease = LeaseOf("n1", "node-uid", kNow);
  EXPECT_EQ(lease.metadata.namespace_, "kube-node-lease");
  EXPECT_EQ(lease.metadata.owner_references[0].uid, "node-uid");
  EXPECT_EQ(lease.spec.holder_identity, "n1");
}

}  // namespace
}  // namespace berth::simulation
