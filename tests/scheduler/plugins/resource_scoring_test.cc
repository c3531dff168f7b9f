// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/resource_scoring.h"

#include <limits>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(PiecewiseLinear, InterpolatesAndIsConstantOutside) {
  const PiecewiseLinear f({{10, 100}, {50, 0}, {60, 30}});
  EXPECT_EQ(f.At(0), 100);
  EXPECT_EQ(f.At(10), 100);
  EXPECT_EQ(f.At(20), 75);
  EXPECT_EQ(f.At(49), 3);  // -97.5 is truncated to -97
  EXPECT_EQ(f.At(50), 0);
  EXPECT_EQ(f.At(55), 15);
  EXPECT_EQ(f.At(100), 30);
  EXPECT_EQ(PiecewiseLinear({{50, 40}}).At(3), 40);
}

int64_t StrategyScore(const ScoringStrategy& strategy, std::vector<ResourceScoring::Share> shares) {
  const ResourceScoring scoring(strategy);
  ResourceScoring::Tally tally(scoring);
  for (const auto& share : shares) tally.Add(share);
  return tally.Score();
}

TEST(ResourceScoring, AveragesByWeightAndTruncates) {
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{1, 3, 1}}), 66);
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{0, 10, 1}, {10, 10, 2}}), 33);
  EXPECT_EQ(StrategyScore({.type = "MostAllocated"}, {{0, 10, 1}, {10, 10, 2}}), 66);
}

TEST(ResourceScoring, IgnoresSharesWithoutCapacity) {
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{5, 0, 9}, {5, 10, 1}}), 50);
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{5, 0, 9}}), 0);
  EXPECT_EQ(StrategyScore({.type = "MostAllocated"}, {}), 0);
}

TEST(ResourceScoring, RatioIgnoresZeroRatesAndRounds) {
  const ScoringStrategy ratio{
      .type = "RequestedToCapacityRatio",
      .requested_to_capacity_ratio = RequestedToCapacityRatioParam{{{0, 0}, {100, 10}}}};
  EXPECT_EQ(StrategyScore(ratio, {{0, 10, 3}, {5, 10, 1}}), 50);
  EXPECT_EQ(StrategyScore(ratio, {{50, 100, 1}, {51, 100, 1}}),
            51);  // 50.5 is rounded away from zero
  EXPECT_EQ(StrategyScore(ratio, {{20, 10, 1}}), 100);
  EXPECT_EQ(StrategyScore(ratio, {{0, 10, 1}}), 0);
}

TEST(ResourceScoring, TreatsNegativeAmountsAsZero) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const char* type : {"LeastAllocated", "MostAllocated"}) {
    EXPECT_EQ(StrategyScore({.type = type}, {{kHuge, kLeast, 1}, {kLeast, kLeast, 1}}), 0);
  }
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{kLeast, kHuge, 1}}), 100);
  EXPECT_EQ(StrategyScore({.type = "MostAllocated"}, {{kLeast, kHuge, 1}}), 0);
}

TEST(ResourceScoring, DoesNotOverflow) {
  EXPECT_EQ(StrategyScore({.type = "LeastAllocated"}, {{0, kHuge, 100}}), 100);
  EXPECT_EQ(StrategyScore({.type = "MostAllocated"}, {{kHuge / 2, kHuge, 100}}), 49);
  EXPECT_EQ(StrategyScore({.type = "MostAllocated"}, {{kHuge, 1, 1}}), 100);
}

}  // namespace
}  // namespace berth::scheduler
