// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/plugins/pod_topology_spread_fixture.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::MakePod;

class PodTopologySpreadHintTest : public PodTopologySpreadTest {
 protected:
  QueueingHint OnPod(const PodBuilder& pod, const PodBuilder* before, const PodBuilder* after,
                     const std::string& args = "") {
    return cluster_.Plugin<PodTopologySpread>(args)->Hint(
        *pod.Info(cluster_.words()), {Resource::kAssignedPod, action::kUpdatePodLabel, {}},
        testing::PodChange(cluster_.words(), before, after));
  }
  QueueingHint OnItself(const PodBuilder& before, const PodBuilder& after) {
    return cluster_.Plugin<PodTopologySpread>()->Hint(
        *after.Info(cluster_.words()), {Resource::kTargetPod, action::kUpdatePodLabel, {}},
        testing::PodChange(cluster_.words(), &before, &after));
  }
  QueueingHint OnNode(const PodBuilder& pod, const NodeBuilder* before, const NodeBuilder* after) {
    return cluster_.Plugin<PodTopologySpread>()->Hint(
        *pod.Info(cluster_.words()), {Resource::kNode, action::kUpdateNodeLabel, {}},
        testing::NodeChange(before, after));
  }

  const PodBuilder pod_ = WebPod("p").Spread(Hard(kZone));
  const PodBuilder web_ = WebPod("o").OnNode("a");
  const PodBuilder db_ = MakePod("o").Label("app", "db").OnNode("a");
};

TEST_F(PodTopologySpreadHintTest, QueuesIfCountedPodIsAddedOrDeleted) {
  EXPECT_EQ(OnPod(pod_, nullptr, &web_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(pod_, &web_, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(pod_, nullptr, &db_), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(pod_, &db_, nullptr), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(WebPod("p").Spread(Soft(kZone)), nullptr, &web_), QueueingHint::kSkip);
}

TEST_F(PodTopologySpreadHintTest, SkipsOtherNamespacesAndPodsWithoutNode) {
  const PodBuilder elsewhere = WebPod("o").Namespace("other").OnNode("a");
  const PodBuilder waiting = WebPod("o");
  const PodBuilder nominated = WebPod("o").Nominated("a");
  EXPECT_EQ(OnPod(pod_, nullptr, &elsewhere), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(pod_, nullptr, &waiting), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(pod_, nullptr, &nominated), QueueingHint::kQueue);
}

TEST_F(PodTopologySpreadHintTest, QueuesIfUpdateChangesCounting) {
  const PodBuilder labelled = PodBuilder(web_).Label("x", "y");
  EXPECT_EQ(OnPod(pod_, &db_, &web_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(pod_, &web_, &db_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(pod_, &web_, &labelled), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(pod_, &web_, &web_), QueueingHint::kSkip);
}

TEST_F(PodTopologySpreadHintTest, QueuesIfTheConstraintsSelectThePodNow) {
  const PodBuilder labelled = PodBuilder(pod_).Label("x", "y");
  const PodBuilder db = PodBuilder(pod_).Label("app", "db");
  EXPECT_EQ(OnItself(pod_, labelled), QueueingHint::kSkip);
  EXPECT_EQ(OnItself(pod_, db), QueueingHint::kQueue);
  EXPECT_EQ(OnItself(db, pod_), QueueingHint::kQueue);
}

TEST_F(PodTopologySpreadHintTest, NewTolerationQueuesIfTaintsAreHonored) {
  const PodBuilder tolerant = PodBuilder(pod_).Toleration("gpu");
  EXPECT_EQ(OnItself(pod_, tolerant), QueueingHint::kSkip);
  api::TopologySpreadConstraint constraint = Hard(kZone);
  constraint.node_taints_policy = "Honor";
  const PodBuilder honours = WebPod("p").Spread(constraint);
  const PodBuilder honours_and_tolerates = PodBuilder(honours).Toleration("gpu");
  EXPECT_EQ(OnItself(honours, honours_and_tolerates), QueueingHint::kQueue);
  EXPECT_EQ(OnItself(honours, honours), QueueingHint::kSkip);
}

TEST_F(PodTopologySpreadHintTest, DefaultConstraintsQueueForAnyPodOfNamespace) {
  constexpr const char* kHardByZone = R"({"defaultingType":"List","defaultConstraints":[
      {"topologyKey":"topology.kubernetes.io/zone","maxSkew":1,
       "whenUnsatisfiable":"DoNotSchedule"}]})";
  const PodBuilder elsewhere = WebPod("o").Namespace("other").OnNode("a");
  EXPECT_EQ(OnPod(WebPod("p"), nullptr, &db_, kHardByZone), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(WebPod("p"), &db_, &web_, kHardByZone), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(WebPod("p"), &web_, &web_, kHardByZone), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(WebPod("p"), nullptr, &elsewhere, kHardByZone), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(WebPod("p"), nullptr, &web_), QueueingHint::kSkip) << "system defaults are soft";
}

TEST_F(PodTopologySpreadHintTest, QueuesIfNodeJoinsOrLeavesDomain) {
  const NodeBuilder none = MakeNode("n");
  const NodeBuilder one = MakeNode("n").Label(kZone, "1");
  const NodeBuilder two = MakeNode("n").Label(kZone, "2");
  const NodeBuilder tainted = NodeBuilder(one).Taint("gpu");
  EXPECT_EQ(OnNode(pod_, nullptr, &one), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, nullptr, &none), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(pod_, &one, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, &none, nullptr), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(pod_, &none, &one), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, &one, &none), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, &one, &two), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, &one, &tainted), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(pod_, &one, &one), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(PodBuilder(pod_).Spread(Hard(kHost)), nullptr, &one), QueueingHint::kSkip)
      << "it lacks one of the keys";
}

TEST_F(PodTopologySpreadHintTest, InvalidConstraintsQueue) {
  api::TopologySpreadConstraint bad = Hard(kZone);
  bad.label_selector.Edit().match_expressions = {{"app", "Near", {}}};
  const NodeBuilder node = MakeNode("n");
  EXPECT_EQ(OnPod(WebPod("p").Spread(bad), nullptr, &db_), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(WebPod("p").Spread(bad), nullptr, &node), QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
