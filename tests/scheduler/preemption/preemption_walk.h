// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth::scheduler::testing {

// PreemptionWalk counts the results of random clusters.
struct PreemptionWalk {
  uint64_t attempts = 0;     // pods that fit on no node
  uint64_t preemptions = 0;  // attempts that found a node
  uint64_t unique = 0;       // preemptions in which no other node was equally good
};

// Tries a pod on `runs` random full clusters, alternating pdb: Prefer and Respect, and compares the
// result with a reference. The reference simulates nothing: it rebuilds each hypothetical cluster
// and follows upstream's rules literally. Returns the first difference, and statistics in `walk`.
std::optional<std::string> WalkPreemptions(uint64_t seed, uint64_t runs, PreemptionWalk& walk);

}  // namespace berth::scheduler::testing
