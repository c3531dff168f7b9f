// SPDX-License-Identifier: Apache-2.0
// counts_check changes random clusters and compares each count of pods with a full scan over all
// pods. It is the long version of count_walk_test.cc and replays a failing seed.
#include <iostream>

#include "base/flags.h"
#include "tests/scheduler/cache/count_walk.h"

int main(int argc, char** argv) {
  using berth::scheduler::testing::WalkCounts;
  uint64_t seed = 1;
  uint64_t walks = 8;
  uint64_t steps = 12'500;
  uint64_t nodes = 12;
  uint64_t count_bytes = uint64_t{64} << 20;
  const berth::Reading reading = berth::ReadFlags(
      {.name = "counts_check",
       .help = "Compares counts of pods with a full scan over all pods, on random clusters.",
       .flags = {{.name = "--seed", .target = &seed, .help = "Seed of the first walk"},
                 {.name = "--walks",
                  .target = &walks,
                  .help = "Number of walks; each uses the next seed"},
                 {.name = "--steps", .target = &steps, .help = "Steps per walk"},
                 {.name = "--nodes",
                  .target = &nodes,
                  .help = "Nodes per cluster, with up to 12 pods each on average",
                  .range = {{1, 1000}}},
                 {.name = "--count-bytes",
                  .target = &count_bytes,
                  .help = "Memory limit of the counts in bytes; a small value forces evictions"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  int differences = 0;
  for (uint64_t each = seed; each < seed + walks; ++each) {
    const auto difference =
        WalkCounts({.seed = each, .steps = steps, .nodes = nodes, .count_bytes = count_bytes});
    if (!difference) continue;
    ++differences;
    std::cout << "DIFFERENCE seed " << each << ", " << *difference << std::endl;
  }
  std::cout << "seeds " << seed << ".." << seed + walks - 1 << " on " << nodes
            << " nodes: " << walks * steps << " steps, " << differences
            << " walks with a difference\n";
  return differences == 0 ? 0 : 1;
}
