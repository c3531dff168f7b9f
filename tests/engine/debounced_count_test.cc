// SPDX-License-Identifier: Apache-2.0
#include "engine/debounced_count.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class DebouncedCountTest : public testing::Test {
 protected:
  bool Update(uint64_t figure) { return count_.Update(figure, clock_.Now()); }
  // Returns the number of updates during `time`, sampled every 100 ms.
  int ReportsIn(seconds time, uint64_t (*figure)(int64_t tenth)) {
    int reports = 0;
    for (int64_t tenth = 1; tenth <= time.count() * 10; ++tenth) {
      clock_.Advance(milliseconds(100));
      reports += Update(figure(tenth)) ? 1 : 0;
    }
    return reports;
  }

  FakeClock clock_;
  DebouncedCount count_;
};

TEST_F(DebouncedCountTest, ReportsTheFirstValueAtOnceAndNothingAtRest) {
  EXPECT_EQ(count_.reported(), std::nullopt);
  EXPECT_TRUE(Update(0));
  EXPECT_EQ(count_.reported(), 0);
  EXPECT_EQ(ReportsIn(seconds(60), [](int64_t) -> uint64_t { return 0; }), 0);
  EXPECT_TRUE(count_.IsReported());
}

TEST_F(DebouncedCountTest, ReportsAChangeAfterASecond) {
  Update(0);
  clock_.Advance(seconds(60));
  EXPECT_FALSE(Update(1));
  EXPECT_FALSE(count_.IsReported());
  clock_.Advance(milliseconds(999));
  EXPECT_FALSE(Update(2)) << "a further change does not restart the wait";
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(Update(2));
  EXPECT_EQ(count_.reported(), 2);
  EXPECT_TRUE(count_.IsReported());
}

TEST_F(DebouncedCountTest, DoesNotReportPodsThatArePlacedAtOnce) {
  Update(0);
  EXPECT_EQ(
      ReportsIn(seconds(60), [](int64_t tenth) -> uint64_t { return tenth % 10 < 9 ? 1 : 0; }), 0);
}

TEST_F(DebouncedCountTest, ReportsAChangingValueEveryFiveSeconds) {
  Update(0);
  EXPECT_EQ(ReportsIn(seconds(60), [](int64_t tenth) { return static_cast<uint64_t>(tenth); }), 12);
}

TEST_F(DebouncedCountTest, ReportsTheLastValueOfADelayedChange) {
  Update(7);
  EXPECT_EQ(ReportsIn(seconds(4), [](int64_t) -> uint64_t { return 0; }), 0);
  EXPECT_FALSE(count_.IsReported());
  EXPECT_EQ(ReportsIn(seconds(1), [](int64_t) -> uint64_t { return 0; }), 1);
  EXPECT_EQ(count_.reported(), 0);
}

}  // namespace
}  // namespace berth::engine
