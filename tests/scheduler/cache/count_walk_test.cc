// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/cache/count_walk.h"

#include <gtest/gtest.h>

namespace berth::scheduler::testing {
namespace {

void ExpectNoDifference(const CountWalkOptions& options) {
  const auto difference = WalkCounts(options);
  EXPECT_FALSE(difference.has_value()) << "seed " << options.seed << ", " << *difference;
}

TEST(CountWalk, CountsEqualAFullScan) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ExpectNoDifference({.seed = seed, .steps = 1500, .nodes = 10});
  }
}

TEST(CountWalk, CountsAreEqualAfterEviction) {
  ExpectNoDifference({.seed = 11, .steps = 1500, .nodes = 10, .count_bytes = 1});
  ExpectNoDifference({.seed = 12, .steps = 1500, .nodes = 10, .count_bytes = 20'000});
}

TEST(CountWalk, CountsFollowNodeChangesWithFewPods) {
  for (uint64_t seed = 21; seed <= 24; ++seed) {
    ExpectNoDifference({.seed = seed, .steps = 1000, .nodes = 2});
  }
}

}  // namespace
}  // namespace berth::scheduler::testing
