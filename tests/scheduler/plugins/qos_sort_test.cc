// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/qos_sort.h"

#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;
using testing::Queued;
using testing::ResourcesOf;
using testing::TestCluster;

PodBuilder Guaranteed(std::string name) {
  PodBuilder pod = MakePod(std::move(name)).Requests("cpu=1,memory=1Gi");
  pod.raw().spec.containers.back().resources.limits = ResourcesOf("cpu=1,memory=1Gi");
  return pod;
}
PodBuilder Burstable(std::string name) { return MakePod(std::move(name)).Requests("cpu=1"); }
PodBuilder BestEffort(std::string name) { return MakePod(std::move(name)).Requests(""); }

class QOSSortTest : public ::testing::Test {
 protected:
  Vocabulary words_;
  QOSSort sort_;
};

TEST_F(QOSSortTest, PriorityBeatsTheClass) {
  const QueuedPod guaranteed = Queued(Guaranteed("g").Priority(1), words_, 1);
  const QueuedPod best_effort = Queued(BestEffort("b").Priority(2), words_, 9);
  EXPECT_TRUE(sort_.Less(best_effort, guaranteed));
  EXPECT_FALSE(sort_.Less(guaranteed, best_effort));
}

TEST_F(QOSSortTest, TheClassBeatsTheTime) {
  const QueuedPod guaranteed = Queued(Guaranteed("g"), words_, 9);
  const QueuedPod burstable = Queued(Burstable("u"), words_, 5);
  const QueuedPod best_effort = Queued(BestEffort("b"), words_, 1);
  EXPECT_TRUE(sort_.Less(guaranteed, burstable));
  EXPECT_TRUE(sort_.Less(burstable, best_effort));
  EXPECT_TRUE(sort_.Less(guaranteed, best_effort));
  EXPECT_FALSE(sort_.Less(best_effort, guaranteed));
}

TEST_F(QOSSortTest, TheOlderOfEqualsGoesFirst) {
  const QueuedPod older = Queued(Burstable("older"), words_, 1);
  const QueuedPod newer = Queued(Burstable("newer"), words_, 2);
  EXPECT_TRUE(sort_.Less(older, newer));
  EXPECT_FALSE(sort_.Less(newer, older));
}

// Less, and its absence both ways, order pods as a strict weak order demands: nothing precedes
// itself, no two precede each other, and both "before" and "equal" are transitive.
TEST_F(QOSSortTest, IsAStrictWeakOrder) {
  std::vector<QueuedPod> pods;
  for (const int32_t priority : {0, 7}) {
    for (const int seconds : {1, 2}) {
      pods.push_back(Queued(Guaranteed("g").Priority(priority), words_, seconds));
      pods.push_back(Queued(Burstable("u").Priority(priority), words_, seconds));
      pods.push_back(Queued(BestEffort("b").Priority(priority), words_, seconds));
      pods.push_back(Queued(Burstable("v").Priority(priority), words_, seconds));
    }
  }
  const auto equal = [&](const QueuedPod& a, const QueuedPod& b) {
    return !sort_.Less(a, b) && !sort_.Less(b, a);
  };
  for (const QueuedPod& a : pods) {
    EXPECT_TRUE(equal(a, a));
    for (const QueuedPod& b : pods) {
      EXPECT_FALSE(sort_.Less(a, b) && sort_.Less(b, a));
      for (const QueuedPod& c : pods) {
        EXPECT_TRUE(!sort_.Less(a, b) || !sort_.Less(b, c) || sort_.Less(a, c));
        EXPECT_TRUE(!equal(a, b) || !equal(b, c) || equal(a, c));
      }
    }
  }
}

TEST_F(QOSSortTest, TakesThePlaceOfTheDefaultSort) {
  TestCluster cluster;
  api::KubeSchedulerProfile spec;
  spec.plugins.queue_sort.disabled = {{"PrioritySort"}};
  spec.plugins.queue_sort.enabled = {{"QOSSort"}};
  const auto profile = Profile::Create(spec, 0, MakeRegistry(), cluster.handle());
  ASSERT_TRUE(profile) << profile.error().message();
  const auto sorts = (*profile)->PluginsAt(ExtensionPoint::kQueueSort);
  ASSERT_EQ(sorts.size(), 1u);
  EXPECT_EQ(sorts.front().name, "QOSSort");
}

}  // namespace
}  // namespace berth::scheduler
