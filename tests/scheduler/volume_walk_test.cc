// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/volume_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::IsEmpty;

class VolumeWalk : public ::testing::TestWithParam<uint64_t> {};

void ExpectNothingLeft(testing::VolumeWalk& walk) {
  walk.Settle();
  EXPECT_THAT(walk.Errors(), IsEmpty());
  EXPECT_EQ(walk.binder().size(), 0u);
  EXPECT_EQ(walk.binder().watches(), 0u);
  EXPECT_FALSE(walk.binder().NextDeadline());
  EXPECT_EQ(walk.store().Assumed<api::PersistentVolume>().size(), 0u);
  EXPECT_EQ(walk.store().Assumed<api::PersistentVolumeClaim>().size(), 0u);
}

TEST_P(VolumeWalk, IndexesEqualAScanAndNoStateRemains) {
  constexpr int kSteps = 25'000;
  constexpr int kStepsToRest = 125;
  testing::VolumeWalk walk(GetParam());
  for (int i = 1; i <= kSteps; ++i) {
    walk.Step();
    ASSERT_THAT(walk.Errors(), IsEmpty()) << "after step " << i;
    if (i % kStepsToRest == 0) ExpectNothingLeft(walk);
    ASSERT_FALSE(HasFailure()) << "after step " << i;
  }
  EXPECT_GT(walk.bound(), 20u);
  EXPECT_GT(walk.rejected(), 20u);
  EXPECT_GT(walk.unseen(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, VolumeWalk, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace berth::scheduler
