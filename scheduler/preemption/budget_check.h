// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "scheduler/model/disruption_budgets.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// PodsByViolation holds two groups of pods, each in the original order.
struct PodsByViolation {
  PodList violating;  // evicting them violates a budget
  PodList others;
};

// Evicts the pods in order (simulated), charging each to the budgets that count it, up to the first
// violated one, in order of their names; upstream's order is random. The surplus members of a gang
// are a budget, too. Source: kube-scheduler pkg/scheduler/framework/preemption/util.go,
// FilterVictimsWithPDBViolation.
PodsByViolation SplitByBudgets(PodList pods, const Snapshot& snapshot);

// Reports whether the budgets allow evicting all pods together. Ignores gangs.
bool IsWithinBudgets(std::span<const std::shared_ptr<const PodInfo>> pods,
                     const DisruptionBudgets& budgets);

}  // namespace berth::scheduler
