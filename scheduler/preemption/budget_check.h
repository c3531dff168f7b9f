// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "scheduler/model/disruption_budgets.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// SplitPods is some pods, each group in the order of before.
struct SplitPods {
  PodList violating;  // going beyond what a budget allows
  PodList others;
};

// SplitByBudgets takes the pods away in their order, each at the expense of all budgets that count
// it. What a gang can do without is a budget, too. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go,
// filterPodsWithPDBViolation.
SplitPods SplitByBudgets(PodList pods, const Snapshot& snapshot);

// IsWithinBudgets says whether all of them may go together, gangs aside.
bool IsWithinBudgets(std::span<const std::shared_ptr<const PodInfo>> pods,
                     const DisruptionBudgets& budgets);

}  // namespace berth::scheduler
