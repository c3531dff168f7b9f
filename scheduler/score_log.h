// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/trace.h"

namespace berth::scheduler {

// Verbosity at which the scores of each attempt are logged; kube-scheduler logs them at 10.
inline constexpr int kScoreVerbosity = 5;

// Logs how the node of an attempt was chosen, in order of computation: a line for each plugin and
// feasible node with the raw score, the normalized score (0 to 100), the weight and their product;
// a line for each extender and node; then the total of each node. Messages are those of
// kube-scheduler. The key `score` is always the contribution to the total. If only one node fits,
// no node is scored, and one line reports it. An attempt without a node logs nothing. Source:
// kube-scheduler pkg/scheduler/schedule_one.go, prioritizeNodes. Requires: the snapshot has not
// changed since the attempt.
void LogScores(const AlgorithmInput& input, const Outcome& outcome, const CycleTrace& trace);

}  // namespace berth::scheduler
