// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_info.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr auto kCpu = ResourceColumns::kMilliCpu;
constexpr auto kMemory = ResourceColumns::kMemory;
constexpr auto kPods = ResourceColumns::kPods;

class ResourceColumnsTest : public ::testing::Test {
 protected:
  ResourceColumnsTest() { columns_.Resize(2); }
  std::shared_ptr<const PodInfo> Pod(std::string_view requests) {
    return MakePod(std::string(requests)).Requests(requests).Info(words_);
  }

  Vocabulary words_;
  Word gpu_ = words_.Intern("example.com/gpu");
  ResourceColumns columns_;
};

TEST_F(ResourceColumnsTest, SumsThePodsOfASlot) {
  const auto a = Pod("cpu=1,memory=5,example.com/gpu=2");
  columns_.AddPod(1, *a);
  columns_.AddPod(1, *Pod("cpu=2"));
  EXPECT_EQ(columns_.requested(kCpu, 1), 3000);
  EXPECT_EQ(columns_.requested(kPods, 1), 2);
  EXPECT_EQ(columns_.non_zero_memory(1), 5 + kDefaultMemoryRequest);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 2);
  EXPECT_EQ(columns_.requested(kCpu, 0), 0);
  columns_.RemovePod(1, *a);
  EXPECT_EQ(columns_.requested(kCpu, 1), 2000);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 0);
}

TEST_F(ResourceColumnsTest, RestoresTheSumAfterExcessiveRequests) {
  const auto absurd = Pod("memory=9223372036854775807");
  columns_.AddPod(0, *Pod("memory=7"));
  columns_.AddPod(0, *absurd);
  columns_.AddPod(0, *absurd);
  EXPECT_EQ(columns_.requested(kMemory, 0), kMax);
  columns_.RemovePod(0, *absurd);
  columns_.RemovePod(0, *absurd);
  EXPECT_EQ(columns_.requested(kMemory, 0), 7);
}

TEST_F(ResourceColumnsTest, ReplacesAllAllocatableAmounts) {
  columns_.SetAllocatable(0, {.milli_cpu = 4, .scalars = {{gpu_, 3}}}, 110);
  EXPECT_EQ(columns_.allocatable(kPods, 0), 110);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 0).allocatable, 3);
  columns_.SetAllocatable(0, {.milli_cpu = 5}, 9);
  EXPECT_EQ(columns_.allocatable(kCpu, 0), 5);
  EXPECT_EQ(columns_.allocatable(kPods, 0), 9);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 0).allocatable, 0);
}

TEST_F(ResourceColumnsTest, ResizeKeepsTheAmounts) {
  columns_.AddPod(1, *Pod("cpu=1,example.com/gpu=2"));
  columns_.Resize(5);
  EXPECT_EQ(columns_.requested(kCpu, 1), 1000);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 2);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 4).requested, 0);
  EXPECT_EQ(columns_.requested(kCpu).size(), 5u);
}

TEST_F(ResourceColumnsTest, RemovedNodeAndPodsLeaveZerosInTheirSlotOnly) {
  columns_.SetAllocatable(0, {.milli_cpu = 4, .scalars = {{gpu_, 3}}}, 110);
  columns_.AddPod(0, *Pod("cpu=1,example.com/gpu=2"));
  columns_.AddPod(1, *Pod("cpu=1,example.com/gpu=2"));
  columns_.SetAllocatable(0, {}, 0);
  columns_.RemovePod(0, *Pod("cpu=1,example.com/gpu=2"));
  EXPECT_EQ(columns_.allocatable(kCpu, 0), 0);
  EXPECT_EQ(columns_.requested(kCpu, 0), 0);
  EXPECT_EQ(columns_.non_zero_milli_cpu(0), 0);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 0).allocatable, 0);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 0).requested, 0);
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 2);
}

TEST_F(ResourceColumnsTest, UnknownResourceReadsAsZero) {
  const Word tpu = words_.Intern("example.com/tpu");
  EXPECT_EQ(columns_.ScalarAt(tpu, 0).allocatable, 0);
  EXPECT_EQ(columns_.ScalarAt(tpu, 0).requested, 0);
  EXPECT_FALSE(columns_.IsOffered(tpu));
}

TEST_F(ResourceColumnsTest, DropsTheColumnOfAResourceThatNoNodeOffers) {
  const auto is_offered = [this](const char* name) {
    const Word resource = words_.Intern(name);
    return columns_.IsOffered(resource);
  };
  columns_.SetAllocatable(0, {.scalars = {{gpu_, 3}}}, 110);
  columns_.AddPod(1, *Pod("example.com/gpu=2"));
  columns_.SetAllocatable(0, {}, 110);
  EXPECT_FALSE(is_offered("example.com/gpu"));
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 2) << "a pod requests it";
  columns_.SetAllocatable(0, {.scalars = {{gpu_, 1}}}, 110);
  EXPECT_TRUE(is_offered("example.com/gpu"));
  EXPECT_EQ(columns_.ScalarAt(gpu_, 1).requested, 2);
  columns_.SetAllocatable(0, {}, 110);
  columns_.RemovePod(1, *Pod("example.com/gpu=2"));
  columns_.AddPod(1, *Pod("example.com/none=0"));
  EXPECT_EQ(columns_.sparse_amounts(), 0u);
  for (int i = 0; i < 1000; ++i) {
    const Word name = words_.Intern("example.com/r" + std::to_string(i));
    columns_.SetAllocatable(0, {.scalars = {{name, 1}}}, 110);
  }
  EXPECT_TRUE(is_offered("example.com/r999"));
  EXPECT_FALSE(is_offered("example.com/r998"));
  EXPECT_LT(words_.capacity(), 10u);
}

TEST(NodeInfo, FindsLabels) {
  Vocabulary words;
  const Word zone = words.Intern("zone"), blank = words.Intern("blank"), one = words.Intern("1");
  NodeInfo node;
  node.labels = LabelSet({{"zone", "1"}, {"blank", ""}}, words);
  EXPECT_EQ(node.labels.Value(zone), one.symbol());
  EXPECT_EQ(node.labels.Value(blank), kNoSymbol);
  EXPECT_EQ(node.labels.Value(one), std::nullopt);
}

class NodeViewTest : public ::testing::Test {
 protected:
  NodeViewTest() {
    columns_.Resize(1);
    columns_.SetAllocatable(0, {.milli_cpu = 9000}, 110);
    node_.slot = 0;
    node_.pods = {running_, other_};
    for (const auto& pod : node_.pods) columns_.AddPod(0, *pod);
  }
  std::vector<std::string> Names(const NodeView& view) const {
    std::vector<std::string> names;
    view.ForEachPod([&](const PodInfo& pod) { names.push_back(pod.name()); });
    return names;
  }

  Vocabulary words_;
  Word gpu_ = words_.Intern("example.com/gpu");
  std::shared_ptr<const PodInfo> running_ =
      MakePod("running").Requests("cpu=3,memory=5,example.com/gpu=1").Info(words_);
  std::shared_ptr<const PodInfo> other_ = MakePod("other").Requests("cpu=1").Info(words_);
  std::shared_ptr<const PodInfo> nominated_ =
      MakePod("nominated").Requests("cpu=2,example.com/gpu=4").Info(words_);
  ResourceColumns columns_;
  NodeInfo node_;
};

TEST_F(NodeViewTest, ReadsTheColumns) {
  const NodeView view(node_, columns_);
  EXPECT_FALSE(view.simulated());
  EXPECT_EQ(view.Allocatable(kCpu), 9000);
  EXPECT_EQ(view.Requested(kCpu), 4000);
  EXPECT_EQ(view.Requested(kPods), 2);
  EXPECT_EQ(view.RequestedScalar(gpu_), 1);
  EXPECT_EQ(Names(view), (std::vector<std::string>{"running", "other"}));
}

TEST_F(NodeViewTest, AppliesADeltaWithoutChangingTheColumns) {
  NodeDelta delta(node_);
  delta.Add(nominated_);
  delta.Remove(*running_);
  const NodeView view(node_, columns_, &delta);
  EXPECT_TRUE(view.simulated());
  EXPECT_EQ(view.Requested(kCpu), 3000);
  EXPECT_EQ(view.Requested(kPods), 2);
  EXPECT_EQ(view.RequestedScalar(gpu_), 4);
  EXPECT_EQ(view.NonZeroMilliCpu(), 3000);
  EXPECT_EQ(view.NonZeroMemory(), 2 * kDefaultMemoryRequest);
  EXPECT_EQ(Names(view), (std::vector<std::string>{"other", "nominated"}));
  EXPECT_EQ(NodeView(node_, columns_).Requested(kCpu), 4000);
}

TEST_F(NodeViewTest, RestoredPodCountsAgain) {
  NodeDelta delta(node_);
  delta.Remove(*running_);
  delta.Restore(*running_);
  EXPECT_TRUE(delta.empty());
  const NodeView view(node_, columns_, &delta);
  EXPECT_EQ(view.Requested(kCpu), 4000);
  EXPECT_EQ(view.RequestedScalar(gpu_), 1);
  EXPECT_EQ(Names(view), (std::vector<std::string>{"running", "other"}));
  delta.Remove(*running_);
  EXPECT_EQ(Names(view), std::vector<std::string>{"other"});
}

TEST_F(NodeViewTest, ForEachVisitsAddedAndRemovedPods) {
  NodeDelta delta(node_);
  delta.Add(nominated_);
  delta.Remove(*running_);
  std::vector<std::string> changes;
  delta.ForEach([&](const PodInfo& pod, int sign) {
    changes.push_back((sign > 0 ? "+" : "-") + pod.name());
  });
  EXPECT_EQ(changes, (std::vector<std::string>{"-running", "+nominated"}));
}

TEST_F(NodeViewTest, RemovingAnExcessivePodKeepsOtherRequests) {
  const auto absurd = MakePod("absurd").Requests("cpu=9000000000000000").Info(words_);
  for (int i = 0; i < 2; ++i) {
    node_.pods.push_back(absurd);
    columns_.AddPod(0, *absurd);
  }
  NodeDelta delta(node_);
  delta.Remove(*absurd);
  EXPECT_EQ(NodeView(node_, columns_, &delta).Requested(kCpu), 9000000000000004000);
}

TEST_F(NodeViewTest, EmptyDeltaDoesNotSimulate) {
  const NodeDelta nothing(node_);
  EXPECT_FALSE(NodeView(node_, columns_, &nothing).simulated());
}

}  // namespace
}  // namespace berth::scheduler
