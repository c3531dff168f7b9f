// SPDX-License-Identifier: Apache-2.0
#include "scheduler/failure_handler.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;

class ChangedConditionTest : public ::testing::Test {
 protected:
  ChangedConditionTest() {
    pod_.metadata.generation = 3;
    current_.type = "PodScheduled";
    current_.status = "False";
    current_.reason = "Unschedulable";
    current_.message = "no room";
    current_.observed_generation = 3;
    current_.last_transition_time = Time::FromUnixSeconds(100);
  }
  std::optional<api::PodCondition> Changed(std::string_view reason, std::string_view message) {
    pod_.status.conditions = {current_};
    return ChangedCondition(pod_, reason, message, Time::FromUnixSeconds(200));
  }

  api::Pod pod_;
  api::PodCondition current_;
};

TEST_F(ChangedConditionTest, IsSetOnAPodWithoutTheCondition) {
  const auto condition =
      ChangedCondition(pod_, "SchedulerError", "broken", Time::FromUnixSeconds(200));
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->type, "PodScheduled");
  EXPECT_EQ(condition->status, "False");
  EXPECT_EQ(condition->reason, "SchedulerError");
  EXPECT_EQ(condition->message, "broken");
  EXPECT_EQ(condition->observed_generation, 3);
  EXPECT_EQ(condition->last_transition_time, Time::FromUnixSeconds(200));
}

TEST_F(ChangedConditionTest, IsEmptyIfThePodHasTheSameCondition) {
  EXPECT_FALSE(Changed("Unschedulable", "no room"));
}

TEST_F(ChangedConditionTest, KeepsTheTransitionTimeWhileTheStatusStays) {
  const auto condition = Changed("Unschedulable", "still no room");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->last_transition_time, Time::FromUnixSeconds(100));
}

TEST_F(ChangedConditionTest, NewGenerationIsAChange) {
  pod_.metadata.generation = 4;
  const auto condition = Changed("Unschedulable", "no room");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->observed_generation, 4);
}

TEST_F(ChangedConditionTest, ChangedStatusSetsTheTransitionTime) {
  current_.status = "True";
  EXPECT_EQ(Changed("Unschedulable", "no room")->last_transition_time, Time::FromUnixSeconds(200));
}

}  // namespace
}  // namespace berth::scheduler
