// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/qos_sort.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/queue_order.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::ExpectStrictWeakOrder;
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

TEST_F(QOSSortTest, PriorityPrecedesQosClass) {
  const QueuedPod guaranteed = Queued(Guaranteed("g").Priority(1), words_, 1);
  const QueuedPod best_effort = Queued(BestEffort("b").Priority(2), words_, 9);
  EXPECT_TRUE(sort_.Less(best_effort, guaranteed));
  EXPECT_FALSE(sort_.Less(guaranteed, best_effort));
}

TEST_F(QOSSortTest, QosClassPrecedesTime) {
  const QueuedPod guaranteed = Queued(Guaranteed("g"), words_, 9);
  const QueuedPod burstable = Queued(Burstable("u"), words_, 5);
  const QueuedPod best_effort = Queued(BestEffort("b"), words_, 1);
  EXPECT_TRUE(sort_.Less(guaranteed, burstable));
  EXPECT_TRUE(sort_.Less(burstable, best_effort));
  EXPECT_TRUE(sort_.Less(guaranteed, best_effort));
  EXPECT_FALSE(sort_.Less(best_effort, guaranteed));
}

TEST_F(QOSSortTest, OlderPodIsFirstWithEqualClass) {
  const QueuedPod older = Queued(Burstable("older"), words_, 1);
  const QueuedPod newer = Queued(Burstable("newer"), words_, 2);
  EXPECT_TRUE(sort_.Less(older, newer));
  EXPECT_FALSE(sort_.Less(newer, older));
}

// Returns a random pod. Each container and init container has no limits, limits equal to its
// requests, or others. Few distinct priorities and times make ties likely.
QueuedPod RandomPod(std::mt19937& random, Vocabulary& words) {
  static constexpr const char* kAmounts[] = {"", "cpu=1", "cpu=1,memory=1Gi"};
  const auto below = [&random](size_t limit) { return random() % limit; };
  PodBuilder pod = MakePod("p");
  const auto limit = [&](api::Container& container) {
    if (below(4) > 0) container.resources.limits = container.resources.requests;
    if (below(8) == 0) container.resources.limits = ResourcesOf(kAmounts[below(3)]);
  };
  for (size_t i = 0, count = 1 + below(2); i < count; ++i) {
    limit(pod.Requests(kAmounts[below(3)]).raw().spec.containers.back());
  }
  for (size_t i = 0, count = below(4) / 3; i < count; ++i) {
    limit(pod.InitContainer(kAmounts[below(3)]).raw().spec.init_containers.back());
  }
  const int32_t priority = static_cast<int32_t>(below(3)) - 1;
  return Queued(pod.Priority(priority), words, static_cast<int>(below(4)));
}

TEST_F(QOSSortTest, LessIsStrictWeakOrder) {
  std::mt19937 random(1);
  std::vector<QueuedPod> pods;
  std::set<QosClass> classes;
  for (int i = 0; i < 90; ++i) {
    pods.push_back(RandomPod(random, words_));
    classes.insert(pods.back().pod->qos_class());
  }
  EXPECT_EQ(classes.size(), 3u);

  EXPECT_GE(ExpectStrictWeakOrder(sort_, pods), 5u);
}

TEST_F(QOSSortTest, ReplacesDefaultSort) {
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
