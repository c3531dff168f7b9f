// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"
#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// BudgetPolicy defines how preemption treats PodDisruptionBudgets.
enum class BudgetPolicy : uint8_t {
  kPrefer,   // prefers nodes without violations; violates a budget if there is no other node
  kRespect,  // never violates a budget
};

// PreemptionOptions are the arguments of DefaultPreemption.
struct PreemptionOptions {
  int32_t min_candidate_nodes_percentage = 10;
  int32_t min_candidate_nodes_absolute = 100;
  BudgetPolicy budgets = BudgetPolicy::kPrefer;
};

// Returns the number of candidates after which the dry run may stop; `nodes` is the number of nodes
// to try. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, calculateNumCandidates.
size_t CandidatesWanted(size_t nodes, const PreemptionOptions& options);

// Finds the node where preemption costs least, starts the eviction of its victims, and nominates
// the pod to it. Rejections: the pod may not preempt (the nomination is kept), or preemption helps
// on no node (the nomination is cleared). Does not wait for overdue victims (overdue.h). Source:
// kube-scheduler pkg/scheduler/framework/preemption/preemption.go, Preempt.
PostFilterResult Preempt(PostFilterContext& context, const PreemptionOptions& options, Time now);

}  // namespace berth::scheduler
