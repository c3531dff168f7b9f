// SPDX-License-Identifier: Apache-2.0
// Gangs that stay incomplete after a failed binding: their timeout, and the action of the profile.
#include "tests/scheduler/gang_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::GangTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Four members on two nodes. The binding of the last one failed, and it no longer fits.
class IncompleteGangTest : public GangTest {
 protected:
  void MakeIncomplete() {
    AddNodes(2);
    PutGroup("g", 4);
    AddMembers("g", 4);
    Run();
    ASSERT_THAT(Bound(), SizeIs(4));
    RejectBind("g-3");
    ConfirmAll();
    const std::string node = scheduler_.cache().pod_count() == 3 && Cpu("n0") < 2000 ? "n0" : "n1";
    scheduler_.On(api::Added(Pod("other").OnNode(node).Build()));
    scheduler_.Tick();
    Pass(seconds(30));
    Run();
  }
};

TEST_F(IncompleteGangTest, EvictsMembersAfterTimeout) {
  MakeIncomplete();
  EXPECT_THAT(api_.victims, IsEmpty());
  Pass(seconds(29));
  EXPECT_THAT(api_.victims, IsEmpty());
  Pass(seconds(2));
  EXPECT_THAT(VictimsOf("evict"), UnorderedElementsAre("g-0", "g-1", "g-2"));
  EXPECT_THAT(NotesOf("g"), Not(Contains(HasSubstr("evicted")))) << "not accepted yet";
  for (const auto& call : std::exchange(api_.victims, {})) call.done({});
  EXPECT_THAT(NotesOf("g"), Contains(AllOf(HasSubstr("has nodes for 3 of the 4 pods"),
                                           HasSubstr("; its placed pods are evicted"))));
  EXPECT_THAT(NotesOf("g-0"), Contains(HasSubstr("the pod is evicted")));
}

TEST_F(IncompleteGangTest, RetriesRejectedEvictionsAfterTwiceTheTimeAndReportsThem) {
  MakeIncomplete();
  Pass(seconds(31));
  const auto reject = [this] {
    for (const auto& call : std::exchange(api_.victims, {})) {
      call.done(Fail(Reason::kTooManyRequests, "budget"));
    }
  };
  reject();
  EXPECT_THAT(
      NotesOf("g"),
      Contains(HasSubstr("; 0 of its placed pods are evicted, the others cannot be: default/g-0: "
                         "budget")));
  EXPECT_THAT(NotesOf("g-0"), Not(Contains(HasSubstr("evicted"))));
  Pass(seconds(119));
  EXPECT_THAT(api_.victims, IsEmpty());
  Pass(seconds(2));
  EXPECT_THAT(VictimsOf("evict"), SizeIs(3));
  reject();
  EXPECT_THAT(NotesOf("g"), Contains(HasSubstr("the others cannot be")).Times(1));
  Pass(seconds(239));
  EXPECT_THAT(api_.victims, IsEmpty());
  Pass(seconds(2));
  EXPECT_THAT(VictimsOf("evict"), SizeIs(3));
}

TEST_F(IncompleteGangTest, ReportsHowManyMembersWereEvicted) {
  MakeIncomplete();
  Pass(seconds(31));
  api_.victims[0].done({});
  api_.victims[1].done(Fail(Reason::kTooManyRequests, "budget"));
  EXPECT_THAT(NotesOf("g"), Not(Contains(HasSubstr("evicted"))));
  api_.victims[2].done(Fail(Reason::kNotFound, "gone"));
  EXPECT_THAT(NotesOf("g"),
              Contains(HasSubstr("; 1 of its placed pods are evicted, the others cannot be: "
                                 "default/g-1: budget")));
}

// EndOfMemberTest has a gang of two members on one node: g-0 runs; g-1 was never seen running and
// has left.
class EndOfMemberTest : public GangTest {
 protected:
  void SetUp() override {
    AddNodes(1);
    PutGroup("g", 2);
    AddMembers("g", 2);
    Run();
    ConfirmAll("Pending");
    auto pending = Member("g", 0).OnNode("n0");
    auto running = Member("g", 0).OnNode("n0");
    running.raw().status.phase = "Running";
    running.raw().metadata.resource_version = "200";
    scheduler_.On(api::Modified(pending.Build(), running.Build()));
    const auto left = Member("g", 1).OnNode("n0").Build();
    scheduler_.On(api::Deleted(left));
    scheduler_.Tick();
    ASSERT_THAT(api_.reads, SizeIs(1));
    EXPECT_EQ(api_.reads[0].pod.name, "g-1");
  }
  // Answers the read of g-1 with a phase.
  void Answer(const std::string& phase) {
    auto pod = Member("g", 1).OnNode("n0");
    pod.raw().status.phase = phase;
    TakeRead()(std::shared_ptr<const api::Pod>(pod.Build()));
  }
  void Answer(Reason reason) { TakeRead()(Fail(reason, "no")); }
  ApiPort::PodDone TakeRead() { return std::exchange(api_.reads, {}).at(0).done; }
};

TEST_F(EndOfMemberTest, GangWithASucceededMemberIsKept) {
  Answer("Succeeded");
  Pass(seconds(61));
  Pass(seconds(61));
  EXPECT_THAT(api_.victims, IsEmpty());
}

TEST_F(EndOfMemberTest, GangWithAFailedMemberIsReleased) {
  Answer("Failed");
  Pass(seconds(61));
  EXPECT_THAT(VictimsOf("evict"), ElementsAre("g-0"));
}

TEST_F(EndOfMemberTest, GangWithADeletedMemberIsReleased) {
  Answer(Reason::kNotFound);
  Pass(seconds(61));
  EXPECT_THAT(VictimsOf("evict"), ElementsAre("g-0"));
}

TEST_F(EndOfMemberTest, NoMemberIsEvictedBeforeTheEndIsKnown) {
  Pass(seconds(61));
  EXPECT_THAT(api_.victims, IsEmpty());
  EXPECT_THAT(api_.reads, SizeIs(1)) << "not answered yet";
  Answer(Reason::kUnavailable);
  Pass(seconds(61));
  EXPECT_THAT(api_.victims, IsEmpty());
  Answer("Succeeded");
  Pass(seconds(61));
  EXPECT_THAT(api_.victims, IsEmpty());
}

TEST_F(IncompleteGangTest, IsKeptIfTheProfileKeepsIncompleteGroups) {
  ServeGangs(R"({"incompleteGroups": "Keep"})");
  MakeIncomplete();
  Pass(seconds(200));
  Pass(seconds(200));
  EXPECT_THAT(api_.victims, IsEmpty());
  EXPECT_THAT(NotesOf("g"), Contains(HasSubstr("its placed pods keep their nodes")).Times(1));
}

TEST_F(IncompleteGangTest, WaitsForTheTimeoutOfItsPodGroup) {
  MakeIncomplete();
  PutGroup("g", 4, {}, 300);
  Pass(seconds(31));
  EXPECT_THAT(api_.victims, IsEmpty());
}

// A gang that considers a running member as a victim, and is rejected, leaves no trace.
TEST_F(IncompleteGangTest, IsReleasedAfterARejectedGangSimulatedItsPreemption) {
  AddNodes(1);
  PutGroup("low", 2);
  AddMembers("low", 2);
  Run();
  ConfirmAll("Pending");
  const auto member = [](int i, const char* version) {
    auto pod = Member("low", i).OnNode("n0");
    pod.raw().metadata.resource_version = version;
    return pod;
  };
  auto running = member(0, "91");
  running.raw().status.phase = "Running";
  scheduler_.On(api::Modified(member(0, "90").Build(), running.Build()));
  scheduler_.On(api::Modified(member(1, "90").Build(), member(1, "92").Terminating().Build()));
  const auto gang = [this] {
    return scheduler_.cache().GangOf(*scheduler_.cache().FindPod("uid-low-0"));
  };
  ASSERT_FALSE(gang()->has_run());
  ASSERT_TRUE(gang()->IsIncomplete());
  scheduler_.Tick();

  PutGroup("high", 2);
  for (int i = 0; i < 2; ++i) {
    scheduler_.On(api::Added(Member("high", i).Requests("cpu=2").Priority(100).Build()));
  }
  Run();
  EXPECT_THAT(api_.victims, IsEmpty()) << "the second member does not fit";
  EXPECT_FALSE(gang()->has_run());
  EXPECT_TRUE(gang()->placed_here());
  EXPECT_TRUE(gang()->IsIncomplete());
  EXPECT_EQ(gang()->placed(), 1u);
  Pass(seconds(61));
  EXPECT_THAT(VictimsOf("evict"), ElementsAre("low-0"));
}

TEST_F(IncompleteGangTest, NewProfileAppliesItsPolicyToKnownGangs) {
  MakeIncomplete();
  EXPECT_NE(scheduler_.NextWakeUp(), std::nullopt);
  ServeGangs(R"({"incompleteGroups": "Keep", "permitWaitingTimeSeconds": 200})");
  Pass(seconds(61));
  EXPECT_THAT(NotesOf("g"), Not(Contains(HasSubstr("has nodes for")))) << "not due";
  Pass(seconds(140));
  EXPECT_THAT(NotesOf("g"), Contains(HasSubstr("its placed pods keep their nodes")));
  EXPECT_THAT(api_.victims, IsEmpty());
}

TEST_F(IncompleteGangTest, IsActedOnWhenAProfileGetsTheGangPlugin) {
  MakeIncomplete();
  Serve("test", {&script_});
  Pass(seconds(100));
  EXPECT_THAT(NotesOf("g"), Not(Contains(HasSubstr("has nodes for")))) << "pods are single pods";
  ServeGangs();
  Pass(seconds(59));
  EXPECT_THAT(api_.victims, IsEmpty());
  Pass(seconds(2));
  EXPECT_THAT(VictimsOf("evict"), UnorderedElementsAre("g-0", "g-1", "g-2"));
}

TEST_F(IncompleteGangTest, IsCompletedWhenANodeIsAdded) {
  MakeIncomplete();
  scheduler_.On(api::Added(Node("more").Build()));
  Pass(seconds(11));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("g-3 to more"));
  ConfirmAll();
  Pass(seconds(200));
  EXPECT_THAT(api_.victims, IsEmpty());
}

}  // namespace
}  // namespace berth::scheduler
