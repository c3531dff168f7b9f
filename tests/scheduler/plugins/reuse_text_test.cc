// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/reuse_text.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(ReuseText, TellsListsOfPartsApart) {
  EXPECT_EQ(ReuseText().Take(), "");
  EXPECT_NE(ReuseText().Add("").Take(), ReuseText().Take());
  EXPECT_NE(ReuseText().Add("ab").Add("").Take(), ReuseText().Add("a").Add("b").Take());
  EXPECT_NE(ReuseText().Add("a").Add("b").Take(), ReuseText().Add("ab").Take());
  EXPECT_NE(ReuseText().Add(int64_t{-1}).Take(), ReuseText().Add(int64_t{255}).Take());
  EXPECT_EQ(ReuseText(1).Add("a").Add(int64_t{1}).Take(), ReuseText().Add("a").Add(1).Take());
}

TEST(ReuseText, TakesAnyBytes) {
  const std::string zero(1, '\0');
  EXPECT_NE(ReuseText().Add(zero).Add("").Take(), ReuseText().Add("").Add(zero).Take());
}

TEST(ReuseText, SaysHowLongAPartGets) {
  EXPECT_EQ(ReuseText().Add(1).Take().size(), ReuseText::kNumber);
  EXPECT_EQ(ReuseText().Add("four").Take().size(), ReuseText::kNumber + 4);
}

}  // namespace
}  // namespace berth::scheduler
