// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/extender.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/trace.h"
#include "tests/conformance/cluster.h"

namespace berth::conformance {

// NodeSurvey filters and scores every node for a pod. SchedulePod stops at the first feasible node
// without score plugins, and else at percentageOfNodesToScore, so its trace has no verdicts on the
// remaining nodes. NodeSurvey runs the same steps over all nodes, with the cluster's result cache:
// PreFilter, Filter with nominated pods, the extenders, PreScore, Score.
//
// Requires: no SchedulePod of the cluster runs while a NodeSurvey lives; cluster and pod outlive
// it.
class NodeSurvey {
 public:
  NodeSurvey(Cluster& cluster, const scheduler::PendingPod& pod);
  NodeSurvey(const NodeSurvey&) = delete;
  NodeSurvey& operator=(const NodeSurvey&) = delete;

  // Reports a PreFilter failure: then no node has a verdict.
  bool failed() const { return pre_filter_.status.code == scheduler::Code::kError; }
  // Returns the number of nodes that an unlimited search visits: those that PreFilter leaves.
  size_t candidates() const { return candidates_; }
  // Returns the feasible nodes, in snapshot order.
  const std::vector<scheduler::Slot>& feasible() const { return feasible_; }
  // Returns the verdict on a node, with the plugin that rejected it.
  scheduler::Status StatusOf(scheduler::Slot slot) const;
  // Scores the feasible nodes. The trace has no totals if a plugin fails.
  scheduler::CycleTrace Score();

  const scheduler::CycleContext& cycle() const { return cycle_; }

 private:
  void Filter(const scheduler::Nominations& nominated);
  void AskExtenders();

  const scheduler::Profile& profile_;
  scheduler::CycleState state_;
  scheduler::CycleContext cycle_;
  scheduler::Profile::PreFilterOutcome pre_filter_;
  std::optional<scheduler::CachedResults> cached_;  // as in SchedulePod
  scheduler::InterestedExtenders extenders_;
  size_t candidates_ = 0;
  std::vector<scheduler::Slot> feasible_;
  scheduler::NodeVerdicts rejected_;
};

}  // namespace berth::conformance
