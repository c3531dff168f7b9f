// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/node_prefer_avoid_pods.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;

constexpr const char* kAvoidPods = "scheduler.alpha.kubernetes.io/preferAvoidPods";

PodBuilder OwnedBy(const std::string& kind, const std::string& uid) {
  PodBuilder pod = MakePod("p");
  if (kind.empty()) return pod;
  pod.ControlledBy("v1", kind, "owner");
  pod.raw().metadata.owner_references.back().uid = uid;
  return pod;
}

std::string Avoid(const std::string& kind, const std::string& uid) {
  return R"({"podSignature":{"podController":{"apiVersion":"v1","kind":")" + kind +
         R"(","name":"any","uid":")" + uid +
         R"(","controller":true}},"evictionTime":"2016-03-01T00:00:00Z","reason":"why"})";
}

std::string AvoidList(const std::string& entries) {
  return R"({"preferAvoidPods":[)" + entries + "]}";
}

TEST(NodePreferAvoidPods, ScoresZeroForAvoidedControllers) {
  const std::string both =
      AvoidList(Avoid("ReplicationController", "u1") + "," + Avoid("ReplicaSet", "u2"));
  const struct {
    std::string kind, uid;   // of the pod's controller
    std::string annotation;  // of the node; empty: none
    int64_t score;
  } kRows[] = {
      {"ReplicationController", "u1", both, 0},
      {"ReplicaSet", "u2", both, 0},
      {"ReplicaSet", "u1", both, 100},                                    // another kind
      {"ReplicationController", "u2", both, 100},                         // the same
      {"ReplicaSet", "u3", both, 100},                                    // another owner
      {"", "", both, 100},                                                // no controller
      {"StatefulSet", "u1", AvoidList(Avoid("StatefulSet", "u1")), 100},  // unsupported kind
      {"Job", "u1", AvoidList(Avoid("Job", "u1")), 100},
      {"ReplicaSet", "u2", "", 100},
      {"ReplicaSet", "u2", "{}", 100},
      {"ReplicaSet", "u2", R"({"preferAvoidPods":null})", 100},
      {"ReplicaSet", "u2", AvoidList(""), 100},
      {"ReplicaSet", "u2", AvoidList("{}"), 100},
      {"ReplicaSet", "u2", both + "}", 100},  // invalid JSON
      {"ReplicaSet", "u2", "not JSON", 100},
      {"ReplicaSet", "u2", R"({"preferAvoidPods":"u2"})", 100},  // not a list
      {"ReplicaSet", "u2",
       AvoidList(R"({"podSignature":{"podController":{"kind":"ReplicaSet",)"
                 R"("uid":"u2"}},"since":1})"),
       0},
  };
  for (const auto& row : kRows) {
    TestCluster cluster;
    NodeBuilder node = MakeNode("n");
    if (!row.annotation.empty()) node.raw().metadata.annotations[kAvoidPods] = row.annotation;
    cluster.Add(node).Add(MakeNode("other"));
    Cycle cycle(cluster, OwnedBy(row.kind, row.uid));
    const auto scores = ScoreAll(*cluster.Plugin<NodePreferAvoidPods>(), cycle);
    EXPECT_EQ(scores.at("n"), row.score) << row.kind << " " << row.uid << " " << row.annotation;
    EXPECT_EQ(scores.at("other"), 100);
  }
}

TEST(NodePreferAvoidPods, IgnoresNonControllerOwner) {
  TestCluster cluster;
  NodeBuilder node = MakeNode("n");
  node.raw().metadata.annotations[kAvoidPods] = AvoidList(Avoid("ReplicaSet", "u"));
  cluster.Add(node);
  PodBuilder pod = OwnedBy("ReplicaSet", "u");
  pod.raw().metadata.owner_references.back().controller = false;
  Cycle cycle(cluster, pod);
  EXPECT_EQ(ScoreAll(*cluster.Plugin<NodePreferAvoidPods>(), cycle).at("n"), 100);
}

TEST(NodePreferAvoidPods, PodsWithoutKnownControllerShareAKey) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodePreferAvoidPods>();
  const auto key = [&](const std::string& kind, const std::string& uid) {
    return plugin->KeyOf(Cycle(cluster, OwnedBy(kind, uid)).context());
  };
  EXPECT_EQ(key("", ""), key("StatefulSet", "u"));
  EXPECT_EQ(key("ReplicaSet", "u"), key("ReplicaSet", "u"));
  EXPECT_NE(key("ReplicaSet", "u"), key("ReplicaSet", "v"));
  EXPECT_NE(key("ReplicaSet", "u"), key("ReplicationController", "u"));
}

// A changed annotation must move the epoch, else the old score would stay cached.
TEST(NodePreferAvoidPods, AnnotationChangeMovesNodeObjectEpoch) {
  TestCluster cluster;
  NodeBuilder node = MakeNode("n");
  cluster.Add(node);
  const uint64_t before = cluster.snapshot().Generation();
  node.raw().metadata.annotations[kAvoidPods] = AvoidList(Avoid("ReplicaSet", "u"));
  cluster.cache().UpdateNode(node.Build());
  std::vector<Slot> changed;
  cluster.snapshot().ChangedSince({Epoch::kNodeObject}, before, changed);
  EXPECT_EQ(changed, std::vector<Slot>{cluster.SlotOf("n")});
}

}  // namespace
}  // namespace berth::scheduler
