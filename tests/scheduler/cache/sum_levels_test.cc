// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/sum_levels.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(SumLevels, LowestIsZeroWithoutDomains) {
  SumLevels levels;
  EXPECT_EQ(levels.lowest(), 0u);
  EXPECT_EQ(levels.LowestBut(0), 0u);
  levels.Add(3);
  levels.Remove(3);
  EXPECT_EQ(levels.domains(), 0u);
  EXPECT_EQ(levels.lowest(), 0u);
}

TEST(SumLevels, LowestButLeavesOutOneDomain) {
  SumLevels levels({5, 2, 7});
  EXPECT_EQ(levels.domains(), 3u);
  EXPECT_EQ(levels.lowest(), 2u);
  EXPECT_EQ(levels.LowestBut(2), 5u);
  EXPECT_EQ(levels.LowestBut(7), 2u);
  levels.Add(2);
  EXPECT_EQ(levels.LowestBut(2), 2u) << "another domain has the same sum";
  EXPECT_EQ(SumLevels({4}).LowestBut(4), 0u) << "the only domain";
}

TEST(SumLevels, RaiseAndLowerMoveOneDomain) {
  SumLevels levels({1, 1, 3});
  levels.Raise(1);
  EXPECT_EQ(levels.lowest(), 1u);
  levels.Raise(1);
  EXPECT_EQ(levels.lowest(), 2u) << "2, 2, 3";
  EXPECT_EQ(levels.LowestBut(2), 2u);
  levels.Raise(2);
  EXPECT_EQ(levels.LowestBut(2), 3u) << "2, 3, 3";
  levels.Lower(2);
  EXPECT_EQ(levels.lowest(), 1u);
  levels.Lower(3);
  levels.Lower(2);
  EXPECT_EQ(levels.LowestBut(1), 1u) << "1, 1, 3";
  levels.Lower(1);
  EXPECT_EQ(levels.lowest(), 0u);
  EXPECT_EQ(levels.LowestBut(0), 1u);
  EXPECT_EQ(levels.domains(), 3u);
}

}  // namespace
}  // namespace berth::scheduler
