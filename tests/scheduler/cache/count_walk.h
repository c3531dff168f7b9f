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
  size_t count_bytes =
      size_t{64} << 20;  // memory limit of the counts; a small value forces evictions
};

// Changes a small cluster at random and queries counts in between. Compares each result with a full
// scan over all pods, by text. Returns the first difference with its step.
std::optional<std::string> WalkCounts(const CountWalkOptions& options);

}  // namespace berth::scheduler::testing
