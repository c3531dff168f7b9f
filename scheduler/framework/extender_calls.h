// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/extender.h"
#include "scheduler/framework/trace.h"

// Calls the extenders interested in a pod, in order, and applies their answers. No answer is
// cached.
namespace berth::scheduler {

using ExtenderList = std::span<const Extender* const>;

// Removes from `nodes`, which are in visiting order, those that an extender rejects; each extender
// gets the nodes left by the one before. Returns the rejections with their reasons; an extender may
// reject a node without one. Returns an error if an extender fails that is not ignorable. Source:
// kube-scheduler pkg/scheduler/schedule_one.go, findNodesThatPassExtenders.
Result<std::vector<NodeVerdicts::Entry>> FilterByExtenders(ExtenderList extenders,
                                                           const CycleContext& cycle,
                                                           std::vector<Slot>& nodes,
                                                           CycleTrace* trace);

// Returns score * weight, saturating: an extender may return any score.
int64_t WeightedScore(int64_t score, int64_t weight);

// Calls all extenders at once and adds their scores to totals[i], the total of nodes[i]. A score of
// up to 10 is scaled to up to 100 and multiplied by the extender's weight. A failed extender adds
// nothing. Returns for each node whether any extender scored it; an extender without a prioritize
// verb counts as having scored all nodes. Source: kube-scheduler pkg/scheduler/schedule_one.go,
// prioritizeNodes.
std::vector<bool> ScoreByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                   std::span<const Slot> nodes, std::span<int64_t> totals,
                                   CycleTrace* trace);

// Returns the candidates that all extenders accept, with the victims that they return. Returns an
// error if an extender fails that is not ignorable. Unlike upstream, an extender may return only
// victims of lower priority than the pod. Source: kube-scheduler
// pkg/scheduler/framework/preemption/preemption.go, callExtenders.
Result<std::vector<Candidate>> ReviewByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                                 std::vector<Candidate> candidates);

// Binds the pod through the first extender with a bind verb; if it fails and is ignorable, through
// the next one. Skip: no such extender is left. Calls `done` once, on the scheduling thread.
// Requires: the extenders and the cycle live until then. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, extendersBinding.
void BindByExtenders(ExtenderList extenders, const CycleContext& cycle, const NodeRef& node,
                     StatusDone done);

}  // namespace berth::scheduler
