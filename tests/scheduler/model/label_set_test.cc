// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/label_set.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(LabelSet, IsSortedByTheSymbolsOfItsKeys) {
  Vocabulary words;
  const Word zeta = words.Intern("zeta");  // interned before "alpha", the first key of the map
  const LabelSet labels({{"alpha", "1"}, {"zeta", "2"}}, words);
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(words.Text(labels[0].first), "zeta");
  EXPECT_EQ(words.Text(labels[1].second), "1");
}

TEST(LabelSet, DistinguishesEmptyValuesFromAbsentLabels) {
  Vocabulary words;
  const LabelSet labels({{"blank", ""}, {"zone", "a"}}, words);
  EXPECT_EQ(labels.Value(words.Find("blank")), kNoSymbol);
  EXPECT_EQ(labels.Value(words.Find("zone")), words.Find("a"));
  EXPECT_EQ(labels.Value(words.Find("a")), std::nullopt);
}

TEST(LabelSet, ComparesKeysAndValues) {
  Vocabulary words;
  const LabelSet a({{"x", "1"}, {"y", "2"}}, words);
  EXPECT_EQ(a, LabelSet({{"y", "2"}, {"x", "1"}}, words));
  EXPECT_FALSE(a == LabelSet({{"x", "1"}, {"y", "3"}}, words));
  EXPECT_FALSE(a == LabelSet({{"x", "1"}}, words));
  EXPECT_EQ(LabelSet(), LabelSet({}, words));
}

TEST(LabelSet, HoldsItsStringsThroughCopiesAndMoves) {
  Vocabulary words;
  {
    LabelSet first({{"zone", "a"}, {"tier", "a"}}, words);
    LabelSet copy = first;
    const LabelSet moved = std::move(first);
    copy = LabelSet({{"disk", "ssd"}}, words);
    EXPECT_EQ(words.size(), 6u) << "the empty string, and the strings of two sets";
    EXPECT_EQ(moved.Value(words.Find("zone")), words.Find("a"));
  }
  EXPECT_EQ(words.size(), 1u);
}

}  // namespace
}  // namespace berth::scheduler
