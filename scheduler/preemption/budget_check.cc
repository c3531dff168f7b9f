// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/budget_check.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/model/gang.h"

namespace berth::scheduler {
namespace {

// BudgetCheck tracks the remaining disruptions of budgets and gangs while pods are evicted one
// after another.
class BudgetCheck {
 public:
  explicit BudgetCheck(const DisruptionBudgets& budgets) : budgets_(budgets) {}

  // Reports whether all budgets that count the pod allow its eviction, and its gang if there is
  // one.
  bool Take(const PodInfo& pod, const Gang* gang = nullptr) {
    const bool by_budgets = TakeFromBudgets(pod);
    return TakeFromGang(gang) && by_budgets;
  }

 private:
  struct Left {
    const void* of;
    int64_t count;
  };

  // Budgets after the first violated one are not charged, as upstream.
  bool TakeFromBudgets(const PodInfo& pod) {
    return std::ranges::all_of(
        budgets_.In(pod.namespace_word()), [&](const DisruptionBudget* budget) {
          return !budget->CountsFor(pod) || --LeftOf(budget, budget->allowed) >= 0;
        });
  }

  bool TakeFromGang(const Gang* gang) {
    return gang == nullptr || gang->terms() == nullptr ||
           --LeftOf(gang, static_cast<int64_t>(gang->Spare())) >= 0;
  }

  int64_t& LeftOf(const void* of, int64_t at_first) {
    for (Left& left : left_) {
      if (left.of == of) return left.count;
    }
    return left_.emplace_back(Left{of, at_first}).count;
  }

  const DisruptionBudgets& budgets_;
  std::vector<Left> left_;  // of the budgets and gangs that counted a pod: few
};

}  // namespace

PodsByViolation SplitByBudgets(PodList pods, const Snapshot& snapshot) {
  if (snapshot.Budgets().empty() && !snapshot.HasGangs()) return {{}, std::move(pods)};
  BudgetCheck check(snapshot.Budgets());
  PodsByViolation split;
  for (auto& pod : pods) {
    PodList& group = check.Take(*pod, snapshot.GangOf(*pod)) ? split.others : split.violating;
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
