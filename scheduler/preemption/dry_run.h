// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "scheduler/framework/interface.h"
#include "scheduler/preemption/budget_check.h"

namespace berth::scheduler {

// DryRun finds the victims on one node after the other, without changing any. Lives for one
// attempt. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode.
class DryRun {
 public:
  DryRun(const PostFilterContext& context, Time now) : context_(context), now_(now) {}

  // Result is a candidate, or why preemption does not help on this node.
  struct Result {
    FilterOutcome rejection;  // fits: there is a candidate
    Candidate candidate;
  };

  // On takes all pods of lower priority away, but those of the pod's own gang, and puts back as
  // many as can stay, first those that a budget would not let go, each group from the most
  // important on. Of a pod that is overdue the room does not count. A candidate without victims is
  // possible: the pod fits as it is.
  Result On(Slot slot) const;

 private:
  PodList PodsThatMayGo(const NodeInfo& node) const;

  const PostFilterContext& context_;
  const Time now_;
};

}  // namespace berth::scheduler
