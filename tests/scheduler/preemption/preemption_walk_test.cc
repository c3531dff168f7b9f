// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/preemption/preemption_walk.h"

#include <gtest/gtest.h>

namespace berth::scheduler::testing {
namespace {

TEST(PreemptionWalk, AgreesWithARebuiltCluster) {
  PreemptionWalk walk;
  const auto difference = WalkPreemptions(1, 300, walk);
  EXPECT_FALSE(difference.has_value()) << *difference;
  EXPECT_GT(walk.preemptions, 50u) << "of " << walk.attempts << " attempts";
  EXPECT_GT(walk.unique, 30u);
}

}  // namespace
}  // namespace berth::scheduler::testing
