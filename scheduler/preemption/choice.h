// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Returns the candidate with the lowest cost: the fewest violations; then the lowest priority of
// the most important victim; then the smallest sum of priorities, each raised by 2^31 so that more
// victims always cost more; then the fewest victims; then the latest start, where a node's start is
// the earliest one of its victims with the highest priority. Among equals it returns the first,
// while upstream returns any. Source: kube-scheduler
// pkg/scheduler/framework/preemption/preemption.go, pickOneNodeForPreemption. Requires: at least
// one candidate, each with victims.
const Candidate& BestCandidate(std::span<const Candidate> candidates);

}  // namespace berth::scheduler
