// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth::scheduler::testing {

// PreemptionWalk counts what random clusters came to.
struct PreemptionWalk {
  uint64_t attempts = 0;     // of pods that fit nowhere
  uint64_t preemptions = 0;  // that found a node
  uint64_t unique = 0;       // of them, where no other node was as good
};

// WalkPreemptions tries a pod on `runs` random full clusters, by turns with pdb: Prefer and Respect,
// and compares with a reference that imagines nothing: it builds each cluster it thinks of anew and
// follows the rules word by word. Gives the first difference, and what there was in `walk`.
std::optional<std::string> WalkPreemptions(uint64_t seed, uint64_t runs, PreemptionWalk& walk);

}  // namespace berth::scheduler::testing
