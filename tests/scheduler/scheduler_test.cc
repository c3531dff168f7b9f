// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.h"

#include "scenario/self_check.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::MakePod;
using testing::NodeNames;
using testing::PodBuilder;
using testing::Script;

class SchedulerTest : public LoopTest {};

TEST_F(SchedulerTest, BindsAPodToTheNodeItFits) {
  scheduler_.On(api::Added(Node("small", "cpu=500m,pods=10").Build()));
  scheduler_.On(api::Added(Node("large").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(Bound(), ElementsAre("a to large"));
  EXPECT_EQ(api_.binds[0].pod.uid, "uid-a");
  EXPECT_EQ(Cpu("large"), 1000);
  EXPECT_EQ(scheduler_.BindingsInFlight(), 1u);
  clock_.Advance(seconds(2));
  Answer(0);
  EXPECT_THAT(Notes(), ElementsAre("Scheduled: Successfully assigned default/a to large"));
  EXPECT_THAT(witness_.attempts, ElementsAre("test scheduled"));
  ASSERT_EQ(witness_.scheduled.size(), 1u);
  EXPECT_EQ(witness_.scheduled[0].first, 1);
  EXPECT_EQ(witness_.scheduled[0].second, seconds(2));
  EXPECT_THAT(api_.patches, IsEmpty()) << "a plain pod is not nominated first";
  Confirm(Pod("a"), "large");
  EXPECT_FALSE(scheduler_.cache().IsAssumed("uid-a"));
  EXPECT_EQ(Cpu("large"), 1000);
  ExpectAtRest();
}

TEST_F(SchedulerTest, ReportsAnUnschedulablePodAndPlacesItWhenItFits) {
  scheduler_.On(api::Added(Node("n", "cpu=500m,pods=10").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  const std::string text = "0/1 nodes are available: 1 Insufficient cpu.";
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: " + text));
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].patch.condition->reason, "Unschedulable");
  EXPECT_EQ(api_.patches[0].patch.condition->message, text);
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, std::nullopt);
  EXPECT_EQ(Where("a"), "unschedulable");
  EXPECT_THAT(witness_.attempts, ElementsAre("test unschedulable"));
  ExpectAtRest();

  scheduler_.On(api::Modified(Node("n", "cpu=500m,pods=10").Build(), Node("n").Build()));
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, DeletedPodFreesItsResources) {
  const auto running = MakePod("running").Requests("cpu=4").OnNode("n").Build();
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(running));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  EXPECT_THAT(Bound(), IsEmpty());
  scheduler_.On(api::Deleted<api::Pod>("uid-running"));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, PodIsRetriedAfterBackoffIfThereAreNoNodes) {
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: no nodes available to schedule pods"));
  EXPECT_EQ(api_.patches[0].patch.condition->reason, "Unschedulable");
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(*scheduler_.NextWakeUp(), clock_.Now() + seconds(2));
  scheduler_.On(api::Added(Node("n").Build()));
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, SameConditionIsNotWrittenTwice) {
  scheduler_.On(api::Added(Node("n", "cpu=500m,pods=10").Build()));
  auto pod = Pod("a");
  scheduler_.On(api::Added(pod.Build()));
  Run();
  pod.raw().status.conditions = {*api_.patches.at(0).patch.condition};
  scheduler_.On(api::Added(pod.Build()));
  scheduler_.On(
      api::Modified(Node("n", "cpu=500m,pods=10").Build(), Node("n", "cpu=600m,pods=10").Build()));
  Pass(std::chrono::minutes(6));
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.events.size(), 2u);
}

TEST_F(SchedulerTest, PodsOfOtherSchedulersAreCountedButNotScheduled) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(MakePod("foreign").Scheduler("other").Build()));
  scheduler_.On(
      api::Added(MakePod("placed").Scheduler("other").Requests("cpu=3").OnNode("n").Build()));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Cpu("n"), 3000);
}

TEST_F(SchedulerTest, PodCreatedWithANodeIsOnlyCounted) {
  scheduler_.On(api::Added(Node("n").Build()));
  const auto pod = Pod("by-hand").OnNode("n").Build();
  scheduler_.On(api::Added(pod));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Cpu("n"), 1000);
  scheduler_.On(api::Deleted<api::Pod>("uid-by-hand"));
  EXPECT_EQ(Cpu("n"), 0);
}

TEST_F(SchedulerTest, MirrorPodIsCountedEvenBeforeItsNode) {
  auto mirror = MakePod("static-n").Requests("cpu=1").OnNode("n");
  mirror.raw().metadata.annotations["kubernetes.io/config.mirror"] = "hash";
  scheduler_.On(api::Added(mirror.Build()));
  scheduler_.On(api::Added(Node("n", "cpu=1500m,pods=10").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(Bound(), IsEmpty());
}

TEST_F(SchedulerTest, DaemonSetPodGoesToTheNodeOfItsAffinity) {
  for (const char* name : {"n1", "n2", "n3"}) {
    auto node = Node(name);
    if (name == std::string("n2")) node.Label("tier", "edge");
    scheduler_.On(api::Added(node.Build()));
  }
  for (const char* node : {"n3", "n2"}) {
    scheduler_.On(
        api::Added(Pod(std::string("daemon-") + node)
                       .RequiredNodeTerm(NodeNames({testing::Where("metadata.name", "In", {node})}))
                       .Build()));
  }
  Run();
  EXPECT_THAT(Bound(), ElementsAre("daemon-n3 to n3", "daemon-n2 to n2"));
}

TEST_F(SchedulerTest, PodBoundByAnotherClientLeavesTheQueue) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Confirm(Pod("a"), "n");
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_EQ(Where("a"), "nowhere");
}

TEST_F(SchedulerTest, TerminatingPodIsSkipped) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Terminating().Build()));
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: skip schedule deleting pod: default/a"));
  ExpectAtRest();
}

TEST_F(SchedulerTest, GatedPodIsNotTriedBeforeItsGatesAreRemoved) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Gate("wait").Build()));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_THAT(api_.events, IsEmpty());
  scheduler_.On(api::Added(Pod("a").Build()));
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, NominatedPodKeepsItsNodeFromLowerPriorityPods) {
  scheduler_.On(api::Added(Node("n", "cpu=1,pods=10").Build()));
  scheduler_.On(api::Added(Pod("early").Build()));
  scheduler_.On(api::Added(Pod("nominated").Nominated("n").Build()));
  EXPECT_TRUE(scheduler_.ScheduleOne());
  EXPECT_EQ(Where("early"), "unschedulable");
  EXPECT_TRUE(scheduler_.ScheduleOne());
  EXPECT_THAT(Bound(), ElementsAre("nominated to n"));
  EXPECT_TRUE(scheduler_.queue().nominator().empty()) << "a pod with a node is not nominated";
}

TEST_F(SchedulerTest, HigherPriorityPodTakesTheNodeAndEndsTheNomination) {
  scheduler_.On(api::Added(Node("n", "cpu=1,pods=10").Build()));
  scheduler_.On(api::Added(Pod("nominated").Nominated("n").Build()));
  scheduler_.On(api::Added(Pod("urgent").Priority(5).Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("urgent to n"));
  EXPECT_EQ(Where("nominated"), "unschedulable");
  EXPECT_TRUE(scheduler_.queue().nominator().empty());
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, "");
}

TEST_F(SchedulerTest, EndOfANominationRequeuesOtherPods) {
  scheduler_.On(api::Added(Node("n", "cpu=1,pods=10").Build()));
  const auto nominated = Pod("nominated").Nominated("n").Gate("wait").Build();
  scheduler_.On(api::Added(nominated));
  script_.filter = [](const PendingPod&, const NodeView&) {
    static const VerdictReason kNo = VerdictReason::Intern("no");
    return Verdict::Unschedulable(kNo);
  };
  script_.events = {{Resource::kPod, action::kDelete, "room"}};
  Serve("test", {&script_});
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  ASSERT_EQ(Where("a"), "unschedulable");
  scheduler_.On(api::Deleted<api::Pod>("uid-nominated"));
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(SchedulerTest, ReplacedNodeOfTheSameNameRequeuesPods) {
  scheduler_.On(api::Added(Node("n", "cpu=500m,pods=10").Uid("1").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  ASSERT_EQ(Where("a"), "unschedulable");
  scheduler_.On(
      api::Modified(Node("n", "cpu=500m,pods=10").Uid("1").Build(), Node("n").Uid("2").Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, NodeDeletedAfterTheChoiceBecomesAPlaceholder) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  scheduler_.On(api::Deleted(Node("n").Build()));
  Answer(0);
  Confirm(Pod("a"), "n");
  EXPECT_EQ(scheduler_.cache().NodeCount(), 0u);
  EXPECT_EQ(scheduler_.cache().node_count(), 1u) << "a placeholder with the pod";
  EXPECT_THAT(scenario::FindDifferences(scheduler_, {}, {{Pod("a").OnNode("n").Build()}}),
              IsEmpty());
}

TEST_F(SchedulerTest, ReloadReplacesProfilesBetweenTwoCycles) {
  scheduler_.On(api::Added(Node("n").Build()));
  script_.filter = [](const PendingPod&, const NodeView&) {
    static const VerdictReason kNo = VerdictReason::Intern("no");
    return Verdict::Unschedulable(kNo);
  };
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  ASSERT_EQ(Where("a"), "unschedulable");
  EXPECT_THAT(scheduler_.SetProfiles({{"test", Profile("test", {})}}), IsEmpty());
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
  Answer(0);
  EXPECT_EQ(Cpu("n"), 1000);
}

TEST_F(SchedulerTest, RunningBindingKeepsItsProfileAfterAReload) {
  script_.has_pre_bind = true;
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  Script other{.name = "Other"};
  Serve("test", {&other});
  script_.pre_binds.at(0)(Status::Success());
  Answer(0);
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "PostBind a"));
  EXPECT_THAT(other.calls, IsEmpty());
}

TEST_F(SchedulerTest, ReloadAddsAndRemovesSchedulerNames) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  const auto pod = MakePod("b").Scheduler("new").Build();
  scheduler_.On(api::Added(pod));
  EXPECT_THAT(scheduler_.SetProfiles({{"new", Profile("new", {})}}), ElementsAre("new"));
  EXPECT_EQ(Run(), 0);
  scheduler_.On(api::Added(pod));
  scheduler_.On(api::Added(pod));
  EXPECT_EQ(Run(), 1);
  EXPECT_THAT(Bound(), ElementsAre("b to n"));
}

TEST_F(SchedulerTest, DerivesTheEventsOfAnUpdatedPod) {
  script_.filter = [](const PendingPod&, const NodeView&) {
    static const VerdictReason kNo = VerdictReason::Intern("no");
    return Verdict::Unschedulable(kNo);
  };
  script_.events = {{Resource::kPod, action::kUpdatePodLabel, "labels"}};
  Serve("test", {&script_});
  scheduler_.On(api::Added(Node("n").Build()));
  auto running = MakePod("running").Label("app", "old").OnNode("n");
  running.raw().metadata.resource_version = "1";
  scheduler_.On(api::Added(running.Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  ASSERT_EQ(Where("a"), "unschedulable");
  scheduler_.On(api::Added(PodBuilder(running).Label("app", "new").Build()));
  EXPECT_EQ(Where("a"), "unschedulable") << "a known version is no event";
  running.raw().metadata.resource_version = "2";
  scheduler_.On(api::Added(PodBuilder(running).Toleration("t").Build()));
  EXPECT_EQ(Where("a"), "unschedulable") << "no plugin registered for the event";
  running.raw().metadata.resource_version = "3";
  scheduler_.On(api::Added(PodBuilder(running).Label("app", "new").Build()));
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(SchedulerTest, PodThatLostItsNodeIsRetried) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").OnNode("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));  // possible after a restore of the API server
  EXPECT_EQ(Cpu("n"), 0);
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(SchedulerTest, DeletionOfAnUnknownPodIsNotAnError) {
  scheduler_.On(api::Deleted<api::Pod>("uid-never-seen"));
  EXPECT_EQ(scheduler_.cache().repairs(), 0u);
}

TEST_F(SchedulerTest, ReleasesTextsOfDeletedObjects) {
  const size_t before = words_.size();
  scheduler_.On(api::Added(Node("n").Label("zone", "z").Build()));
  scheduler_.On(api::Added(Pod("a").Label("app", "a").Nominated("n").Build()));
  scheduler_.On(api::Added(Pod("b").Label("app", "b").Requests("cpu=100").Build()));
  Run();
  Answer(0);
  Confirm(Pod("a").Label("app", "a"), "n");
  EXPECT_GT(words_.size(), before);
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  scheduler_.On(api::Deleted<api::Pod>("uid-b"));
  scheduler_.On(api::Deleted(Node("n").Build()));
  api_ = {};
  EXPECT_EQ(words_.size(), before);
  ExpectAtRest();
}

TEST_F(SchedulerTest, ComparesItselfWithTheStore) {
  scheduler_.On(api::Added(Node("n").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  scheduler_.On(api::Added(Pod("gone").Build()));
  EXPECT_THAT(
      scenario::FindDifferences(scheduler_, {{Node("n").Build()}},
                                {{Pod("a").Build(), Pod("missed").Build()}}),
      ElementsAre("pending pod uid-missed is missing", "pending pod uid-gone is not in the store"));
}

TEST_F(SchedulerTest, KeepsObjectsThatPluginsReadUntilForget) {
  const auto labels_known = [&] {
    return scheduler_.cache().Namespaces().LabelsOf(words_.Find("team")) != nullptr;
  };
  const auto team =
      std::make_shared<const api::Namespace>(testing::MakeNamespace("team", {{"a", "b"}}));
  scheduler_.On(api::Added(team));
  EXPECT_TRUE(labels_known());
  scheduler_.On(api::Deleted<api::Namespace>(team->metadata.uid));
  EXPECT_FALSE(labels_known());
  scheduler_.On(api::Added(team));
  scheduler_.Forget(ObjectKind::kService);
  EXPECT_TRUE(labels_known());
  scheduler_.Forget(ObjectKind::kNamespace);
  EXPECT_FALSE(labels_known());
}

TEST_F(SchedulerTest, NamespaceAndServiceRequeueNoPod) {
  scheduler_.On(api::Added(Node("n", "cpu=500m,pods=10").Build()));
  scheduler_.On(api::Added(Pod("a").Build()));
  Run();
  EXPECT_EQ(Where("a"), "unschedulable");
  scheduler_.On(api::Added(std::make_shared<const api::Namespace>(testing::MakeNamespace("t"))));
  scheduler_.On(api::Added(
      std::make_shared<const api::Service>(testing::MakeService("s", {{"app", "web"}}))));
  EXPECT_EQ(Where("a"), "unschedulable");
}

}  // namespace
}  // namespace berth::scheduler
