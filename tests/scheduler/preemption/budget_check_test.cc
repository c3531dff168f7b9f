// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/budget_check.h"

#include <string>

#include <gtest/gtest.h>

#include "api/pod_group.h"
#include "scheduler/cache/cache.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using testing::MakeBudget;
using testing::MakePod;

// Returns the two groups of the pods "a", "b" and so on, all with the label app=x: "b|a c".
class BudgetCheckTest : public ::testing::Test {
 protected:
  std::string SplitOf(size_t count) {
    PodList pods;
    for (size_t i = 0; i < count; ++i) {
      pods.push_back(
          MakePod(std::string(1, static_cast<char>('a' + i))).Label("app", "x").Info(words_));
    }
    return Text(SplitByBudgets(std::move(pods), cache_));
  }

  static std::string Text(const PodsByViolation& split) {
    std::string text;
    for (const auto& pod : split.violating) text += pod->name();
    text += "|";
    for (const auto& pod : split.others) text += pod->name();
    return text;
  }

  Vocabulary words_;
  Cache cache_{words_};
};

TEST_F(BudgetCheckTest, NothingIsViolatedWithoutBudgets) { EXPECT_EQ(SplitOf(3), "|abc"); }

TEST_F(BudgetCheckTest, BudgetAllowsTheFirstPodsInOrder) {
  cache_.PutBudget(MakeBudget("b", "x", 2));
  EXPECT_EQ(SplitOf(4), "cd|ab");
  cache_.PutBudget(MakeBudget("b", "x", 0));
  EXPECT_EQ(SplitOf(2), "ab|") << "the newest state counts";
}

TEST_F(BudgetCheckTest, GrantedEvictionIsCountedOnce) {
  cache_.PutBudget(MakeBudget("b", "x", 1, {"a", "c"}));
  EXPECT_EQ(SplitOf(4), "d|abc");
}

TEST_F(BudgetCheckTest, EveryMatchingBudgetIsCharged) {
  cache_.PutBudget(MakeBudget("one", "x", 1));
  cache_.PutBudget(MakeBudget("two", "x", 3));
  EXPECT_EQ(SplitOf(4), "bcd|a");
  cache_.Remove(ObjectKind::kPodDisruptionBudget, "uid-one");
  EXPECT_EQ(SplitOf(4), "d|abc");
}

TEST_F(BudgetCheckTest, BudgetsAfterAViolatedOneAreNotCharged) {
  cache_.PutBudget(MakeBudget("one", "x", 0));
  cache_.PutBudget(MakeBudget("all", "x", 5));
  api::PodDisruptionBudget two = MakeBudget("two", "x", 1);
  two.spec.selector->match_labels = {{"tier", "y"}};
  cache_.PutBudget(two);
  const auto with_both = MakePod("a").Label("app", "x").Label("tier", "y").Info(words_);
  const auto with_one = MakePod("b").Label("tier", "y").Info(words_);
  EXPECT_EQ(Text(SplitByBudgets({with_both, with_one}, cache_)), "a|b");
  cache_.PutBudget(MakeBudget("one", "x", 1));
  EXPECT_EQ(Text(SplitByBudgets({with_both, with_one}, cache_)), "b|a")
      << "in order of the budgets' names";
}

TEST_F(BudgetCheckTest, OnlyBudgetsOfTheNamespaceWithAValidSelectorCount) {
  api::PodDisruptionBudget elsewhere = MakeBudget("elsewhere", "x", 0);
  elsewhere.metadata.namespace_ = "other";
  api::PodDisruptionBudget none = MakeBudget("none", "x", 0);
  none.spec.selector.reset();
  api::PodDisruptionBudget broken = MakeBudget("broken", "x", 0);
  broken.spec.selector->match_expressions = {{.key = "app", .op = "Like"}};
  for (const auto& budget : {elsewhere, none, broken}) cache_.PutBudget(budget);
  EXPECT_EQ(SplitOf(2), "|ab");
}

TEST_F(BudgetCheckTest, EmptySelectorSelectsAllPodsOfTheNamespace) {
  api::PodDisruptionBudget all = MakeBudget("all", "x", 1);
  all.spec.selector = api::LabelSelector();
  cache_.PutBudget(all);
  EXPECT_EQ(SplitOf(2), "b|a");
  EXPECT_EQ(Text(SplitByBudgets({MakePod("a").Info(words_), MakePod("b").Info(words_)}, cache_)),
            "b|a")
      << "without labels";
}

TEST_F(BudgetCheckTest, PodWithoutLabelsMatchesASelectorThatRequiresNone) {
  api::PodDisruptionBudget absent = MakeBudget("b", "x", 0);
  absent.spec.selector->match_labels.clear();
  absent.spec.selector->match_expressions = {{.key = "app", .op = "DoesNotExist"}};
  cache_.PutBudget(absent);
  EXPECT_EQ(Text(SplitByBudgets({MakePod("a").Info(words_)}, cache_)), "a|");
  EXPECT_EQ(Text(SplitByBudgets({MakePod("b").Label("tier", "y").Info(words_)}, cache_)), "b|");
}

TEST_F(BudgetCheckTest, GangAllowsItsSurplusMembers) {
  api::PodGroup group;
  group.metadata.namespace_ = "default";
  group.metadata.name = "g";
  group.metadata.uid = "group";
  group.spec.min_member = 2;
  cache_.PutPodGroup(group);
  PodList pods;
  for (const char* name : {"a", "b", "c"}) {
    const auto pod = MakePod(name).Label(std::string(api::kPodGroupLabel), "g").OnNode("n").Build();
    pods.push_back(cache_.AddPod(*pod));
  }
  EXPECT_EQ(Text(SplitByBudgets(pods, cache_)), "bc|a");
  group.spec.min_member = 4;
  cache_.PutPodGroup(group);
  EXPECT_EQ(Text(SplitByBudgets(pods, cache_)), "abc|");
  cache_.RemovePodGroup("group");
  EXPECT_EQ(Text(SplitByBudgets(pods, cache_)), "|abc")
      << "without a PodGroup, minMember is unknown";
}

TEST_F(BudgetCheckTest, ChecksAllPodsTogether) {
  cache_.PutBudget(MakeBudget("b", "x", 1));
  const auto pod = [this](const char* name) {
    return MakePod(name).Label("app", "x").Info(words_);
  };
  EXPECT_TRUE(IsWithinBudgets(PodList{pod("a")}, cache_.Budgets()));
  EXPECT_FALSE(IsWithinBudgets(PodList{pod("a"), pod("b")}, cache_.Budgets()));
}

}  // namespace
}  // namespace berth::scheduler
