// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "scheduler/plugins/node_resources_fit.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::TestCluster;

class NodeResourcesFitHintTest : public ::testing::Test {
 protected:
  QueueingHint OnDelete(const PodBuilder& deleted) {
    return plugin_->Hint(*pod_.Info(cluster_.words()),
                         {Resource::kAssignedPod, action::kDelete, {}},
                         testing::PodChange(cluster_.words(), &deleted, nullptr));
  }
  QueueingHint OnScaleDown(const PodBuilder& before, const PodBuilder& after) {
    return plugin_->Hint(*pod_.Info(cluster_.words()),
                         {Resource::kAssignedPod, action::kUpdatePodScaleDown, {}},
                         testing::PodChange(cluster_.words(), &before, &after));
  }
  QueueingHint OnNode(const NodeBuilder* before, const NodeBuilder& after) {
    const ActionMask what = before == nullptr ? action::kAdd : action::kUpdateNodeAllocatable;
    return plugin_->Hint(*pod_.Info(cluster_.words()), {Resource::kNode, what, {}},
                         testing::NodeChange(before, &after));
  }

  TestCluster cluster_;
  PodBuilder pod_ = MakePod("p").Requests("cpu=2,example.com/gpu=1");
  std::unique_ptr<NodeResourcesFit> plugin_ =
      cluster_.Plugin<NodeResourcesFit>(R"({"ignoredResources":["example.com/gpu"]})");
};

TEST_F(NodeResourcesFitHintTest, QueuesIfPodWithNodeIsDeleted) {
  EXPECT_EQ(OnDelete(MakePod("q").OnNode("n")), QueueingHint::kQueue);
  EXPECT_EQ(OnDelete(MakePod("q").Nominated("n")), QueueingHint::kQueue);
  EXPECT_EQ(OnDelete(MakePod("q")), QueueingHint::kSkip);
}

TEST_F(NodeResourcesFitHintTest, QueuesIfPodReleasesRequestedResource) {
  const auto big = MakePod("q").Requests("cpu=3,memory=2Gi,example.com/gpu=2").OnNode("n");
  EXPECT_EQ(
      OnScaleDown(big, MakePod("q").Requests("cpu=2,memory=2Gi,example.com/gpu=2").OnNode("n")),
      QueueingHint::kQueue);
  EXPECT_EQ(
      OnScaleDown(big, MakePod("q").Requests("cpu=3,memory=2Gi,example.com/gpu=1").OnNode("n")),
      QueueingHint::kQueue);
  EXPECT_EQ(
      OnScaleDown(big, MakePod("q").Requests("cpu=3,memory=1Gi,example.com/gpu=2").OnNode("n")),
      QueueingHint::kSkip)
      << "this pod requests no memory";
  EXPECT_EQ(OnScaleDown(big, PodBuilder(big).InPlace("cpu=3", "cpu=3")), QueueingHint::kSkip);
}

TEST_F(NodeResourcesFitHintTest, QueuesOnlyAfterKubeletResized) {
  const auto wanted = MakePod("q").Requests("cpu=1").OnNode("n");
  EXPECT_EQ(OnScaleDown(PodBuilder(wanted).InPlace("cpu=3", "cpu=3"),
                        PodBuilder(wanted).InPlace("cpu=3", "cpu=1")),
            QueueingHint::kSkip);
  EXPECT_EQ(OnScaleDown(PodBuilder(wanted).InPlace("cpu=3", "cpu=1"),
                        PodBuilder(wanted).InPlace("cpu=1", "cpu=1")),
            QueueingHint::kQueue);
}

TEST_F(NodeResourcesFitHintTest, QueuesIfPodRequestsLess) {
  const auto less = MakePod("p").Requests("cpu=1");
  EXPECT_EQ(plugin_->Hint(*less.Info(cluster_.words()),
                          {Resource::kTargetPod, action::kUpdatePodScaleDown, {}},
                          testing::PodChange(cluster_.words(), &pod_, &less)),
            QueueingHint::kQueue);
}

TEST_F(NodeResourcesFitHintTest, QueuesForNewNodeThatFitsWhenEmpty) {
  EXPECT_EQ(OnNode(nullptr, MakeNode("n").Allocatable("cpu=2,example.com/gpu=1")),
            QueueingHint::kQueue);
  EXPECT_EQ(OnNode(nullptr, MakeNode("n").Allocatable("cpu=1,example.com/gpu=1")),
            QueueingHint::kSkip);
  EXPECT_EQ(OnNode(nullptr, MakeNode("n").Allocatable("cpu=2,example.com/gpu=1,pods=0")),
            QueueingHint::kSkip);
  EXPECT_EQ(OnNode(nullptr, MakeNode("n").Allocatable("cpu=2")), QueueingHint::kSkip)
      << "ignored resources count here";
}

TEST_F(NodeResourcesFitHintTest, QueuesIfRequestedAllocatableGrows) {
  const NodeBuilder before = MakeNode("n").Allocatable("cpu=2,memory=1Gi,example.com/gpu=1,pods=5");
  EXPECT_EQ(OnNode(&before, MakeNode("n").Allocatable("cpu=3,memory=1Gi,example.com/gpu=1,pods=5")),
            QueueingHint::kQueue);
  EXPECT_EQ(OnNode(&before, MakeNode("n").Allocatable("cpu=2,memory=1Gi,example.com/gpu=2,pods=5")),
            QueueingHint::kQueue);
  EXPECT_EQ(OnNode(&before, MakeNode("n").Allocatable("cpu=2,memory=1Gi,example.com/gpu=1,pods=6")),
            QueueingHint::kQueue);
  EXPECT_EQ(OnNode(&before, MakeNode("n").Allocatable("cpu=2,memory=9Gi,example.com/gpu=1,pods=5")),
            QueueingHint::kSkip);
  EXPECT_EQ(OnNode(&before, MakeNode("n").Allocatable("cpu=1,memory=1Gi,example.com/gpu=9,pods=5")),
            QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
