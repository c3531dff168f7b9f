// SPDX-License-Identifier: Apache-2.0
// reuse_check changes random clusters and compares each decision made with the result cache with
// the same decision computed. It is the long version of walk_test.cc and replays a failing seed.
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "base/flags.h"
#include "tests/scheduler/reuse/walk.h"

namespace {

using berth::scheduler::testing::OptionsOf;
using berth::scheduler::testing::Summary;
using berth::scheduler::testing::Walk;

struct SeedRange {
  uint64_t first = 1;
  uint64_t last = 1;
};

bool ReadNumber(std::string_view text, uint64_t& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size();
}

// Parses "3" or "1..8".
std::optional<SeedRange> ReadSeeds(std::string_view text) {
  SeedRange seeds;
  const size_t dots = text.find("..");
  if (!ReadNumber(text.substr(0, dots), seeds.first)) return std::nullopt;
  seeds.last = seeds.first;
  if (dots != std::string_view::npos && !ReadNumber(text.substr(dots + 2), seeds.last)) {
    return std::nullopt;
  }
  return seeds.first <= seeds.last ? std::optional(seeds) : std::nullopt;
}

int Run(const SeedRange& seeds, size_t steps, size_t nodes) {
  size_t decisions = 0;
  size_t differences = 0;
  size_t taken = 0;
  for (uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const auto options = OptionsOf(seed, steps, nodes);
    const auto report = Walk(options);
    std::cout << Summary(options, report) << std::endl;
    if (report.difference) std::cout << "DIFFERENCE " << *report.difference << std::endl;
    decisions += report.decisions;
    taken += report.steps;
    differences += report.difference ? 1 : 0;
  }
  std::cout << "seeds " << seeds.first << ".." << seeds.last << " on " << nodes
            << " nodes: " << taken << " steps, " << decisions << " decisions, " << differences
            << " walks with a difference\n";
  return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string seeds = "1..8";
  uint64_t steps = 25000;
  uint64_t nodes = 500;
  const berth::Reading reading = berth::ReadFlags(
      {.name = "reuse_check",
       .help = "Compares decisions with and without the result cache on random clusters.",
       .flags = {{.name = "--seeds",
                  .target = &seeds,
                  .help = "Seeds of the walks: a number, or a range A..B"},
                 {.name = "--steps",
                  .target = &steps,
                  .help = "Steps per walk; about half of them are decisions"},
                 {.name = "--nodes",
                  .target = &nodes,
                  .help = "Nodes per cluster",
                  .range = {{1, 100000}}}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const auto range = ReadSeeds(seeds);
  if (!range) {
    std::cerr << "reuse_check: --seeds " << seeds
              << ": must be a number or a range A..B with A <= B\n";
    return 1;
  }
  return Run(*range, steps, nodes);
}
