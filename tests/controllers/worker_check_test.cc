// SPDX-License-Identifier: Apache-2.0
#include "controllers/worker_check.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth::controllers {
namespace {

using std::chrono::seconds;

TEST(WhyStuck, IsSetAfterFiveMinutesWithOneKey) {
  FakeClock clock;
  WorkQueue queue(clock);
  queue.Add("a");
  clock.Advance(2 * kStuckAfter);
  EXPECT_EQ(WhyStuck(queue), std::nullopt) << "a standby operator has no workers";

  ASSERT_EQ(queue.TryGet(), "a");
  clock.Advance(kStuckAfter - seconds(1));
  EXPECT_EQ(WhyStuck(queue), std::nullopt);
  clock.Advance(seconds(1));
  EXPECT_EQ(WhyStuck(queue), "no worker has moved for 300 seconds");
  queue.Done("a");
  clock.Advance(2 * kStuckAfter);
  EXPECT_EQ(WhyStuck(queue), std::nullopt) << "the queue is empty";
}

}  // namespace
}  // namespace berth::controllers
