// SPDX-License-Identifier: Apache-2.0
#include "base/doubling.h"

#include <limits>

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(Doubled, DoublesFromTheFirstDelay) {
  EXPECT_EQ(Doubled(milliseconds(5), 0, milliseconds(100)), milliseconds(5));
  EXPECT_EQ(Doubled(milliseconds(5), 1, milliseconds(100)), milliseconds(10));
  EXPECT_EQ(Doubled(milliseconds(5), 4, milliseconds(100)), milliseconds(80));
}

TEST(Doubled, StopsAtTheLimit) {
  EXPECT_EQ(Doubled(milliseconds(5), 5, milliseconds(100)), milliseconds(100));
  EXPECT_EQ(Doubled(milliseconds(5), 5, milliseconds(160)), milliseconds(160));
  EXPECT_EQ(Doubled(milliseconds(500), 0, milliseconds(100)), milliseconds(100));
  EXPECT_EQ(Doubled(nanoseconds(3), 1, nanoseconds(7)), nanoseconds(6));
}

TEST(Doubled, NeverOverflows) {
  constexpr nanoseconds kLongest{std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(Doubled(nanoseconds(1), 62, kLongest), nanoseconds(int64_t{1} << 62));
  EXPECT_EQ(Doubled(nanoseconds(1), 63, kLongest), kLongest);
  EXPECT_EQ(Doubled(nanoseconds(2), 62, kLongest), kLongest);
  EXPECT_EQ(Doubled(nanoseconds(1), std::numeric_limits<int>::max(), kLongest), kLongest);
}

}  // namespace
}  // namespace berth
