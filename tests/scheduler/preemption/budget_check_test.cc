// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/budget_check.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using testing::MakeBudget;
using testing::MakePod;

// SplitOf is the two groups of pods "a", "b" and so on, all with the label app=x: "b|a c".
class BudgetCheckTest : public ::testing::Test {
 protected:
  std::string SplitOf(size_t count) {
    PodList pods;
    for (size_t i = 0; i < count; ++i) {
      pods.push_back(
          MakePod(std::string(1, static_cast<char>('a' + i))).Label("app", "x").Info(words_));
    }
    return Text(SplitByBudgets(std::move(pods), budgets_));
  }

  static std::string Text(const SplitPods& split) {
    std::string text;
    for (const auto& pod : split.violating) text += pod->name();
    text += "|";
    for (const auto& pod : split.others) text += pod->name();
    return text;
  }

  Vocabulary words_;
  DisruptionBudgets budgets_{words_};
};

TEST_F(BudgetCheckTest, WithoutABudgetNothingIsViolated) { EXPECT_EQ(SplitOf(3), "|abc"); }

TEST_F(BudgetCheckTest, ABudgetLetsAsManyGoAsItAllowsInTheirOrder) {
  budgets_.Put(MakeBudget("b", "x", 2));
  EXPECT_EQ(SplitOf(4), "cd|ab");
  budgets_.Put(MakeBudget("b", "x", 0));
  EXPECT_EQ(SplitOf(2), "ab|") << "the newest state counts";
}

TEST_F(BudgetCheckTest, APodThatWasGrantedItsEvictionIsCountedAlready) {
  budgets_.Put(MakeBudget("b", "x", 1, {"a", "c"}));
  EXPECT_EQ(SplitOf(4), "d|abc");
}

TEST_F(BudgetCheckTest, EveryBudgetThatSelectsAPodPaysForIt) {
  budgets_.Put(MakeBudget("one", "x", 1));
  budgets_.Put(MakeBudget("two", "x", 3));
  EXPECT_EQ(SplitOf(4), "bcd|a");
  budgets_.Remove("uid-one");
  EXPECT_EQ(SplitOf(4), "d|abc");
}

TEST_F(BudgetCheckTest, OnlyBudgetsOfTheNamespaceThatSelectSomethingCount) {
  api::PodDisruptionBudget elsewhere = MakeBudget("elsewhere", "x", 0);
  elsewhere.metadata.namespace_ = "other";
  api::PodDisruptionBudget all = MakeBudget("all", "x", 0);
  all.spec.selector = api::LabelSelector();
  api::PodDisruptionBudget none = MakeBudget("none", "x", 0);
  none.spec.selector.reset();
  api::PodDisruptionBudget broken = MakeBudget("broken", "x", 0);
  broken.spec.selector->match_expressions = {{.key = "app", .op = "Like"}};
  for (const auto& budget : {elsewhere, all, none, broken}) budgets_.Put(budget);
  EXPECT_EQ(SplitOf(2), "|ab");
}

TEST_F(BudgetCheckTest, APodWithoutLabelsIsSelectedByNone) {
  api::PodDisruptionBudget absent = MakeBudget("b", "x", 0);
  absent.spec.selector->match_labels.clear();
  absent.spec.selector->match_expressions = {{.key = "app", .op = "DoesNotExist"}};
  budgets_.Put(absent);
  EXPECT_EQ(Text(SplitByBudgets({MakePod("a").Info(words_)}, budgets_)), "|a");
  EXPECT_EQ(Text(SplitByBudgets({MakePod("b").Label("tier", "y").Info(words_)}, budgets_)), "b|");
}

TEST_F(BudgetCheckTest, AreWithinBudgetsWhenAllMayGoTogether) {
  budgets_.Put(MakeBudget("b", "x", 1));
  const auto pod = [this](const char* name) {
    return MakePod(name).Label("app", "x").Info(words_);
  };
  EXPECT_TRUE(IsWithinBudgets(PodList{pod("a")}, budgets_));
  EXPECT_FALSE(IsWithinBudgets(PodList{pod("a"), pod("b")}, budgets_));
}

}  // namespace
}  // namespace berth::scheduler
