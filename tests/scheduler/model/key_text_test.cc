// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/key_text.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(KeyText, DistinguishesListsOfParts) {
  EXPECT_EQ(KeyText().Take(), "");
  EXPECT_NE(KeyText().Add("").Take(), KeyText().Take());
  EXPECT_NE(KeyText().Add("ab").Add("").Take(), KeyText().Add("a").Add("b").Take());
  EXPECT_NE(KeyText().Add("a").Add("b").Take(), KeyText().Add("ab").Take());
  EXPECT_NE(KeyText().Add(int64_t{-1}).Take(), KeyText().Add(int64_t{255}).Take());
  EXPECT_EQ(KeyText(1).Add("a").Add(int64_t{1}).Take(), KeyText().Add("a").Add(1).Take());
}

TEST(KeyText, NulBytesDoNotCollide) {
  const std::string zero(1, '\0');
  EXPECT_NE(KeyText().Add(zero).Add("").Take(), KeyText().Add("").Add(zero).Take());
}

TEST(KeyText, NumberIsTheLengthOfANumber) {
  EXPECT_EQ(KeyText().Add(1).Take().size(), KeyText::kNumber);
  EXPECT_EQ(KeyText().Add("four").Take().size(), KeyText::kNumber + 4);
}

}  // namespace
}  // namespace berth::scheduler
