// SPDX-License-Identifier: Apache-2.0
#include "engine/inbox.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth::engine {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

class InboxTest : public testing::Test {
 protected:
  void Post(int number, milliseconds takes) {
    inbox_.Post([this, number, takes] {
      ran_.push_back(number);
      clock_.Advance(takes);
    });
  }
  void Turn() {
    inbox_.Take(clock_.Now(), /*may_sleep=*/false);
    inbox_.Run();
  }

  FakeClock clock_;
  Inbox inbox_{clock_};
  std::vector<int> ran_;
};

TEST_F(InboxTest, RunsMessagesForALimitedTimeAndKeepsTheOthers) {
  for (int i = 1; i <= 4; ++i) Post(i, Inbox::kTime / 2);
  Turn();
  EXPECT_THAT(ran_, ElementsAre(1, 2));
  Post(5, milliseconds(0));
  Turn();
  EXPECT_THAT(ran_, ElementsAre(1, 2, 3, 4));
  Turn();
  EXPECT_THAT(ran_, ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(InboxTest, RunsOneMessageHoweverLongItTakes) {
  Post(1, 10 * Inbox::kTime);
  Post(2, 10 * Inbox::kTime);
  Turn();
  EXPECT_THAT(ran_, ElementsAre(1));
}

TEST_F(InboxTest, DoesNotSleepWhileMessagesAreLeft) {
  Post(1, Inbox::kTime);
  Post(2, Inbox::kTime);
  Turn();
  inbox_.Take(SteadyTime::max(), /*may_sleep=*/true);
  inbox_.Run();
  EXPECT_THAT(ran_, ElementsAre(1, 2));
}

}  // namespace
}  // namespace berth::engine
