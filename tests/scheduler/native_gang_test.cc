// SPDX-License-Identifier: Apache-2.0
// PodGroups of scheduling.k8s.io, in a scheduler that the test runs step by step.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/native_pod_group.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PodBuilder;
using ::testing::SizeIs;
using ::testing::StartsWith;

class NativeGangTest : public testing::LoopTest {
 protected:
  NativeGangTest() { Serve({"GangScheduling"}); }

  void Serve(std::vector<std::string> gang_plugins) {
    std::vector<std::string> plugins = {"SchedulingGates", "NodeResourcesFit", "NodeName",
                                        "DefaultPreemption"};
    plugins.insert(plugins.end(), gang_plugins.begin(), gang_plugins.end());
    scheduler_.SetProfiles(
        {{"test", testing::TestProfile({clock_, api_, words_}, "test", {&script_}, plugins)}});
  }
  // `min_count`: absent for a basic group.
  static api::NativePodGroup Group(const std::string& name, std::optional<int32_t> min_count,
                                   int32_t priority = 0) {
    api::NativePodGroup group;
    group.metadata.name = name;
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group-" + name;
    group.metadata.generation = 3;
    if (min_count) group.spec.scheduling_policy.gang.emplace().min_count = *min_count;
    group.spec.priority = priority;
    return group;
  }
  void Put(api::NativePodGroup group) {
    scheduler_.On(api::Added(std::make_shared<const api::NativePodGroup>(std::move(group))));
  }
  static PodBuilder Member(const std::string& group, int i) {
    PodBuilder pod = Pod(group + "-" + std::to_string(i));
    pod.raw().spec.scheduling_group = api::PodSchedulingGroup{.pod_group_name = group};
    return pod;
  }
  void AddMembers(const std::string& group, int count, int32_t priority = 0) {
    for (int i = 0; i < count; ++i) {
      scheduler_.On(api::Added(Member(group, i).Priority(priority).Build()));
    }
  }
  void AddNodes(int count, const std::string& room = "cpu=2,pods=10") {
    for (int i = 0; i < count; ++i) {
      scheduler_.On(api::Added(Node("n" + std::to_string(i), room).Build()));
    }
  }
  void AddRunning(const std::string& name, const std::string& node, int32_t priority = 0) {
    scheduler_.On(api::Added(Pod(name).Priority(priority).OnNode(node).Build()));
  }
  // Returns "status reason: message" of the conditions written to a PodGroup.
  std::vector<std::string> ConditionsOf(const std::string& group) const {
    std::vector<std::string> written;
    for (const auto& call : api_.groups) {
      if (call.group.name != group) continue;
      written.push_back(call.condition.status + " " + call.condition.reason + ": " +
                        call.condition.message);
    }
    return written;
  }
  // Returns "reason: message" of the condition that was written last to each patched pod.
  std::string ConditionOf(const std::string& pod) const {
    std::string last;
    for (const auto& call : api_.patches) {
      if (call.pod.name != pod || !call.patch.condition) continue;
      last = call.patch.condition->reason + ": " + call.patch.condition->message;
    }
    return last;
  }
  // Lets all evictions succeed and returns their pods.
  std::vector<std::string> Preempted() {
    std::vector<std::string> pods;
    while (!api_.victims.empty()) {
      for (const auto& call : std::exchange(api_.victims, {})) {
        if (call.call == "mark") pods.push_back(call.pod.name);
        call.done({});
      }
    }
    return pods;
  }
  void AnswerBinds() {
    for (const auto& call : std::exchange(api_.binds, {})) call.done({});
  }
};

TEST_F(NativeGangTest, PlacesAllMembersAndSetsTheCondition) {
  AddNodes(2);
  Put(Group("g", 4));
  AddMembers("g", 4);
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
  EXPECT_THAT(ConditionsOf("g"), ElementsAre("True Scheduled: "));
  const auto& written = api_.groups.front();
  EXPECT_EQ(written.group.api_version, "scheduling.k8s.io/v1beta1");
  EXPECT_EQ(written.group.uid, "group-g");
  EXPECT_EQ(written.condition.type, "PodGroupInitiallyScheduled");
  EXPECT_EQ(written.condition.observed_generation, 3);
}

TEST_F(NativeGangTest, MembersWaitForTheirGroupAndForEachOtherWithoutACondition) {
  AddNodes(2);
  AddMembers("g", 2);
  Run();
  EXPECT_EQ(Where("g-0"), "gated");
  Put(Group("g", 3));
  Run();
  EXPECT_EQ(Where("g-1"), "gated");
  EXPECT_THAT(api_.patches, IsEmpty());
  EXPECT_THAT(api_.events, IsEmpty());
  scheduler_.On(api::Added(Member("g", 2).Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
}

TEST_F(NativeGangTest, LowerMinCountOpensTheGates) {
  AddNodes(2);
  Put(Group("g", 3));
  AddMembers("g", 2);
  Run();
  ASSERT_THAT(Bound(), IsEmpty());
  Put(Group("g", 2));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

TEST_F(NativeGangTest, MembersWaitForTheSchedulingGatesOfAll) {
  AddNodes(2);
  Put(Group("g", 2));
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Build()));
  scheduler_.On(api::Added(Member("g", 2).Gate("quota").Build()));
  Run();
  EXPECT_THAT(Bound(), SizeIs(2)) << "they were tried before the third one came";
  Put(Group("h", 2));
  scheduler_.On(api::Added(Member("h", 0).Gate("quota").Build()));
  scheduler_.On(api::Added(Member("h", 1).Build()));
  scheduler_.On(api::Added(Member("h", 2).Build()));
  Run();
  EXPECT_EQ(Where("h-2"), "gated");
  auto opened = *Member("h", 0).Build();
  opened.metadata.resource_version = "2";
  scheduler_.On(api::Added(std::make_shared<const api::Pod>(opened)));
  Run();
  EXPECT_THAT(Bound(), SizeIs(4));
}

TEST_F(NativeGangTest, GangThatDoesNotFitHasItsReasonsAndIsPlacedLater) {
  AddNodes(1);
  Put(Group("g", 3));
  AddMembers("g", 3);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.cache().pod_count(), 0u);
  const std::string why =
      "pod group is unschedulable, 0/1 placements are available, first placement status: minCount "
      "(3) cannot be satisfied: 2 scheduled, 0 remaining, pod group preemption: No preemption "
      "victims found for incoming preemptor";
  EXPECT_THAT(ConditionsOf("g"), ElementsAre("False Unschedulable: " + why));
  EXPECT_EQ(ConditionOf("g-0"), "Unschedulable: pod group is unschedulable, " + why);
  EXPECT_EQ(ConditionOf("g-2"), "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
  scheduler_.On(api::Added(Node("more", "cpu=1,pods=10").Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), SizeIs(3));
  EXPECT_EQ(ConditionsOf("g").back(), "True Scheduled: ");
}

TEST_F(NativeGangTest, SuccessIsFinal) {
  AddNodes(1);
  api::NativePodGroup group = Group("g", 1);
  group.status.conditions = {{.type = "PodGroupInitiallyScheduled", .status = "True"}};
  Put(group);
  AddMembers("g", 3);
  Run();
  AnswerBinds();
  Pass(seconds(2));
  Run();
  for (const std::string& condition : ConditionsOf("g")) {
    EXPECT_THAT(condition, StartsWith("True"));
  }
  EXPECT_EQ(ConditionOf("g-2"), "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
}

TEST_F(NativeGangTest, PodsOfABasicGroupArePlacedAsFarAsTheyFit) {
  AddNodes(1);
  Put(Group("g", std::nullopt));
  AddMembers("g", 3);
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
  EXPECT_THAT(ConditionsOf("g"), ElementsAre("True Scheduled: "));
}

TEST_F(NativeGangTest, ContradictionsAreErrorsOfThePodsAndTheGroup) {
  AddNodes(2);
  Put(Group("g", 2));
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Member("g", 1).Scheduler("elsewhere").Build()));
  Run();
  const std::string schedulers =
      "SchedulerError: all pods in a single pod group should have the same .spec.schedulerName "
      "set, got: \"test\" and \"elsewhere\"";
  EXPECT_EQ(ConditionOf("g-0"), schedulers);
  EXPECT_THAT(ConditionsOf("g"), ElementsAre("False " + schedulers));

  Put(Group("h", 2, 7));
  AddMembers("h", 2, 5);
  Run();
  const std::string priorities =
      "SchedulerError: all pods in a single pod group should have the same priority as the pod "
      "group's priority, got 5 and 7";
  EXPECT_EQ(ConditionOf("h-0"), priorities);
  EXPECT_EQ(ConditionOf("h-1"), priorities);
  EXPECT_THAT(Bound(), IsEmpty());
}

TEST_F(NativeGangTest, GroupsWithDevicesOrATopologyAreRefused) {
  AddNodes(2);
  api::NativePodGroup devices = Group("g", 1);
  devices.spec.resource_claims = {{.name = "gpu"}};
  Put(devices);
  AddMembers("g", 1);
  api::NativePodGroup topology = Group("h", 1);
  topology.spec.scheduling_constraints.emplace().topology = {{.key = "rack"}};
  Put(topology);
  AddMembers("h", 1);
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  for (const auto& [group, why] :
       {std::pair("g", "allocates no devices"),
        std::pair("h", "has the topology constraint \"rack\", which this scheduler does not")}) {
    EXPECT_THAT(ConditionOf(std::string(group) + "-0"), HasSubstr(why));
    EXPECT_THAT(ConditionsOf(group), ElementsAre(HasSubstr(why)));
  }
}

TEST_F(NativeGangTest, PreemptsForAllMembersOrForNone) {
  AddNodes(2);
  for (const char* node : {"n0", "n1"}) {
    AddRunning(std::string("low-a-") + node, node);
    AddRunning(std::string("low-b-") + node, node);
  }
  Put(Group("big", 5, 10));
  AddMembers("big", 5, 10);
  Run();
  EXPECT_THAT(api_.victims, IsEmpty());
  EXPECT_THAT(ConditionsOf("big"),
              ElementsAre(HasSubstr("0 scheduled, 4 remaining, pod group preemption: pod group is "
                                    "unschedulable, 0/1 placements")));
  Put(Group("fits", 3, 10));
  AddMembers("fits", 3, 10);
  Run();
  EXPECT_THAT(ConditionsOf("fits").back(),
              HasSubstr("pod group preemption: found a placement for podgroup, preempting 3 "
                        "victims"));
  EXPECT_EQ(ConditionOf("fits-0"), "Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.");
  EXPECT_THAT(Preempted(), SizeIs(3)) << "one for each member";
}

TEST_F(NativeGangTest, PreemptionPolicyNeverEvictsNoPod) {
  AddNodes(1);
  AddRunning("low", "n0");
  Put(Group("g", 2, 10));
  for (int i = 0; i < 2; ++i) {
    PodBuilder member = Member("g", i).Priority(10);
    member.raw().spec.preemption_policy = "Never";
    scheduler_.On(api::Added(member.Build()));
  }
  Run();
  EXPECT_THAT(ConditionsOf("g"), ElementsAre(HasSubstr("preemption: not eligible due to "
                                                       "preemptionPolicy=Never.")));
  EXPECT_THAT(api_.victims, IsEmpty());
}

TEST_F(NativeGangTest, GroupThatIsDisruptedTogetherIsEvictedAsAWhole) {
  for (const bool together : {false, true}) {
    SCOPED_TRACE(together);
    const std::string name = together ? "all" : "single";
    AddNodes(2, "cpu=4,pods=10");
    api::NativePodGroup group = Group(name, 2);
    if (together) group.spec.disruption_mode.text = R"({"all":{}})";
    Put(group);
    for (int i = 0; i < 2; ++i) {
      scheduler_.On(
          api::Added(Member(name, i).Requests("cpu=3").OnNode("n" + std::to_string(i)).Build()));
    }
    scheduler_.On(api::Added(Pod("vip-" + name).Priority(10).Build()));
    Run();
    EXPECT_THAT(Preempted(), SizeIs(together ? 2 : 1));
    for (int i = 0; i < 2; ++i) {
      scheduler_.On(
          api::Deleted(Member(name, i).Requests("cpu=3").OnNode("n" + std::to_string(i)).Build()));
    }
    scheduler_.On(api::Deleted(Pod("vip-" + name).Priority(10).Build()));
  }
}

TEST_F(NativeGangTest, GroupsOfBothApisWithOneNameAreTwoGangs) {
  Serve({"GangScheduling", "Coscheduling"});
  AddNodes(2);
  Put(Group("g", 2));
  scheduler_.On(api::Added(Member("g", 0).Build()));
  scheduler_.On(api::Added(Pod("other").Label(std::string(api::kPodGroupLabel), "g").Build()));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(ConditionOf("other"), HasSubstr("PodGroup default/g not found"));
  scheduler_.On(api::Added(Member("g", 1).Build()));
  Run();
  EXPECT_THAT(Bound(), AllOf(SizeIs(2), Each(StartsWith("g-"))));
}

TEST_F(NativeGangTest, WithoutThePluginPodsAreScheduledOneByOne) {
  Serve({});
  AddNodes(1);
  AddMembers("g", 3);
  Run();
  EXPECT_THAT(Bound(), SizeIs(2));
}

}  // namespace
}  // namespace berth::scheduler
