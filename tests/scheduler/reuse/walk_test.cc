// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/walk.h"

#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/reuse/scripted_plugins.h"

namespace berth::scheduler::testing {
namespace {

struct Share {
  uint64_t seed;
  size_t steps;
  size_t nodes;
};

// A seeded part of the long run, `make random-checks CHECK=reuse`.
constexpr Share kShares[] = {{1, 1000, 500},
                             {2, 1000, 500},
                             {3, 500, 500},
                             {4, 500, 500},
                             {5, 1000, 150},
                             {6, 1000, 150},
                             {7, 1000, 150},
                             {8, 1000, 150},
                             {9, 250, 2000},
                             // In a small cluster every node may change between two decisions.
                             {10, 5000, 40},
                             {11, 5000, 40},
                             {12, 5000, 40}};

class ResultCacheWalk : public ::testing::TestWithParam<Share> {
 public:
  static void TearDownTestSuite() {
    size_t steps = 0;
    for (const Share& share : kShares) steps += share.steps;
    std::cout << "left out: the 600,000 steps of make random-checks CHECK=reuse; this test runs "
              << steps << " of seeds 1 to " << std::size(kShares) << "\n";
  }
};

TEST_P(ResultCacheWalk, DecisionsAreEqualWithAndWithoutTheCache) {
  const Share share = GetParam();
  const WalkOptions options = OptionsOf(share.seed, share.steps, share.nodes);
  const WalkReport report = Walk(options);
  std::cout << Summary(options, report) << "\n";
  EXPECT_FALSE(report.difference) << *report.difference;

  // The walk is meaningful: results were cached and evicted, and decisions had all outcomes.
  EXPECT_GT(report.result_cache.kept, report.result_cache.computed / 2);
  EXPECT_GT(report.placed, report.decisions / 5);
  EXPECT_GT(report.unschedulable, report.decisions / 50);
  if (share.steps >= 1000 && options.seed % 2 != 0 && !options.has_extenders) {
    EXPECT_GT(report.shared_rejections, 0u);
  }
  if (options.seed % 2 == 0) {
    EXPECT_GT(report.errors, 0u) << "scripted plugins fail and throw";
  }
  if (options.has_extenders) {
    EXPECT_GT(report.extender_calls, report.decisions / 4);
  }
  if (options.result_cache_bytes < ResultCache::kDefaultBytes && options.nodes >= 500) {
    EXPECT_GT(report.result_cache.evictions, 0u);
  }
  EXPECT_LE(report.result_cache.bytes, options.result_cache_bytes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ResultCacheWalk, ::testing::ValuesIn(kShares),
                         [](const auto& share) {
                           return "Seed" + std::to_string(share.param.seed);
                         });

// The walk can fail: it detects a plugin that violates the rules.
class LyingPlugin : public ::testing::TestWithParam<Lie> {};

TEST_P(LyingPlugin, IsDetected) {
  WalkOptions options = OptionsOf(/*seed=*/2, /*steps=*/3000, /*nodes=*/60);
  const WalkReport honest = Walk(options);
  EXPECT_FALSE(honest.difference) << *honest.difference;

  options.plugins = [](const Facts& facts) { return WithLiar(facts, GetParam()); };
  const WalkReport report = Walk(options);
  EXPECT_TRUE(report.difference) << "no difference in " << report.decisions << " decisions";
}

INSTANTIATE_TEST_SUITE_P(Lies, LyingPlugin,
                         ::testing::Values(Lie::kFilterEpoch, Lie::kFilterKey, Lie::kScoreEpoch,
                                           Lie::kScoreKey));

TEST(Walk, IsDeterministic) {
  const WalkOptions options = OptionsOf(/*seed=*/2, /*steps=*/300, /*nodes=*/30);
  const WalkReport first = Walk(options);
  const WalkReport second = Walk(options);
  EXPECT_EQ(Summary(options, first), Summary(options, second));
}

}  // namespace
}  // namespace berth::scheduler::testing
