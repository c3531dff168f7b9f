// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "scheduler/framework/interface.h"
#include "scheduler/preemption/budget_check.h"

namespace berth::scheduler {

// DryRun finds the victims on a node by simulation, without changing the node. Lives for one
// attempt. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode.
class DryRun {
 public:
  DryRun(const PostFilterContext& context, Time now);

  // Result is a candidate, or the reason why preemption does not help on this node.
  struct Result {
    FilterOutcome rejection;  // fits: there is a candidate
    Candidate candidate;
  };

  // Simulates removing all lower-priority pods except members of the pod's own gang, then reprieves
  // as many as possible: first the pods that violate a budget, in each group the most important
  // first. The room of overdue pods is not counted. Rejects a node where the pod fits without
  // victims.
  Result On(Slot slot) const;

 private:
  PodList PodsThatMayGo(const NodeInfo& node) const;

  const PostFilterContext& context_;
  const Time now_;
  const FilterOutcome no_victims_;  // the rejection of a node without victims
};

}  // namespace berth::scheduler
