// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(NearestHint, NamesTheNearestElseReturnsTheOtherText) {
  EXPECT_EQ(NearestHint("NodeName", "; allowed: a, b"), "; nearest: NodeName");
  EXPECT_EQ(NearestHint(std::nullopt, "; allowed: a, b"), "; allowed: a, b");
  EXPECT_EQ(NearestHint(std::nullopt), "");
}

}  // namespace
}  // namespace berth
