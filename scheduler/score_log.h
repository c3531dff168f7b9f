// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/trace.h"

namespace berth::scheduler {

// The verbosity from which the scores of each attempt are logged; kube-scheduler logs them at 10.
inline constexpr int kScoreVerbosity = 5;

// LogScores writes how the node of an attempt was chosen, in the order in which it was found out: a
// line for each plugin and node that fits, with the raw score, the score from 0 to 100 that was made
// of it, the weight and their product; one for each extender and node; then what the node has
// altogether. The messages are kube-scheduler's, and `score` is in each of them what counts towards
// the total. Where one node fits, none is scored, and one line says so. Nothing of an attempt that
// found no node. Source: kube-scheduler pkg/scheduler/schedule_one.go, prioritizeNodes.
// Requires: the snapshot is as the attempt saw it.
void LogScores(const AlgorithmInput& input, const Outcome& outcome, const CycleTrace& trace);

}  // namespace berth::scheduler
