// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/disruption_budgets.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::IsEmpty;
using testing::MakePod;
using ::testing::SizeIs;

api::PodDisruptionBudget Budget(std::string name, std::string namespace_name) {
  api::PodDisruptionBudget budget;
  budget.metadata.name = name;
  budget.metadata.uid = "uid-" + name;
  budget.metadata.namespace_ = std::move(namespace_name);
  budget.spec.selector.emplace().match_labels = {{"app", "web"}};
  return budget;
}

class DisruptionBudgetsTest : public ::testing::Test {
 protected:
  std::span<const DisruptionBudget* const> In(const std::string& name) {
    return cache_.Budgets().In(words_.Find(name));
  }

  Vocabulary words_;
  Cache cache_{words_};
};

TEST_F(DisruptionBudgetsTest, AreFoundByNamespaceUntilRemoved) {
  cache_.PutBudget(Budget("a", "x"));
  cache_.PutBudget(Budget("b", "x"));
  cache_.PutBudget(Budget("c", "y"));
  EXPECT_THAT(In("x"), SizeIs(2));
  EXPECT_THAT(In("y"), SizeIs(1));
  EXPECT_THAT(In("z"), IsEmpty());
  cache_.Remove(ObjectKind::kPodDisruptionBudget, "uid-a");
  cache_.Remove(ObjectKind::kPodDisruptionBudget, "uid-unknown");
  EXPECT_THAT(In("x"), SizeIs(1));
  cache_.Clear(ObjectKind::kPodDisruptionBudget);
  EXPECT_THAT(In("x"), IsEmpty());
  EXPECT_TRUE(cache_.Budgets().empty());
}

TEST_F(DisruptionBudgetsTest, KeepTheNewestState) {
  api::PodDisruptionBudget budget = Budget("a", "x");
  budget.status.disruptions_allowed = 1;
  cache_.PutBudget(budget);
  EXPECT_EQ(In("x").front()->allowed, 1);
  budget.status.disruptions_allowed = 3;
  budget.status.disrupted_pods = {{"going", Time()}};
  cache_.PutBudget(budget);
  ASSERT_THAT(In("x"), SizeIs(1));
  EXPECT_EQ(In("x").front()->allowed, 3);
  const auto web = [this](const char* name) {
    return MakePod(name).Namespace("x").Label("app", "web").Info(words_);
  };
  EXPECT_TRUE(In("x").front()->CountsFor(*web("p")));
  EXPECT_FALSE(In("x").front()->CountsFor(*web("going")));
  budget.spec.selector.reset();
  cache_.PutBudget(budget);
  EXPECT_THAT(In("x"), IsEmpty()) << "a budget that selects no pods is not stored";
}

TEST_F(DisruptionBudgetsTest, EmptySelectorCountsAllPodsOfTheNamespace) {
  api::PodDisruptionBudget budget = Budget("a", "x");
  budget.spec.selector = api::LabelSelector();
  cache_.PutBudget(budget);
  ASSERT_THAT(In("x"), SizeIs(1));
  EXPECT_TRUE(In("x").front()->CountsFor(*MakePod("p").Namespace("x").Info(words_)));
  const auto web = MakePod("q").Namespace("x").Label("app", "web").Info(words_);
  EXPECT_TRUE(In("x").front()->CountsFor(*web));
}

TEST(LowestPriority, IsTheLowestOfTheCurrentPods) {
  Vocabulary words;
  Cache cache(words);
  const auto add = [&](const char* name, int32_t priority) {
    cache.AddPod(*MakePod(name).OnNode("n").Priority(priority).Build());
  };
  cache.AddNode(testing::MakeNode("n").Build());
  const NodeInfo& node = cache.At(cache.Find("n"));
  EXPECT_GT(node.lowest_priority.value, 2'000'000'000) << "there are no pods";
  add("a", 5);
  add("b", 3);
  add("c", 3);
  EXPECT_EQ(node.lowest_priority.value, 3);
  cache.RemovePod("uid-b");
  EXPECT_EQ(node.lowest_priority.value, 3);
  cache.RemovePod("uid-c");
  EXPECT_EQ(node.lowest_priority.value, 5);
  cache.UpdatePod(*MakePod("a").OnNode("n").Priority(-1).Build());
  EXPECT_EQ(node.lowest_priority.value, -1) << "the pod changed";
  cache.RemovePod("uid-a");
  EXPECT_GT(node.lowest_priority.value, 2'000'000'000);
}

}  // namespace
}  // namespace berth::scheduler
