// SPDX-License-Identifier: Apache-2.0
// Gangs, from the PodGroup to the bindings.
#include "api/pod_group.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::PodBuilder;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class GangTest : public LoopTest {
 protected:
  GangTest() { ServeGangs(); }

  void ServeGangs(const std::string& args = "{}") {
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugins.multi_point.disabled = {{"*"}};
    for (const char* name : {"SchedulingGates", "NodeResourcesFit", "NodeName", "DefaultPreemption",
                             "DefaultBinder", "Coscheduling"}) {
      spec.plugins.multi_point.enabled.push_back({name});
    }
    spec.plugin_config = {{.name = "Coscheduling", .args = {args}}};
    auto profile = scheduler::Profile::Create(spec, 0, MakeRegistry(), {clock_, api_, words_});
    ASSERT_TRUE(profile) << profile.error().message();
    scheduler_.SetProfiles({{"test", *profile}});
  }
  void PutGroup(const std::string& name, int32_t min_member,
                std::optional<api::ResourceList> min_resources = {}) {
    api::PodGroup group;
    group.metadata.name = name;
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group-" + name;
    group.spec.min_member = min_member;
    group.spec.min_resources = std::move(min_resources);
    scheduler_.On(api::Added(std::make_shared<const api::PodGroup>(std::move(group))));
  }
  static PodBuilder Member(const std::string& gang, int i) {
    return Pod(gang + "-" + std::to_string(i)).Label(std::string(api::kPodGroupLabel), gang);
  }
  void AddMembers(const std::string& gang, int count) {
    for (int i = 0; i < count; ++i) scheduler_.On(api::Added(Member(gang, i).Build()));
  }
  void AddNodes(int count, const std::string& room = "cpu=2,pods=10") {
    for (int i = 0; i < count; ++i) {
      scheduler_.On(api::Added(Node("n" + std::to_string(i), room).Build()));
    }
  }
  // NotesOf is what events say of a pod.
  std::vector<std::string> NotesOf(const std::string& name) const {
    std::vector<std::string> notes;
    for (const auto& [pod, event] : api_.events) {
      if (pod.name == name) notes.push_back(event.note);
    }
    return notes;
  }
};

TEST_F(GangTest, IsPlacedWhole) {
  AddNodes(2);
  PutGroup("g", 4);
  AddMembers("g", 4);
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
}

TEST_F(GangTest, IsNotPlacedInPart) {
  AddNodes(2);
  PutGroup("g", 5);
  AddMembers("g", 5);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.cache().pod_count(), 0u) << "nothing is assumed";
  // Each says once why.
  const std::string reason = "0/2 nodes are available: 2 Insufficient cpu";
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(NotesOf("g-" + std::to_string(i)), ElementsAre(HasSubstr(reason)));
  }
  EXPECT_THAT(NotesOf("g"), ElementsAre(HasSubstr(reason))) << "and so does the PodGroup";
  // Room for the fifth brings all.
  scheduler_.On(api::Added(Node("more", "cpu=1,pods=10").Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), SizeIs(5));
}

TEST_F(GangTest, TriedAgainWithTheSameResultItWritesNothing) {
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
    // It makes no room, and does not wake the one that was refused.
    const auto pod = Pod("other" + std::to_string(i)).Requests("cpu=0").OnNode("n0").Build();
    scheduler_.On(api::Added(pod));
    scheduler_.On(api::Deleted(pod));
    Pass(seconds(20));
    Run();
    EXPECT_EQ(api_.patches.size(), 0u);
    EXPECT_EQ(witness_.attempts.size(), tries + static_cast<size_t>(4 * i)) << "it was tried again";
  }
  EXPECT_EQ(api_.events.size(), events + 3) << "the refused one says it each time, as a pod alone";
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

TEST_F(GangTest, OfTwoThatWantTheSameRoomOneIsWhole) {
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

TEST_F(GangTest, TellsMembersThatAskForAnotherScheduler) {
  AddNodes(2);
  PutGroup("g", 2);
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Scheduler("elsewhere").Build()));
  Run();
  EXPECT_THAT(NotesOf("g-0"),
              ElementsAre(HasSubstr("should have the same .spec.schedulerName set, got: \"test\" "
                                    "and \"elsewhere\"")));
}

TEST_F(GangTest, MoreThanItNeedsAreNotWaitedFor) {
  AddNodes(2);
  PutGroup("g", 3);
  AddMembers("g", 6);
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangTest, AMemberThatComesLaterJoins) {
  AddNodes(3);
  PutGroup("g", 3);
  AddMembers("g", 3);
  Run();
  ASSERT_THAT(Bound(), SizeIs(3));
  scheduler_.On(api::Added(Member("g", 3).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(GangTest, TheMemberThatDidNotFitIsDeletedAndTheOthersAreTried) {
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

TEST_F(GangTest, AskingForMoreThanThereIsSaysWhatIsMissing) {
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

TEST_F(GangTest, PreemptsForAllOrForNone) {
  AddNodes(2);
  for (int i = 0; i < 4; ++i) {
    scheduler_.On(
        api::Added(Pod("v" + std::to_string(i)).OnNode("n" + std::to_string(i / 2)).Build()));
  }
  PutGroup("g", 5);
  for (int i = 0; i < 5; ++i) scheduler_.On(api::Added(Member("g", i).Priority(10).Build()));
  Run();
  EXPECT_THAT(api_.victims, IsEmpty()) << "four would fit, the gang would not";
  EXPECT_EQ(scheduler_.cache().pod_count(), 4u);

  scheduler_.On(api::Deleted(Member("g", 4).Build()));
  PutGroup("g", 4);
  Pass(seconds(11));
  Run();
  EXPECT_THAT(api_.victims, SizeIs(4)) << "a victim of each member";
  EXPECT_THAT(Bound(), IsEmpty());
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(scheduler_.queue().nominator().NodeOf("uid-g-" + std::to_string(i)),
                StartsWith("n"));
  }
}

}  // namespace
}  // namespace berth::scheduler
