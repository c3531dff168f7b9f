// SPDX-License-Identifier: Apache-2.0
// Gangs, from the PodGroup to the bindings, in a scheduler that the test runs step by step.
#include <map>

#include "tests/scheduler/gang_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::GangTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

TEST_F(GangTest, PlacesAllMembers) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
}

TEST_F(GangTest, PlacesNoMemberIfOneDoesNotFit) {
  AddNodes(2);
  PutGroup("g", 5);
  AddMembers("g", 5);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.cache().pod_count(), 0u) << "nothing is assumed";
  // One event for each member.
  const std::string reason = "0/2 nodes are available: 2 Insufficient cpu";
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(NotesOf("g-" + std::to_string(i)), ElementsAre(HasSubstr(reason)));
  }
  EXPECT_THAT(NotesOf("g"), ElementsAre(HasSubstr(reason))) << "and one for the PodGroup";
  // Room for the fifth member places all.
  scheduler_.On(api::Added(Node("more", "cpu=1,pods=10").Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), SizeIs(5));
}

TEST_F(GangTest, RetryWithTheSameResultWritesNothing) {
  AddNodes(1);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ASSERT_THAT(api_.patches, SizeIs(4));
  for (const auto& written : std::exchange(api_.patches, {})) {
    api::Pod told = *Pod(written.pod.name).Label(std::string(api::kPodGroupLabel), "g").Build();
    told.status.conditions = {written.patch.condition.value()};
    told.metadata.resource_version = "told";
    scheduler_.On(api::Added(std::make_shared<const api::Pod>(std::move(told))));
  }
  const auto events = api_.events.size();
  const auto tries = witness_.attempts.size();
  for (int i = 1; i <= 3; ++i) {
    // Frees no resources and does not requeue the rejected member.
    const auto pod = Pod("other" + std::to_string(i)).Requests("cpu=0").OnNode("n0").Build();
    scheduler_.On(api::Added(pod));
    scheduler_.On(api::Deleted(pod));
    Pass(seconds(20));
    Run();
    EXPECT_EQ(api_.patches.size(), 0u);
    EXPECT_EQ(witness_.attempts.size(), tries + static_cast<size_t>(4 * i)) << "it was retried";
  }
  EXPECT_EQ(api_.events.size(), events + 3)
      << "the rejected member gets an event each time, like a single pod";
}

TEST_F(GangTest, WaitsForItsPodGroupAndItsMembers) {
  AddNodes(2);
  AddMembers("g", 2);
  Run();
  EXPECT_THAT(NotesOf("g-0"), ElementsAre(HasSubstr("PodGroup default/g not found")));
  PutGroup("g", 3);
  Pass(seconds(2));
  Run();
  EXPECT_THAT(NotesOf("g-0").back(),
              HasSubstr("cannot find enough sibling pods, current pods number: 2, minMember of "
                        "group: 3"));
  EXPECT_THAT(Bound(), IsEmpty());
  scheduler_.On(api::Added(Member("g", 2).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(GangTest, OneOfTwoCompetingGangsIsPlaced) {
  AddNodes(2);
  PutGroup("a", 3);
  PutGroup("b", 3);
  for (int i = 0; i < 3; ++i) {
    scheduler_.On(api::Added(Member("a", i).Build()));
    scheduler_.On(api::Added(Member("b", i).Build()));
  }
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
  EXPECT_THAT(Bound(), Each(StartsWith("a-")));
}

TEST_F(GangTest, ReportsMembersOfAnotherScheduler) {
  AddNodes(2);
  PutGroup("g", 2);
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Scheduler("elsewhere").Build()));
  Run();
  EXPECT_THAT(NotesOf("g-0"),
              ElementsAre(HasSubstr("should have the same .spec.schedulerName set, got: \"test\" "
                                    "and \"elsewhere\"")));
}

TEST_F(GangTest, DoesNotWaitForSurplusMembers) {
  AddNodes(2);
  PutGroup("g", 3);
  AddMembers("g", 6);
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangTest, LateMemberJoins) {
  AddNodes(3);
  PutGroup("g", 3);
  AddMembers("g", 3);
  Run();
  ASSERT_THAT(Bound(), SizeIs(3));
  scheduler_.On(api::Added(Member("g", 3).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangTest, LateMemberRetriesNoSurplusMemberInBackoff) {
  std::map<std::string, int> filtered;
  script_.filter = [&filtered](const PendingPod& pod, const NodeView&) {
    ++filtered[pod.name()];
    return Verdict::Unschedulable(VerdictReason::Intern("full"));
  };
  ServeGangs();
  AddNodes(1);
  PutGroup("g", 1);
  AddMembers("g", 4);
  Run();
  ASSERT_EQ(filtered.size(), 4u);
  filtered.clear();
  Pass(std::chrono::milliseconds(100));
  scheduler_.On(api::Added(Member("g", 4).Build()));
  Run();
  EXPECT_THAT(filtered, ElementsAre(Pair("g-4", ::testing::_)));
  Pass(std::chrono::seconds(11));
  scheduler_.On(api::Added(Member("g", 5).Build()));
  Run();
  EXPECT_EQ(filtered.size(), 6u) << "the backoff of all has ended";
}

TEST_F(GangTest, MembersInBackoffAreTriedIfTheGangNeedsThem) {
  AddNodes(1);
  PutGroup("g", 3);
  AddMembers("g", 3);
  Run();
  ASSERT_THAT(Bound(), IsEmpty()) << "two fit";
  scheduler_.On(api::Added(Node("late").Build()));
  PutGroup("g", 4);
  scheduler_.On(api::Added(Member("g", 3).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangTest, RetriesOthersWhenUnschedulableMemberIsDeleted) {
  AddNodes(2);
  PutGroup("g", 2);
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Requests("cpu=8").Build()));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  scheduler_.On(api::Deleted(Member("g", 1).Build()));
  scheduler_.On(api::Added(Member("g", 2).Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), UnorderedElementsAre(StartsWith("g-0"), StartsWith("g-2")));
}

TEST_F(GangTest, ReportsMissingResourcesOfMinResources) {
  AddNodes(2);
  PutGroup("g", 2, api::ResourceList{{"cpu", *Quantity::Parse("6")}});
  AddMembers("g", 2);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(NotesOf("g-0"), ElementsAre(HasSubstr("resource gap: cpu: 2")));
  scheduler_.On(api::Added(Node("more").Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(GangTest, PreemptsForAllMembersOrNone) {
  AddNodes(2);
  for (int i = 0; i < 4; ++i) {
    scheduler_.On(
        api::Added(Pod("v" + std::to_string(i)).OnNode("n" + std::to_string(i / 2)).Build()));
  }
  PutGroup("g", 5);
  for (int i = 0; i < 5; ++i) scheduler_.On(api::Added(Member("g", i).Priority(10).Build()));
  Run();
  EXPECT_THAT(api_.victims, IsEmpty()) << "four would fit, but not the gang";
  EXPECT_EQ(scheduler_.cache().pod_count(), 4u);

  scheduler_.On(api::Deleted(Member("g", 4).Build()));
  PutGroup("g", 4);
  Pass(seconds(11));
  Run();
  EXPECT_THAT(api_.victims, SizeIs(4)) << "one victim for each member";
  EXPECT_THAT(Bound(), IsEmpty());
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(scheduler_.queue().nominator().NodeOf("uid-g-" + std::to_string(i)),
                StartsWith("n"));
  }
}

TEST_F(GangTest, NominatesAllMembers) {
  AddNodes(1, "cpu=4,pods=10");
  for (int i = 0; i < 4; ++i) {
    scheduler_.On(api::Added(Pod("v" + std::to_string(i)).OnNode("n0").Build()));
  }
  PutGroup("g", 4);
  for (int i = 0; i < 4; ++i) scheduler_.On(api::Added(Member("g", i).Priority(10 - i).Build()));
  Run();
  EXPECT_THAT(api_.victims, SizeIs(4));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-g-" + std::to_string(i)), "n0") << i;
  }
}

TEST_F(GangTest, RejectedGangIsNotSearched) {
  size_t filtered = 0;
  script_.filter = [&filtered](const PendingPod&, const NodeView&) {
    ++filtered;
    return Verdict::Fits();
  };
  ServeGangs();
  AddNodes(2);
  AddMembers("g", 2);
  Run();
  EXPECT_THAT(NotesOf("g-0"), ElementsAre(HasSubstr("PodGroup default/g not found")));
  EXPECT_EQ(filtered, 0u);
}

TEST_F(GangTest, EachMemberIsSearchedOnce) {
  std::map<std::string, int> filtered;
  script_.filter = [&filtered](const PendingPod& pod, const NodeView&) {
    ++filtered[pod.name()];
    return Verdict::Fits();
  };
  ServeGangs();
  AddNodes(2, "cpu=4,pods=10");
  PutGroup("g", 2);
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Requests("cpu=2").Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
  EXPECT_EQ(filtered["g-0"], 2) << "once on each node";
  EXPECT_EQ(filtered["g-1"], 2);
}

TEST_F(GangTest, GangThatIsCreatedAgainHasNoBackoff) {
  ServeGangs(R"({"podGroupBackoffSeconds": 100})");
  AddNodes(1, "cpu=1,pods=10");
  for (int i = 1; i <= 2; ++i) {
    PutGroup("g", 2);
    AddMembers("g", 2);
    Run();
    EXPECT_THAT(NotesOf("g"), SizeIs(i));
    for (int member = 0; member < 2; ++member) {
      scheduler_.On(api::Deleted(Member("g", member).Build()));
    }
    api::PodGroup group;
    group.metadata.name = "g";
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group-g";
    scheduler_.On(api::Deleted(std::make_shared<const api::PodGroup>(std::move(group))));
  }
}

TEST_F(GangTest, KeepsMembersWithoutAController) {
  AddNodes(2);
  PutGroup("g", 4);
  const auto bare = [](int i) {
    auto pod = Member("g", i);
    pod.raw().metadata.owner_references.clear();
    return pod;
  };
  for (int i = 0; i < 4; ++i) scheduler_.On(api::Added(bare(i).Build()));
  Run();
  ASSERT_THAT(api_.binds, SizeIs(4));
  RejectBind("g-3");
  for (const auto& call : std::exchange(api_.binds, {})) {
    const int i = call.pod.name.back() - '0';
    scheduler_.On(api::Added(bare(i).OnNode(call.node).Build()));
    call.done({});
  }
  for (int i = 0; i < 2; ++i) {
    const std::string name = "other" + std::to_string(i);
    scheduler_.On(api::Added(Pod(name).OnNode("n" + std::to_string(i)).Build()));
  }
  scheduler_.Tick();
  Pass(seconds(61));
  EXPECT_THAT(api_.victims, IsEmpty());
  EXPECT_THAT(NotesOf("g"), Contains(HasSubstr("its placed pods keep their nodes")));
}

TEST_F(GangTest, KeepsAGangThatHasRunWhenItLosesAMember) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  scheduler_.On(api::Deleted(Member("g", 3).Build()));
  Pass(seconds(200));
  EXPECT_THAT(NotesOf("g"), IsEmpty()) << "no member is pending";
  for (int i = 0; i < 2; ++i) {
    scheduler_.On(api::Added(Member("g", 4).Requests("cpu=8").Build()));
    Run();
    Pass(seconds(100));
  }
  EXPECT_THAT(api_.victims, IsEmpty());
  EXPECT_THAT(NotesOf("g"),
              Contains(HasSubstr("its placed pods keep their nodes. The last attempt failed: "
                                 "PodGroup default/g gets rejected due to Pod g-4")));
}

TEST_F(GangTest, KeepsAGangWithACompletedMemberWithoutStatus) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  const auto image_comes_late = std::exchange(api_.binds, {});
  for (size_t i = 0; i < image_comes_late.size(); ++i) {
    api_.binds = {image_comes_late[i]};
    ConfirmAll(i == 0 ? "Running" : "Pending");
  }
  scheduler_.On(api::Deleted(Labelled(image_comes_late[0].pod.name).Build()));
  scheduler_.Tick();
  Pass(seconds(100));
  EXPECT_THAT(api_.victims, IsEmpty());
}

TEST_F(GangTest, ReleasesAGangThatHasRunIfConfigured) {
  ServeGangs(R"({"incompleteGroups": "Release", "permitWaitingTimeSeconds": 20})");
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  scheduler_.On(api::Deleted(Member("g", 3).Build()));
  scheduler_.On(api::Added(Member("g", 4).Requests("cpu=8").Build()));
  Run();
  Pass(seconds(1));
  Pass(seconds(21));
  EXPECT_THAT(VictimsOf("evict"), UnorderedElementsAre("g-0", "g-1", "g-2"));
}

TEST_F(GangTest, SucceededMembersReduceTheMinimum) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  // Two have succeeded; one failed and is replaced.
  for (int i = 0; i < 3; ++i) scheduler_.On(api::Deleted(Member("g", i).Build()));
  scheduler_.On(api::Added(Member("g", 4).Build()));
  Run();
  EXPECT_THAT(NotesOf("g-4"), ElementsAre(HasSubstr("cannot find enough sibling pods")));
  PutGroup("g", 4, {}, {}, 2);
  Pass(seconds(11));
  Run();
  EXPECT_THAT(Bound(), ElementsAre(StartsWith("g-4")));
}

TEST_F(GangTest, PreemptsSinglePodRatherThanGang) {
  AddNodes(3);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  for (int i = 0; i < 2; ++i) {
    const std::string name = "filler" + std::to_string(i);
    scheduler_.On(api::Added(Pod(name).Priority(1).Build()));
  }
  Run();
  ConfirmAll();
  // A single pod costs less than a gang, whatever its priority.
  scheduler_.On(api::Added(Pod("p").Priority(10).Build()));
  Run();
  EXPECT_THAT(VictimsOf("mark"), ElementsAre(StartsWith("filler")));
}

TEST_F(GangTest, IsPreemptedAsAWhole) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  scheduler_.On(api::Added(Pod("p").Priority(10).Build()));
  Run();
  EXPECT_THAT(VictimsOf("mark"), SizeIs(3)) << "and the last one after these";
  const std::string last = scheduler_.queue().nominator().NodeOf("uid-p");
  for (const auto& call : std::exchange(api_.victims, {})) {
    call.done({});  // marked
  }
  for (const auto& call : std::exchange(api_.victims, {})) {
    ASSERT_EQ(call.call, "delete");
    scheduler_.On(api::Deleted(Labelled(call.pod.name).Build()));
    call.done({});
  }
  EXPECT_THAT(VictimsOf("mark"), SizeIs(1));
  EXPECT_EQ(scheduler_.cache().FindPod(api_.victims[0].pod.uid)->node_name(), last);
}

TEST_F(GangTest, SurplusMemberIsPreemptedAlone) {
  AddNodes(2);
  PutGroup("g", 3);
  AddMembers("g", 4);
  Run();
  ConfirmAll("Running");
  scheduler_.On(api::Added(Pod("p").Priority(10).Build()));
  Run();
  EXPECT_THAT(VictimsOf("mark"), SizeIs(1));
}

// A gang whose members bind together, once each of them has its volumes.
class GangBindBarrierTest : public GangTest {
 protected:
  GangBindBarrierTest() {
    script_.has_pre_bind = true;
    ServeGangs();
    AddNodes(2);
    PutGroup("g", 4);
    AddMembers("g", 4);
    Run();
  }
};

TEST_F(GangBindBarrierTest, BindsAfterPreBindOfAllMembers) {
  ASSERT_THAT(script_.pre_binds, SizeIs(4));
  for (int i = 0; i < 3; ++i) script_.pre_binds[i](Status::Success());
  EXPECT_THAT(Bound(), IsEmpty());
  script_.pre_binds[3](Status::Success());
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangBindBarrierTest, FailedPreBindReleasesAllMembers) {
  for (int i = 0; i < 2; ++i) script_.pre_binds[i](Status::Success());
  script_.pre_binds[2](Status::Failed("no volume"));
  EXPECT_THAT(NotesOf("g"),
              ElementsAre(AllOf(HasSubstr("cannot be bound"), HasSubstr("no volume"))));
  EXPECT_EQ(scheduler_.cache().pod_count(), 1u) << "the plugin of the fourth has not answered";
  script_.pre_binds[3](Status::Success());
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.cache().pod_count(), 0u);
  ExpectAtRest();
  // All members are retried.
  script_.pre_binds.clear();
  Pass(seconds(5));
  Run();
  for (const auto& done : std::exchange(script_.pre_binds, {})) done(Status::Success());
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangBindBarrierTest, RetriedMemberWaitsForTheOthers) {
  script_.pre_binds[0](Status::Failed("no volume"));
  Pass(seconds(5));
  Run();
  EXPECT_THAT(NotesOf("g-0").back(), HasSubstr("other pods of PodGroup default/g are about to be"));
  const auto others = std::exchange(script_.pre_binds, {});
  for (size_t i = 1; i < others.size(); ++i) others[i](Status::Success());
  Pass(seconds(5));
  Run();
  EXPECT_THAT(script_.pre_binds, SizeIs(4)) << "all are retried together";
}

TEST_F(GangBindBarrierTest, DeletedMemberReleasesTheOthers) {
  for (int i = 0; i < 3; ++i) script_.pre_binds[i](Status::Success());
  scheduler_.On(api::Deleted(Member("g", 3).Build()));
  scheduler_.On(api::Deleted(Member("g", 0).Build()));
  script_.pre_binds[3](Status::Success());
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.cache().pod_count(), 0u);
  ExpectAtRest();
}

TEST_F(GangBindBarrierTest, AbandonAllWhileMembersWaitDoesNotCrash) {
  for (int i = 0; i < 3; ++i) script_.pre_binds[i](Status::Success());
  scheduler_.bindings().AbandonAll();
}

TEST_F(GangTest, MemberOfHigherPriorityStaysWhenTheOthersArePreempted) {
  AddNodes(2);
  PutGroup("g", 4);
  for (int i = 0; i < 4; ++i) {
    scheduler_.On(api::Added(Member("g", i).Priority(i == 3 ? 20 : 0).Build()));
  }
  Run();
  ASSERT_THAT(Bound(), SizeIs(4));
  for (const auto& call : std::exchange(api_.binds, {})) {
    const bool important = call.pod.name == "g-3";
    scheduler_.On(
        api::Added(Labelled(call.pod.name).Priority(important ? 20 : 0).OnNode(call.node).Build()));
    call.done({});
  }
  scheduler_.On(api::Added(Pod("p").Priority(10).Build()));
  Run();
  std::vector<std::string> preempted;
  while (!api_.victims.empty()) {
    for (const auto& call : std::exchange(api_.victims, {})) {
      if (call.call == "mark") preempted.push_back(call.pod.name);
      call.done({});
    }
  }
  EXPECT_THAT(preempted, UnorderedElementsAre("g-0", "g-1", "g-2"));
}

}  // namespace
}  // namespace berth::scheduler
