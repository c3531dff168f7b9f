// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/gang_table.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;

const std::string kLabel(api::kPodGroupLabel);

PodBuilder Member(const std::string& name) {
  return MakePod(name).Label(kLabel, "g").Scheduler("berth");
}

class GangTableTest : public ::testing::Test {
 protected:
  // One member keeps the gang alive, so that its values can be read.
  GangTableTest() { gangs_.PutPending(*Member("keeper").Build()); }

  const Gang& gang() const { return *gangs_.OfMember("uid-keeper"); }
  std::string Unplaced() const {
    std::string uids;
    gang().AnyUnplaced([&uids](const std::string& uid, const std::string&) {
      uids += uid + " ";
      return false;
    });
    return uids;
  }

  Vocabulary words_;
  GangTable gangs_{words_};
};

TEST_F(GangTableTest, CountsGatedMembersWithoutANode) {
  gangs_.PutPending(*Member("a").Gate("x").Build());
  gangs_.PutPending(*Member("b").Gate("x").Build());
  EXPECT_EQ(gang().Gated(), 2u);
  gangs_.PutPending(*Member("a").Build());
  EXPECT_EQ(gang().Gated(), 1u) << "its gates are removed";
  gangs_.AddPlaced(Member("b").Gate("x").OnNode("n").Placed(words_));
  EXPECT_EQ(gang().Gated(), 0u) << "it has a node";
  gangs_.RemovePlaced(*Member("b").OnNode("n").Placed(words_));
  EXPECT_EQ(gang().Gated(), 1u) << "the API server shows it without one";
  gangs_.DropPending("uid-b");
  EXPECT_EQ(gang().Gated(), 0u);
}

TEST_F(GangTableTest, ReportsGangsThatEnd) {
  std::string ended;
  gangs_.OnEnded([&ended](const std::string& key) { ended += key + " "; });
  gangs_.PutPending(*Member("a").Build());
  gangs_.DropPending("uid-a");
  EXPECT_EQ(ended, "") << "the keeper is left";
  gangs_.DropPending("uid-keeper");
  EXPECT_EQ(ended, "default/g ");
}

TEST_F(GangTableTest, ListsOnlyIncompleteGangsThatChanged) {
  using ::testing::IsEmpty;
  using ::testing::UnorderedElementsAre;
  api::PodGroup group;
  group.metadata.namespace_ = "default";
  group.metadata.name = "g";
  group.metadata.uid = "uid-g";
  group.spec.min_member = 2;
  gangs_.Put(group);
  gangs_.PutPending(*Member("b").Label(kLabel, "other").Build());
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), IsEmpty()) << "no member is placed";
  const auto a = Member("a").OnNode("n").Placed(words_);
  gangs_.AddPlaced(a);
  ASSERT_TRUE(gang().IsIncomplete());
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), UnorderedElementsAre("default/g"));
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), IsEmpty()) << "nothing changed";
  group.spec.schedule_timeout_seconds = 300;
  gangs_.Put(group);
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), UnorderedElementsAre("default/g"));
  gangs_.AddPlaced(Member("keeper").OnNode("n").Placed(words_));
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), UnorderedElementsAre("default/g")) << "complete now";
  gangs_.AddPlaced(Member("keeper").OnNode("n").Priority(1).Placed(words_));
  EXPECT_THAT(gangs_.TakeChangedIncomplete(), IsEmpty());
}

TEST_F(GangTableTest, NamesAnotherSchedulerOfAnUnplacedMember) {
  EXPECT_EQ(gang().AnotherScheduler("berth"), "");
  EXPECT_EQ(gang().AnotherScheduler("other"), "berth");
  gangs_.PutPending(*Member("a").Scheduler("other").Build());
  gangs_.PutPending(*Member("b").Scheduler("other").Build());
  EXPECT_EQ(gang().AnotherScheduler("berth"), "other");
  gangs_.DropPending("uid-a");
  EXPECT_EQ(gang().AnotherScheduler("berth"), "other") << "the second one";
  gangs_.AddPlaced(Member("b").OnNode("n").Placed(words_));
  EXPECT_EQ(gang().AnotherScheduler("berth"), "");
}

TEST_F(GangTableTest, CountsPlacedMembersOnce) {
  const auto placed = Member("a").OnNode("n").Placed(words_);
  gangs_.AddPlaced(placed);
  gangs_.AddPlaced(Member("a").OnNode("n").Priority(1).Placed(words_));
  EXPECT_EQ(gang().placed(), 1u);
  EXPECT_EQ(gang().size(), 2u);
  gangs_.RemovePlaced(*placed);
  gangs_.RemovePlaced(*placed);
  EXPECT_EQ(gang().placed(), 0u);
  EXPECT_EQ(gang().size(), 1u);
}

TEST_F(GangTableTest, MemberThatIsSetAsideIsNotCountedAndChangesNoHistory) {
  auto running = Member("a").OnNode("n");
  running.raw().status.phase = "Running";
  const auto pod = running.Placed(words_);
  gangs_.AddPlaced(pod);
  gangs_.SetAside(*pod);
  EXPECT_EQ(gang().placed(), 0u);
  EXPECT_EQ(gang().Placed().size(), 0u);
  EXPECT_EQ(Unplaced(), "uid-keeper ") << "it is not a pending pod";
  gangs_.PutBack(*pod);
  EXPECT_EQ(gang().placed(), 1u);
  EXPECT_FALSE(gang().has_run());
  gangs_.RemovePlaced(*pod);
  EXPECT_TRUE(gang().has_run());
}

TEST_F(GangTableTest, GangWithAMemberThatIsSetAsideDoesNotEnd) {
  std::string ended;
  gangs_.OnEnded([&ended](const std::string& key) { ended += key + " "; });
  const auto pod = Member("a").Label(kLabel, "h").OnNode("n").Placed(words_);
  gangs_.AddPlaced(pod);
  gangs_.RecordPlacedHere(*gangs_.OfMember("uid-a"));
  gangs_.SetAside(*pod);
  gangs_.PutBack(*pod);
  EXPECT_EQ(ended, "");
  EXPECT_TRUE(gangs_.OfMember("uid-a")->placed_here());
}

TEST_F(GangTableTest, VisitsUnplacedMembersUntilTheVisitorAccepts) {
  for (const char* name : {"b", "a", "c"}) gangs_.PutPending(*Member(name).Build());
  gangs_.AddPlaced(Member("b").OnNode("n").Placed(words_));
  EXPECT_EQ(Unplaced(), "uid-a uid-c uid-keeper ");
  int shown = 0;
  EXPECT_TRUE(gang().AnyUnplaced([&shown](const std::string& uid, const std::string&) {
    ++shown;
    return uid == "uid-c";
  }));
  EXPECT_EQ(shown, 2);
}

TEST_F(GangTableTest, RelabelledMemberCountsInItsNewGang) {
  gangs_.PutPending(*Member("a").Gate("x").Build());
  gangs_.PutPending(*MakePod("a").Label(kLabel, "h").Scheduler("berth").Gate("x").Build());
  EXPECT_EQ(gang().Gated(), 0u);
  ASSERT_NE(gangs_.OfMember("uid-a"), nullptr);
  EXPECT_EQ(gangs_.OfMember("uid-a")->Gated(), 1u);
}

}  // namespace
}  // namespace berth::scheduler
