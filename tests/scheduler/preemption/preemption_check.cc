// SPDX-License-Identifier: Apache-2.0
// preemption_check preempts on random clusters and compares each victim with a reference. It is the
// long run of preemption_walk_test.cc, and it replays differences.
#include <iostream>

#include "base/flags.h"
#include "tests/scheduler/preemption/preemption_walk.h"

int main(int argc, char** argv) {
  using berth::scheduler::testing::PreemptionWalk;
  uint64_t seed = 1;
  uint64_t runs = 10'000;
  const berth::Reading reading = berth::ReadFlags(
      {.name = "preemption_check",
       .help = "Compares victims and nominated nodes with a reference, on random clusters.",
       .flags = {{.name = "--seed", .target = &seed, .help = "Seed of the first run"},
                 {.name = "--runs",
                  .target = &runs,
                  .help = "Runs, each on a cluster of its own"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  PreemptionWalk walk;
  const auto difference = berth::scheduler::testing::WalkPreemptions(seed, runs, walk);
  if (difference) std::cout << "DIFFERENCE seed " << seed << ", " << *difference << std::endl;
  std::cout << "seed " << seed << ": " << runs << " runs, " << walk.attempts
            << " pods that fit on no node, " << walk.preemptions << " preemptions, of which "
            << walk.unique << " had one best node, " << (difference ? 1 : 0)
            << " with a difference\n";
  return difference ? 1 : 0;
}
