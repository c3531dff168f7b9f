// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth {
namespace {

using std::chrono::seconds;

TEST(FakeClock, DoesNotMoveUntilAdvanced) {
  FakeClock clock;
  const SteadyTime now = clock.Now();
  EXPECT_EQ(clock.Wall().ToString(), "2026-01-01T00:00:00Z");
  EXPECT_EQ(clock.Now(), now);
  clock.Advance(seconds(90));
  EXPECT_EQ(clock.Now() - now, seconds(90));
  EXPECT_EQ(clock.Wall().ToString(), "2026-01-01T00:01:30Z");
  EXPECT_EQ(clock.elapsed(), seconds(90));
}

TEST(FakeClock, JumpWallMovesOnlyTheTimeOfDay) {
  FakeClock clock(*Time::Parse("2030-05-06T07:08:09Z"));
  const SteadyTime now = clock.Now();
  clock.JumpWall(-seconds(9));
  EXPECT_EQ(clock.Wall().ToString(), "2030-05-06T07:08:00Z");
  EXPECT_EQ(clock.Now(), now);
}

TEST(SystemClock, RunsForwards) {
  const SystemClock clock;
  const SteadyTime first = clock.Now();
  EXPECT_LE(first, clock.Now());
  EXPECT_GT(clock.Wall(), *Time::Parse("2024-01-01T00:00:00Z"));
}

}  // namespace
}  // namespace berth
