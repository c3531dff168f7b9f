// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/backoff.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BackoffDuration, DoublesUpToTheMaximum) {
  const QueueOptions options;
  const std::vector<int> wanted = {0, 1, 2, 4, 8, 10, 10};
  for (size_t failures = 0; failures < wanted.size(); ++failures) {
    EXPECT_EQ(BackoffDuration(static_cast<int32_t>(failures), options), seconds(wanted[failures]));
  }
  EXPECT_EQ(BackoffDuration(1000, options), seconds(10));
}

TEST(BackoffDuration, IsZeroIfTheMaximumIsZero) {
  EXPECT_EQ(BackoffDuration(3, {.max_backoff = seconds(0)}), seconds(0));
}

TEST(BackoffExpiry, CountsErrorsBeforeRejections) {
  const SteadyTime now(seconds(100));
  QueuedPod pod{.timestamp = now, .unschedulable_count = 3};
  EXPECT_EQ(BackoffExpiry(pod, {}), now + seconds(4));
  pod.consecutive_errors = 1;
  EXPECT_EQ(BackoffExpiry(pod, {}), now + seconds(1));
}

TEST(IsBackingOff, LastsForTheWholeSecondOfTheExpiry) {
  const QueuedPod pod{.timestamp = SteadyTime(milliseconds(100'700)), .unschedulable_count = 1};
  const SteadyTime expiry = BackoffExpiry(pod, {});
  EXPECT_EQ(expiry, SteadyTime(seconds(101)));
  EXPECT_TRUE(IsBackingOff(expiry, SteadyTime(milliseconds(101'000))));
  EXPECT_TRUE(IsBackingOff(expiry, SteadyTime(milliseconds(101'999))));
  EXPECT_FALSE(IsBackingOff(expiry, SteadyTime(milliseconds(102'000))));
}

TEST(IsBackingOff, IsFalseForAPodWithoutFailures) {
  EXPECT_FALSE(IsBackingOff(BackoffExpiry(QueuedPod{}, {}), SteadyTime(seconds(0))));
}

}  // namespace
}  // namespace berth::scheduler
