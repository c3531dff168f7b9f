// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace berth::scheduler::testing {

struct CountWalkOptions {
  uint64_t seed = 1;
  size_t steps = 1000;
  size_t nodes = 8;
  size_t count_bytes = size_t{64} << 20;  // what counts may take; few, so that they are dropped
};

// WalkCounts lets a small cluster change at random, and asks for counts in between. Each answer is
// compared with a walk over all pods, by texts. Gives the first difference, with its step.
std::optional<std::string> WalkCounts(const CountWalkOptions& options);

}  // namespace berth::scheduler::testing
