// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/budget_check.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth::scheduler {
namespace {

// BudgetCheck is what the budgets still allow while pods are taken away one after another.
class BudgetCheck {
 public:
  explicit BudgetCheck(const DisruptionBudgets& budgets) : budgets_(budgets) {}

  // Take says whether every budget that counts the pod allowed it.
  bool Take(const PodInfo& pod) {
    bool allowed = true;
    for (const DisruptionBudget* budget : budgets_.In(pod.namespace_word())) {
      if (budget->CountsFor(pod) && --LeftOf(*budget) < 0) allowed = false;
    }
    return allowed;
  }

 private:
  struct Left {
    const DisruptionBudget* budget;
    int64_t count;
  };

  int64_t& LeftOf(const DisruptionBudget& budget) {
    for (Left& left : left_) {
      if (left.budget == &budget) return left.count;
    }
    return left_.emplace_back(Left{&budget, budget.allowed}).count;
  }

  const DisruptionBudgets& budgets_;
  std::vector<Left> left_;  // of those that counted a pod: few
};

}  // namespace

SplitPods SplitByBudgets(PodList pods, const DisruptionBudgets& budgets) {
  if (budgets.empty()) return {{}, std::move(pods)};
  BudgetCheck check(budgets);
  SplitPods split;
  for (auto& pod : pods) {
    PodList& group = check.Take(*pod) ? split.others : split.violating;
    group.push_back(std::move(pod));
  }
  return split;
}

bool IsWithinBudgets(std::span<const std::shared_ptr<const PodInfo>> pods,
                     const DisruptionBudgets& budgets) {
  if (budgets.empty()) return true;
  BudgetCheck check(budgets);
  return std::ranges::all_of(pods, [&check](const auto& pod) { return check.Take(*pod); });
}

}  // namespace berth::scheduler
