// SPDX-License-Identifier: Apache-2.0
// Gang cycles that are suspended, and changes of the cluster meanwhile. A part ends after each
// placed member, because Reserve takes all of its time.
#include <memory>

#include "tests/scheduler/gang_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::GangTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using testing::MakePod;
using ::testing::Not;
using ::testing::SizeIs;

class SuspendedGangTest : public GangTest {
 protected:
  SuspendedGangTest() {
    script_.reserve = [this](const PendingPod&) {
      clock_.Advance(Scheduler::kGangPart);
      return Status::Success();
    };
  }
  // Begins the cycle of a gang; it is suspended with its first member, g-0, on a node.
  void Begin(int nodes, int32_t min_member, int members, int32_t priority = 0) {
    AddNodes(nodes, "cpu=1,pods=10");
    PutGroup("g", min_member);
    for (int i = 0; i < members; ++i) {
      scheduler_.On(api::Added(Member("g", i).Priority(priority).Build()));
    }
    ASSERT_TRUE(scheduler_.ScheduleOne());
    ASSERT_TRUE(IsHeld("g-0"));
    ASSERT_FALSE(IsHeld("g-1"));
    ASSERT_THAT(Bound(), IsEmpty());
  }
  // Places a pod of low priority on each node, before the gang comes.
  void FillNodes(int nodes) {
    for (int i = 0; i < nodes; ++i) scheduler_.On(api::Added(Low(i).Build()));
  }
  static PodBuilder Low(int i) {
    return MakePod("low-" + std::to_string(i)).Requests("cpu=1").OnNode("n" + std::to_string(i));
  }
  bool IsHeld(const std::string& name) const {
    return scheduler_.cache().FindPod("uid-" + name) != nullptr;
  }
  std::string NodeOf(const std::string& name) const {
    return scheduler_.cache().FindPod("uid-" + name)->node_name();
  }
  void Delete(const std::string& name) { scheduler_.On(api::Deleted<api::Pod>("uid-" + name)); }
  void ExpectNothingHeld() const {
    for (const Slot slot : scheduler_.cache().Order()) {
      EXPECT_EQ(scheduler_.cache().Columns().requested(ResourceColumns::kMilliCpu, slot), 0);
    }
  }
};

TEST_F(SuspendedGangTest, BindsAllMembersAfterTheLastPart) {
  Begin(3, 3, 3);
  ASSERT_TRUE(scheduler_.ScheduleOne());
  EXPECT_THAT(Bound(), IsEmpty());
  ASSERT_TRUE(scheduler_.ScheduleOne());
  EXPECT_THAT(Bound(), SizeIs(3));
  EXPECT_FALSE(scheduler_.ScheduleOne());
}

TEST_F(SuspendedGangTest, NoOtherPodIsTriedBeforeTheEnd) {
  Begin(3, 3, 3);
  scheduler_.On(api::Added(Pod("single").Priority(1000).Build()));
  scheduler_.Tick();
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
  EXPECT_THAT(Bound(), Each(HasSubstr("g-")));
}

TEST_F(SuspendedGangTest, IsNotAnIncompleteGang) {
  Begin(3, 3, 3);
  Pass(seconds(3600));
  EXPECT_THAT(Notes(), IsEmpty());
  EXPECT_EQ(scheduler_.NextWakeUp(), std::nullopt);
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(SuspendedGangTest, VictimsAreOnTheirNodesMeanwhile) {
  FillNodes(2);
  Begin(2, 2, 2, 10);
  EXPECT_TRUE(IsHeld("low-0"));
  EXPECT_TRUE(IsHeld("low-1"));
  EXPECT_EQ(Cpu("n0") + Cpu("n1"), 3000);
  Run();
  EXPECT_EQ(Cpu("n0") + Cpu("n1"), 2000);
  EXPECT_THAT(VictimsOf("mark"), ::testing::UnorderedElementsAre("low-0", "low-1"));
  EXPECT_THAT(Bound(), IsEmpty());
}

TEST_F(SuspendedGangTest, VictimsThatLeftNeedNoEviction) {
  FillNodes(2);
  Begin(2, 2, 2, 10);
  Delete("low-0");
  Delete("low-1");
  Run();
  EXPECT_THAT(VictimsOf("mark"), IsEmpty());
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(SuspendedGangTest, EndsIfAMemberWithVictimsLeaves) {
  FillNodes(2);
  Begin(2, 1, 2, 10);
  Delete("g-0");
  ASSERT_TRUE(scheduler_.ScheduleOne());
  EXPECT_THAT(VictimsOf("mark"), IsEmpty());
  EXPECT_EQ(Cpu("n0") + Cpu("n1"), 2000);
  Pass(seconds(10));
  Run();
  EXPECT_THAT(VictimsOf("mark"), SizeIs(1));
}

TEST_F(SuspendedGangTest, MemberWhoseNodeIsDeletedIsTriedAgain) {
  Begin(3, 2, 2);
  const std::string lost = NodeOf("g-0");
  scheduler_.On(api::Deleted(Node(lost).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
  EXPECT_THAT(Bound(), Each(Not(HasSubstr(lost))));
}

TEST_F(SuspendedGangTest, OthersAreBoundWithoutADeletedMember) {
  Begin(3, 2, 3);
  Delete("g-0");
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
  EXPECT_THAT(Bound(), Each(Not(HasSubstr("g-0"))));
  ConfirmAll();
  ExpectAtRest();
}

TEST_F(SuspendedGangTest, NoMemberIsBoundIfADeletedOneIsMissing) {
  Begin(3, 3, 3);
  Delete("g-0");
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  ExpectNothingHeld();
  ExpectAtRest();
  scheduler_.On(api::Added(Member("g", 3).Build()));
  Pass(seconds(10));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(SuspendedGangTest, DeletedMemberThatWaitsIsNotTried) {
  Begin(3, 2, 3);
  Delete("g-1");
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
  EXPECT_THAT(Bound(), Each(Not(HasSubstr("g-1"))));
}

TEST_F(SuspendedGangTest, MemberThatGetsANodeElsewhereCounts) {
  Begin(3, 2, 2);
  const std::string other = NodeOf("g-0") == "n1" ? "n2" : "n1";
  scheduler_.On(api::Added(Member("g", 1).OnNode(other).Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre(HasSubstr("g-0 to ")));
}

TEST_F(SuspendedGangTest, RaisedMinMemberEndsTheCycle) {
  Begin(3, 2, 2);
  PutGroup("g", 3);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  ExpectNothingHeld();
  ExpectAtRest();
  scheduler_.On(api::Added(Member("g", 2).Build()));
  Pass(seconds(10));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(SuspendedGangTest, DeletedPodGroupEndsTheCycle) {
  Begin(3, 2, 2);
  api::PodGroup group;
  group.metadata.uid = "group-g";
  scheduler_.On(api::Deleted(std::make_shared<const api::PodGroup>(group)));
  Run();
  ExpectNothingHeld();
  Pass(seconds(10));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(NotesOf("g-0"), ElementsAre(HasSubstr("PodGroup default/g not found")));
}

TEST_F(SuspendedGangTest, ProfileReloadEndsTheCycle) {
  Begin(3, 3, 3);
  ServeGangs();
  ExpectNothingHeld();
  ExpectAtRest();
  Pass(seconds(10));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(SuspendedGangTest, PodThatJoinsAnotherGangLeavesTheCycle) {
  Begin(3, 1, 2);
  PutGroup("h", 1);
  PodBuilder moved = Pod("g-0").Label(std::string(api::kPodGroupLabel), "h");
  moved.raw().metadata.resource_version = "2";
  scheduler_.On(api::Added(moved.Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre(HasSubstr("g-1 to ")));
  Pass(seconds(10));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(SuspendedGangTest, DestructionUndoesTheCycle) {
  Begin(3, 3, 3);
  std::destroy_at(&scheduler_);
  EXPECT_THAT(script_.calls,
              IsSupersetOf({std::string("Reserve g-0"), std::string("Unreserve g-0")}));
  std::construct_at(&scheduler_, clock_, api_, words_, witness_);
}

}  // namespace
}  // namespace berth::scheduler
