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
  bool Take(uint64_t figure) { return count_.Take(figure, clock_.Now()); }
  // TellsIn counts how often the figure was told again in that time, looked at each 100 ms.
  int TellsIn(seconds time, uint64_t (*figure)(int64_t tenth)) {
    int tells = 0;
    for (int64_t tenth = 1; tenth <= time.count() * 10; ++tenth) {
      clock_.Advance(milliseconds(100));
      tells += Take(figure(tenth)) ? 1 : 0;
    }
    return tells;
  }

  FakeClock clock_;
  DebouncedCount count_;
};

TEST_F(DebouncedCountTest, TellsTheFirstAtOnceAndNothingAtRest) {
  EXPECT_EQ(count_.told(), std::nullopt);
  EXPECT_TRUE(Take(0));
  EXPECT_EQ(count_.told(), 0);
  EXPECT_EQ(TellsIn(seconds(60), [](int64_t) -> uint64_t { return 0; }), 0);
  EXPECT_TRUE(count_.IsSettled());
}

TEST_F(DebouncedCountTest, TellsAnotherOnceItHasStayedForASecond) {
  Take(0);
  clock_.Advance(seconds(60));
  EXPECT_FALSE(Take(1));
  EXPECT_FALSE(count_.IsSettled());
  clock_.Advance(milliseconds(999));
  EXPECT_FALSE(Take(2)) << "which other one it is does not matter";
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(Take(2));
  EXPECT_EQ(count_.told(), 2);
  EXPECT_TRUE(count_.IsSettled());
}

TEST_F(DebouncedCountTest, DoesNotTellOfPodsThatArePlacedAtOnce) {
  Take(0);
  EXPECT_EQ(TellsIn(seconds(60), [](int64_t tenth) -> uint64_t { return tenth % 10 < 9 ? 1 : 0; }),
            0);
}

TEST_F(DebouncedCountTest, TellsWhatNeverRestsEachFiveSeconds) {
  Take(0);
  EXPECT_EQ(TellsIn(seconds(60), [](int64_t tenth) { return static_cast<uint64_t>(tenth); }), 12);
}

TEST_F(DebouncedCountTest, TellsTheLastOfAChangeThatWasHeldBack) {
  Take(7);
  EXPECT_EQ(TellsIn(seconds(4), [](int64_t) -> uint64_t { return 0; }), 0);
  EXPECT_FALSE(count_.IsSettled());
  EXPECT_EQ(TellsIn(seconds(1), [](int64_t) -> uint64_t { return 0; }), 1);
  EXPECT_EQ(count_.told(), 0);
}

}  // namespace
}  // namespace berth::engine
