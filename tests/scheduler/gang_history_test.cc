// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_history.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using std::chrono::seconds;

class GangHistoriesTest : public ::testing::Test {
 protected:
  static SteadyTime At(int second) { return SteadyTime(seconds(second)); }

  const Gang gang_{GangApi::kCoscheduling, "default", "g"};
  GangHistories histories_;
};

TEST_F(GangHistoriesTest, IsEmptyWithoutAttempts) {
  EXPECT_FALSE(histories_.Of(gang_).attempts.failed);
  EXPECT_EQ(histories_.Of(gang_).turn, nullptr);
}

TEST_F(GangHistoriesTest, KeepsTheTurnUntilAFailure) {
  const auto turn = histories_.TurnOf(gang_, At(1));
  EXPECT_EQ(turn->gang, "default/g");
  EXPECT_EQ(histories_.TurnOf(gang_, At(2)), turn);
  histories_.RecordFailure(gang_, At(3), "no room");
  EXPECT_EQ(histories_.TurnOf(gang_, At(4))->since, At(3));
}

TEST_F(GangHistoriesTest, ReportsOnlyNewFailureNotes) {
  EXPECT_TRUE(histories_.RecordFailure(gang_, At(1), "no room"));
  EXPECT_FALSE(histories_.RecordFailure(gang_, At(2), "no room"));
  EXPECT_TRUE(histories_.RecordFailure(gang_, At(3), "no cpu"));
  EXPECT_EQ(histories_.Of(gang_).attempts.failed, At(3));
  histories_.RecordSuccess(gang_);
  EXPECT_FALSE(histories_.Of(gang_).attempts.failed);
  EXPECT_TRUE(histories_.RecordFailure(gang_, At(4), "no cpu"));
}

TEST_F(GangHistoriesTest, KeepsNotesOfFailuresAndIncompleteGangsApart) {
  EXPECT_TRUE(histories_.RecordIncomplete(gang_, "3 of 4"));
  EXPECT_TRUE(histories_.RecordFailure(gang_, At(1), "no room"));
  EXPECT_FALSE(histories_.RecordIncomplete(gang_, "3 of 4"));
  histories_.RecordComplete(gang_);
  EXPECT_TRUE(histories_.RecordIncomplete(gang_, "3 of 4"));
}

TEST_F(GangHistoriesTest, EndOfBindingReportsWaitingMembers) {
  histories_.StartBinding(gang_);
  EXPECT_TRUE(histories_.Of(gang_).attempts.is_binding);
  EXPECT_FALSE(histories_.EndBinding("default/g"));
  EXPECT_FALSE(histories_.Of(gang_).attempts.is_binding);
  histories_.StartBinding(gang_);
  histories_.WaitForBinding(gang_);
  EXPECT_TRUE(histories_.EndBinding("default/g"));
  EXPECT_FALSE(histories_.EndBinding("default/g"));
  EXPECT_FALSE(histories_.EndBinding("default/other"));
}

TEST_F(GangHistoriesTest, ForgetDeletesTheEntry) {
  histories_.TurnOf(gang_, At(1));
  histories_.Forget("default/g");
  EXPECT_EQ(histories_.Of(gang_).turn, nullptr);
}

}  // namespace
}  // namespace berth::scheduler
