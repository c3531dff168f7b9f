// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// BestCandidate is the one that costs least: the fewest violations; the lowest priority of its most
// important victim; the smallest sum of priorities, each raised by 2^31 so that more victims always
// cost more; the fewest victims; and the latest start, a node's being the earliest among its
// victims of the highest priority. Of equals the first, where upstream takes any. Source:
// kube-scheduler pkg/scheduler/framework/preemption/preemption.go, pickOneNodeForPreemption.
// Requires: there is one, and each has victims.
const Candidate& BestCandidate(std::span<const Candidate> candidates);

}  // namespace berth::scheduler
