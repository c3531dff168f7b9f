// SPDX-License-Identifier: Apache-2.0
// From the chosen node to the binding: Reserve, Permit, PreBind, Bind, and all their failures.
#include "scenario/self_check.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::Script;

class BindingTest : public LoopTest {
 protected:
  BindingTest() { scheduler_.On(api::Added(Node("n").Build())); }

  void Schedule(const std::string& name) {
    scheduler_.On(api::Added(Pod(name).Build()));
    Run();
  }
  void LetWait(milliseconds timeout) {
    script_.permit = [timeout](const PendingPod&) { return PermitResult{Status::Wait(), timeout}; };
  }
};

TEST_F(BindingTest, ResponsesMayArriveInAnyOrder) {
  for (const char* name : {"a", "b", "c"}) scheduler_.On(api::Added(Pod(name).Build()));
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(scheduler_.BindingsInFlight(), 3u);
  EXPECT_EQ(Cpu("n"), 3000) << "each pod sees the resources of the previous ones as used";
  Answer(2);
  Confirm(Pod("a"), "n");  // seen before its response
  Answer(0);
  Answer(1);
  ExpectAtRest();
  EXPECT_EQ(Cpu("n"), 3000);
  EXPECT_EQ(witness_.scheduled.size(), 3u);
}

TEST_F(BindingTest, ReserveRejectionUnreservesAndRequeues) {
  script_.reserve = [](const PendingPod&) { return Status::Unschedulable("taken"); };
  Schedule("a");
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 taken."));
  EXPECT_EQ(Where("a"), "unschedulable");
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, UnreserveRunsOverAllPlugins) {
  Script second{.name = "Second"};
  Serve("test", {&script_, &second});
  script_.reserve = [](const PendingPod&) { return Status::Failed("broken"); };
  Schedule("a");
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_THAT(second.calls, ElementsAre("Unreserve a")) << "also plugins without a call of Reserve";
  EXPECT_THAT(Notes(),
              ElementsAre("FailedScheduling: running Reserve plugin \"Scripted\": broken"));
  EXPECT_EQ(api_.patches.at(0).patch.condition->reason, "SchedulerError");
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_THAT(witness_.attempts, ElementsAre("test error"));
}

TEST_F(BindingTest, PermitMayReject) {
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Unschedulable("not now")}; };
  Schedule("a");
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 not now."));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_EQ(Where("a"), "unschedulable");
  const QueuedPod& rejected = *scheduler_.queue().Find("uid-a");
  EXPECT_THAT(rejected.profile->NamesOf(rejected.unschedulable_plugins), ElementsAre("Scripted"));
}

TEST_F(BindingTest, PermitMayLetAPodWaitUntilItIsAllowed) {
  LetWait(seconds(60));
  Schedule("a");
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(scheduler_.waiting().size(), 1u);
  EXPECT_EQ(scheduler_.BindingsInFlight(), 0u);
  EXPECT_TRUE(scheduler_.queue().IsInFlight("uid-a"));
  EXPECT_EQ(*scheduler_.NextWakeUp(), clock_.Now() + seconds(60));
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, "n");

  EXPECT_TRUE(scheduler_.waiting().Allow("uid-a", "Scripted"));
  EXPECT_FALSE(scheduler_.queue().IsInFlight("uid-a"));
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
  EXPECT_THAT(witness_.permit_waits, ElementsAre(Code::kSuccess));
  Answer(0);
  ExpectAtRest();
}

TEST_F(BindingTest, WaitEndsAtItsTimeout) {
  LetWait(seconds(10));
  Schedule("a");
  Pass(seconds(10));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 rejected due to "
                                   "timeout after waiting 10s at plugin Scripted."));
  EXPECT_THAT(witness_.permit_waits, ElementsAre(Code::kUnschedulable));
  EXPECT_EQ(Where("a"), "unschedulable") << "the resources it freed do not requeue it";
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, RejectedWaitRequeuesOtherPods) {
  LetWait(seconds(10));
  scheduler_.On(api::Added(Pod("a").Requests("cpu=3").Build()));  // 4 cpu in all
  Run();
  script_.permit = nullptr;
  Schedule("b");
  ASSERT_EQ(Where("b"), "unschedulable");
  clock_.Advance(seconds(3));
  scheduler_.waiting().Reject("uid-a", "Scripted", "no");
  EXPECT_EQ(Where("b"), "active");
  EXPECT_EQ(Where("a"), "unschedulable");
}

TEST_F(BindingTest, ActivatesPodsAfterPermitAndAfterPostBind) {
  script_.filter = [](const PendingPod& pod, const NodeView&) {
    static const VerdictReason kUnique = VerdictReason::Intern("comes with others");
    return pod.name() == "z" ? Verdict::Fits() : Verdict::Unschedulable(kUnique);
  };
  Schedule("a");
  Schedule("b");
  Schedule("c");
  ASSERT_EQ(Where("a"), "unschedulable");
  script_.activate_in_permit = {"uid-a"};
  script_.activate_in_post_bind = {"uid-b"};
  scheduler_.On(api::Added(Pod("z").Build()));
  EXPECT_TRUE(scheduler_.ScheduleOne());
  EXPECT_EQ(Where("a"), "active");
  EXPECT_EQ(Where("b"), "unschedulable");
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(Where("a"), "unschedulable") << "it does not fit; activation only retries it";
  Answer(0);
  EXPECT_EQ(Where("b"), "active");
  EXPECT_EQ(Where("a"), "unschedulable") << "each is activated once";
  EXPECT_EQ(Where("c"), "unschedulable");
}

TEST_F(BindingTest, PermitRejectionActivatesNoPods) {
  scheduler_.On(api::Added(Pod("a").Requests("cpu=8").Build()));
  Run();
  script_.activate_in_permit = {"uid-a"};
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Unschedulable("no")}; };
  Schedule("z");
  EXPECT_EQ(Where("a"), "unschedulable");
}

TEST_F(BindingTest, PreBindRunsAfterTheNominationAndBeforeBind) {
  script_.has_pre_bind = true;
  Schedule("a");
  ASSERT_EQ(api_.patches.size(), 1u);
  EXPECT_EQ(api_.patches[0].patch.nominated_node_name, "n");
  EXPECT_FALSE(scheduler_.queue().IsInFlight("uid-a"));
  EXPECT_THAT(Bound(), IsEmpty());
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
  Answer(0);
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "PostBind a"));
}

TEST_F(BindingTest, DeletedNodeIsGoneForPluginsAfterPermit) {
  LetWait(seconds(10));
  script_.has_pre_bind = true;
  Schedule("a");
  scheduler_.On(api::Deleted(Node("n").Build()));
  auto machine = Node("n");
  machine.raw().metadata.uid = "another machine";
  scheduler_.On(api::Added(machine.Build()));
  scheduler_.waiting().Allow("uid-a", "Scripted");
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a, node gone"));
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_THAT(Bound(), ElementsAre("a to n")) << "the API server decides whether the name is valid";
}

TEST_F(BindingTest, ReusedSlotIsNotTheChosenNode) {
  script_.has_pre_bind = true;
  Schedule("a");
  const Slot slot = scheduler_.cache().Find("n");
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  scheduler_.On(api::Deleted(Node("n").Build()));
  scheduler_.On(api::Added(Node("m").Build()));
  ASSERT_EQ(scheduler_.cache().Find("m"), slot);
  script_.pre_binds.at(0)(Status::Failed("no such node"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "Unreserve a, node gone"));
  EXPECT_EQ(Cpu("m"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, PreBindFailureUnreservesAndRetriesAsAnError) {
  script_.has_pre_bind = true;
  Schedule("a");
  script_.pre_binds.at(0)(Status::Unschedulable("volume is elsewhere"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "Unreserve a"));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_TRUE(scheduler_.queue().Find("uid-a")->unschedulable_plugins.empty());
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, PreemptedWaitingPodIsRetriedAsAfterAnError) {
  LetWait(seconds(60));
  Schedule("a");
  EXPECT_FALSE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  EXPECT_TRUE(scheduler_.waiting().Preempt("uid-a", "DefaultPreemption", "preempted"));
  EXPECT_FALSE(scheduler_.waiting().Reject("uid-a", "Scripted", "too late"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: waiting on permit for pod: preempted"));
  EXPECT_EQ(api_.patches.back().patch.condition->reason, "SchedulerError");
  EXPECT_EQ(api_.patches.back().patch.nominated_node_name, std::nullopt)
      << "the nomination has not been seen yet, so it is not cleared";
  EXPECT_THAT(witness_.permit_waits, ElementsAre(Code::kError));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_TRUE(scheduler_.queue().Find("uid-a")->rejected_by().empty());
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, CanceledPreBindIsRetriedAsAfterAnError) {
  script_.has_pre_bind = true;
  Schedule("a");
  const std::stop_callback giving_up(
      script_.canceled, [this] { script_.pre_binds.at(0)(Status::Failed("no longer wanted")); });
  EXPECT_TRUE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  EXPECT_FALSE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "Unreserve a"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: running PreBind plugin \"Scripted\": "
                                   "preempted by DefaultPreemption"));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, PreBindThatIgnoresCancellationIsAwaitedAndNotBound) {
  script_.has_pre_bind = true;
  Schedule("a");
  EXPECT_TRUE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  EXPECT_TRUE(scheduler_.bindings().CancelPreBind("uid-a", "again")) << "it can still be canceled";
  EXPECT_EQ(Cpu("n"), 1000);
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: preempted by DefaultPreemption"));
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, PodWithSentBindingCannotBeCanceled) {
  script_.has_pre_bind = true;
  Schedule("a");
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_FALSE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  Answer(0);
  EXPECT_EQ(witness_.scheduled.size(), 1u);
}

TEST_F(BindingTest, PodWithoutWorkInPreBindCannotBeCanceled) {
  Schedule("a");
  EXPECT_FALSE(scheduler_.bindings().CancelPreBind("uid-a", "preempted by DefaultPreemption"));
  Answer(0);
  ExpectAtRest();
}

TEST_F(BindingTest, FailedBindIsUndoneAndRetried) {
  Schedule("a");
  Answer(0, Fail(Reason::kInternalError, "server is ill"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_THAT(
      Notes(),
      ElementsAre("FailedScheduling: running Bind plugin \"DefaultBinder\": server is ill"));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(Cpu("n"), 0);
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n", "a to n"));
  Answer(1);
  EXPECT_EQ(witness_.scheduled.at(0).first, 2);
  ExpectAtRest();
}

TEST_F(BindingTest, FailedBindRequeuesPodsThatNeedItsResources) {
  scheduler_.On(api::Added(Pod("a").Requests("cpu=3").Build()));
  Run();
  Schedule("b");
  ASSERT_EQ(Where("b"), "unschedulable");
  clock_.Advance(seconds(3));
  Answer(0, Fail(Reason::kInternalError, "no"));
  EXPECT_EQ(Where("b"), "active");
}

TEST_F(BindingTest, ConflictFollowsTheStore) {
  scheduler_.On(api::Added(Node("m").Build()));
  Schedule("a");
  ASSERT_THAT(Bound(), ElementsAre("a to n"));
  Answer(0, Fail(Reason::kConflict, "pod a is already assigned to node \"m\""));
  EXPECT_EQ(Cpu("n"), 0);
  Confirm(Pod("a"), "m");
  EXPECT_EQ(Cpu("m"), 1000);
  EXPECT_EQ(Where("a"), "nowhere");
  Pass(seconds(30));
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(scenario::FindDifferences(scheduler_, {{Node("n").Build(), Node("m").Build()}},
                                        {{Pod("a").OnNode("m").Build()}}),
              IsEmpty());
}

TEST_F(BindingTest, ConflictSeenInTheStoreIsSilent) {
  scheduler_.On(api::Added(Node("m").Build()));
  Schedule("a");
  Confirm(Pod("a"), "m");
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_EQ(Cpu("m"), 1000);
  Answer(0, Fail(Reason::kConflict, "already assigned"));
  EXPECT_EQ(Cpu("m"), 1000) << "a confirmed pod is not forgotten";
  EXPECT_THAT(Notes(), IsEmpty());
  EXPECT_THAT(api_.patches, IsEmpty()) << "a bound pod gets no PodScheduled=False condition";
  ExpectAtRest();
}

TEST_F(BindingTest, PodDeletedDuringBindIsUnreserved) {
  Schedule("a");
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  EXPECT_EQ(Cpu("n"), 0);
  Answer(0, Fail(Reason::kNotFound, "pods \"a\" not found"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_EQ(Where("a"), "nowhere");
  EXPECT_THAT(Notes(), IsEmpty());
  ExpectAtRest();
}

TEST_F(BindingTest, PodDeletedDuringPreBindIsUnreserved) {
  script_.has_pre_bind = true;
  Schedule("a");
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  script_.pre_binds.at(0)(Status::Failed("pod is gone"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "PreBind a", "Unreserve a"));
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, DeletedWaitingPodIsUnreservedImmediately) {
  LetWait(seconds(60));
  Schedule("a");
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(BindingTest, TerminatingWaitingPodIsDropped) {
  LetWait(seconds(60));
  Schedule("a");
  scheduler_.On(api::Added(Pod("a").Terminating().Build()));
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
  EXPECT_EQ(Cpu("n"), 0);
}

TEST_F(BindingTest, WaitingPodBoundElsewhereIsDropped) {
  scheduler_.On(api::Added(Node("m").Build()));
  LetWait(seconds(60));
  Schedule("a");
  Confirm(Pod("a"), "m");
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_EQ(Cpu("m"), 1000);
  EXPECT_EQ(Where("a"), "nowhere");
  ExpectAtRest();
}

TEST_F(BindingTest, RecreatedPodIsScheduledIndependently) {
  Schedule("a");
  scheduler_.On(api::Deleted<api::Pod>("uid-a"));
  scheduler_.On(api::Added(Pod("a").Uid("second").Build()));
  Answer(0, Fail(Reason::kConflict, "the UID in the precondition does not match"));
  Run();
  ASSERT_EQ(api_.binds.size(), 2u);
  EXPECT_EQ(api_.binds[1].pod.uid, "second");
  Answer(1);
  EXPECT_EQ(Cpu("n"), 1000);
  ExpectAtRest();
}

TEST_F(BindingTest, UpdatesOfAnAssumedPodDoNotQueueIt) {
  Schedule("a");
  scheduler_.On(api::Added(Pod("a").Label("x", "y").Build()));
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(BindingTest, EventDuringAPermitWaitIsReplayed) {
  LetWait(seconds(10));
  script_.events = {{Resource::kNode, action::kAdd, "room"}};
  Serve("test", {&script_});
  Schedule("a");
  scheduler_.On(api::Added(Node("m").Build()));
  clock_.Advance(seconds(1));
  scheduler_.waiting().Reject("uid-a", "Scripted", "no");
  EXPECT_EQ(Where("a"), "backoff");
  ExpectAtRest();
}

}  // namespace
}  // namespace berth::scheduler
