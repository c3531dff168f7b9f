// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/normalize.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using Scores = std::vector<int64_t>;

Scores Normalized(Normalizer normalizer, Scores scores) {
  const Scale scale = Scale::Of(normalizer, scores);
  for (int64_t& score : scores) score = scale.Normalize(score);
  return scores;
}

TEST(Scale, ScalesByTheHighestAndTruncates) {
  EXPECT_THAT(Normalized(Normalizer::kDefault, {0, 1, 2, 3}), ElementsAre(0, 33, 66, 100));
  EXPECT_THAT(Normalized(Normalizer::kDefaultReversed, {0, 1, 2, 3}), ElementsAre(100, 67, 34, 0));
}

TEST(Scale, AllZeroStaysZeroUnlessReversed) {
  EXPECT_THAT(Normalized(Normalizer::kDefault, {0, 0}), ElementsAre(0, 0));
  EXPECT_THAT(Normalized(Normalizer::kDefaultReversed, {0, 0}), ElementsAre(100, 100));
  EXPECT_THAT(Normalized(Normalizer::kDefaultReversed, {}), ElementsAre());
}

TEST(Scale, ScalesBetweenLowestAndHighest) {
  EXPECT_THAT(Normalized(Normalizer::kMinMax, {-10, 20, 50}), ElementsAre(0, 50, 100));
  EXPECT_THAT(Normalized(Normalizer::kMinMax, {1, 2, 4}), ElementsAre(0, 33, 100));
  EXPECT_THAT(Normalized(Normalizer::kMinMax, {7, 7}), ElementsAre(0, 0));
  EXPECT_THAT(Normalized(Normalizer::kMinMax, {}), ElementsAre());
}

TEST(Scale, IsValidWhileItsExtremesRemain) {
  Scale scale = Scale::Of(Normalizer::kMinMax, Scores{1, 5, 9, 9});
  EXPECT_TRUE(scale.Add(5));
  EXPECT_TRUE(scale.Remove(9)) << "another score is still the highest";
  EXPECT_FALSE(scale.Remove(9));
  scale = Scale::Of(Normalizer::kMinMax, Scores{1, 5});
  EXPECT_FALSE(scale.Add(0));
  EXPECT_FALSE(scale.Add(6));
}

TEST(Scale, LowestMattersOnlyForMinMax) {
  Scale scale = Scale::Of(Normalizer::kDefault, Scores{1, 5});
  EXPECT_TRUE(scale.Add(0));
  EXPECT_TRUE(scale.Remove(1));
  EXPECT_FALSE(scale.Remove(5));
  Scale none = Scale::Of(Normalizer::kNone, Scores{1, 5});
  EXPECT_FALSE(none.Matters());
  EXPECT_TRUE(none.Add(100) && none.Remove(5));
}

TEST(Scale, HoldsForSubsetsWithItsExtremes) {
  const Scale scale = Scale::Of(Normalizer::kMinMax, Scores{1, 5, 9});
  EXPECT_TRUE(scale.Holds(Scores{9, 1}));
  EXPECT_FALSE(scale.Holds(Scores{5, 9}));
  EXPECT_FALSE(scale.Holds(Scores{1, 5}));
  EXPECT_TRUE(Scale::Of(Normalizer::kDefault, Scores{1, 5, 9}).Holds(Scores{5, 9}));
  EXPECT_TRUE(Scale::Of(Normalizer::kNone, Scores{1, 5, 9}).Holds(Scores{5}));
}

TEST(Scale, IsUniformWhileAllScoresAreEqual) {
  Scale scale = Scale::Of(Normalizer::kDefaultReversed, Scores{3, 3});
  EXPECT_TRUE(scale.IsUniform());
  EXPECT_TRUE(scale.Add(1));
  EXPECT_FALSE(scale.IsUniform());
  EXPECT_TRUE(scale.Remove(1));
  EXPECT_TRUE(scale.IsUniform());
  EXPECT_FALSE(Scale::Of(Normalizer::kMinMax, Scores{3, 3, 2}).IsUniform());
}

TEST(Scale, EmptyScaleChangesWithTheFirstScore) {
  Scale scale = Scale::Of(Normalizer::kDefault, {});
  EXPECT_FALSE(scale.Add(3));
}

}  // namespace
}  // namespace berth::scheduler
