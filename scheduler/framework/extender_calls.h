// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/extender.h"
#include "scheduler/framework/trace.h"

// What the extenders that are interested in a pod say in one attempt, asked in their order. Nothing
// they say is kept for another pod.
namespace berth::scheduler {

using ExtenderList = std::span<const Extender* const>;

// FilterByExtenders leaves in `nodes`, which are in visiting order, those that all extenders let
// pass; each is asked about what those before it left. Gives why nodes were refused; an extender
// need not say. Errors are those of an extender that may not be ignored. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, findNodesThatPassExtenders.
Result<std::vector<NodeVerdicts::Entry>> FilterByExtenders(ExtenderList extenders,
                                                           const CycleContext& cycle,
                                                           std::vector<Slot>& nodes,
                                                           CycleTrace* trace);

// WeightedScore is the product, or the nearest number that there is: an extender may give any score.
int64_t WeightedScore(int64_t score, int64_t weight);

// ScoreByExtenders asks all at once and adds what they give to totals[i], of nodes[i]: scores up to
// 10, made ones up to 100, times the extender's weight. One that fails gives none. Says of each
// node whether any extender had something to say of it; one that does not score has, of all.
// Source: kube-scheduler pkg/scheduler/schedule_one.go, prioritizeNodes.
std::vector<bool> ScoreByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                   std::span<const Slot> nodes, std::span<int64_t> totals,
                                   CycleTrace* trace);

// ReviewByExtenders leaves the candidates that all extenders let pass, with the victims that they
// name. Errors are those of an extender that may not be ignored. Unlike upstream, an extender may
// name only pods of lower priority as victims. Source: kube-scheduler
// pkg/scheduler/framework/preemption/preemption.go, callExtenders.
Result<std::vector<Candidate>> ReviewByExtenders(ExtenderList extenders, const CycleContext& cycle,
                                                 std::vector<Candidate> candidates);

// BindByExtenders has the first extender that binds do so; where one that may be ignored fails, the
// next. Skip: there is none, or none is left. `done` comes once, on the scheduling thread.
// Requires: the extenders and the cycle live until then. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, extendersBinding.
void BindByExtenders(ExtenderList extenders, const CycleContext& cycle, const NodeRef& node,
                     StatusDone done);

}  // namespace berth::scheduler
