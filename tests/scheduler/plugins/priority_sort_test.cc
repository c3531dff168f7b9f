// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/priority_sort.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::Queued;

class PrioritySortTest : public ::testing::Test {
 protected:
  Vocabulary words_;
  PrioritySort sort_;
};

TEST_F(PrioritySortTest, HigherPriorityIsFirst) {
  const QueuedPod low = Queued(MakePod("low").Priority(1), words_, 1);
  const QueuedPod high = Queued(MakePod("high").Priority(2), words_, 9);
  EXPECT_TRUE(sort_.Less(high, low));
  EXPECT_FALSE(sort_.Less(low, high));
}

TEST_F(PrioritySortTest, PodQueuedEarlierIsFirstWithEqualPriority) {
  const QueuedPod older = Queued(MakePod("older").Priority(-5), words_, 1);
  const QueuedPod newer = Queued(MakePod("newer").Priority(-5), words_, 2);
  EXPECT_TRUE(sort_.Less(older, newer));
  EXPECT_FALSE(sort_.Less(newer, older));
  EXPECT_FALSE(sort_.Less(older, older)) << "Less is irreflexive";
}

TEST_F(PrioritySortTest, MissingPriorityIsZero) {
  const QueuedPod none = Queued(MakePod("none"), words_, 5);
  EXPECT_TRUE(sort_.Less(none, Queued(MakePod("below").Priority(-1), words_, 1)));
  EXPECT_TRUE(sort_.Less(Queued(MakePod("zero").Priority(0), words_, 1), none));
}

}  // namespace
}  // namespace berth::scheduler
