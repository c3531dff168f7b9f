// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/normalize.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using Scores = std::vector<int64_t>;

Scores ByMax(Scores scores, Direction direction) {
  NormalizeByMax(scores, direction);
  return scores;
}

Scores ByRange(Scores scores) {
  NormalizeByRange(scores);
  return scores;
}

TEST(NormalizeByMax, ScalesByTheHighestAndTruncates) {
  EXPECT_THAT(ByMax({0, 1, 2, 3}, Direction::kHighestIsBest), ElementsAre(0, 33, 66, 100));
  EXPECT_THAT(ByMax({0, 1, 2, 3}, Direction::kLowestIsBest), ElementsAre(100, 67, 34, 0));
}

TEST(NormalizeByMax, AllZeroStaysZeroUnlessReversed) {
  EXPECT_THAT(ByMax({0, 0}, Direction::kHighestIsBest), ElementsAre(0, 0));
  EXPECT_THAT(ByMax({0, 0}, Direction::kLowestIsBest), ElementsAre(100, 100));
  EXPECT_THAT(ByMax({}, Direction::kLowestIsBest), ElementsAre());
}

TEST(NormalizeByRange, ScalesBetweenLowestAndHighest) {
  EXPECT_THAT(ByRange({-10, 20, 50}), ElementsAre(0, 50, 100));
  EXPECT_THAT(ByRange({1, 2, 4}), ElementsAre(0, 33, 100));
  EXPECT_THAT(ByRange({7, 7}), ElementsAre(0, 0));
  EXPECT_THAT(ByRange({}), ElementsAre());
}

}  // namespace
}  // namespace berth::scheduler
