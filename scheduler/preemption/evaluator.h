// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"
#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// BudgetPolicy is what a PodDisruptionBudget means to preemption.
enum class BudgetPolicy : uint8_t {
  kPrefer,   // nodes where none is violated come first; one is violated where there is no other way
  kRespect,  // none is ever violated
};

// PreemptionOptions are the arguments of DefaultPreemption.
struct PreemptionOptions {
  int32_t min_candidate_nodes_percentage = 10;
  int32_t min_candidate_nodes_absolute = 100;
  BudgetPolicy budgets = BudgetPolicy::kPrefer;
};

// CandidatesWanted is after how many candidates, of `nodes` that are worth a try, the dry run may
// end. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, calculateNumCandidates.
size_t CandidatesWanted(size_t nodes, const PreemptionOptions& options);

// Preempt looks for the node where the pod fits at the least cost to others, has its victims
// evicted, and nominates the pod to it. Refusals: the pod may not preempt (the nomination stays),
// or it helps nowhere (the nomination goes). A victim that is overdue (overdue.h) is not waited
// for. Source: kube-scheduler pkg/scheduler/framework/preemption/preemption.go, Preempt.
PostFilterResult Preempt(PostFilterContext& context, const PreemptionOptions& options, Time now);

}  // namespace berth::scheduler
