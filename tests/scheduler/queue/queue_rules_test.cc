// SPDX-License-Identifier: Apache-2.0
// Rules of kube-scheduler's queue, one by one. Source: kube-scheduler
// pkg/scheduler/backend/queue/scheduling_queue.go, backoff_queue.go and active_queue.go; the cases
// follow their tests.
#include "tests/scheduler/queue/queue_fixture.h"

namespace berth::scheduler::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class QueueRulesTest : public SchedulingQueueTest {
 protected:
  // Pops a pod and requeues it after an error.
  void FailNext(const std::string& name) {
    ASSERT_EQ(Pop(), name);
    Return(name, {});
  }
  std::vector<std::string> PopAll() {
    std::vector<std::string> names;
    for (std::string name = Pop(); !name.empty(); name = Pop()) names.push_back(name);
    return names;
  }
};

// ---- order of pods

TEST_F(QueueRulesTest, TimestampIsTheLastReturnAndIndependentOfMoves) {
  Reject("a");
  const SteadyTime returned = queue_.Find("uid-a")->timestamp;
  clock_.Advance(milliseconds(500));
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(queue_.Find("uid-a")->timestamp, returned);
  Pass(seconds(3));
  ASSERT_EQ(Where("a"), "active");
  EXPECT_EQ(queue_.Find("uid-a")->timestamp, returned);
  ASSERT_EQ(Pop(), "a");
  Return("a", {"Scripted"});
  EXPECT_EQ(queue_.Find("uid-a")->timestamp, clock_.Now());
}

TEST_F(QueueRulesTest, RetriedPodsSortByLastReturnWithinTheirPriority) {
  Reject("tried");
  clock_.Advance(milliseconds(1));
  Add(Pod("newer"));
  clock_.Advance(seconds(5));
  Add(Pod("newest"));
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_THAT(PopAll(), ElementsAre("tried", "newer", "newest"));
  Return("tried", {"Scripted"});
  clock_.Advance(seconds(5));
  queue_.MoveAll(kNodeAdd, {});
  Return("newer", {});
  Pass(seconds(5));
  Add(Pod("last"));
  EXPECT_THAT(PopAll(), ElementsAre("tried", "newer", "last"));
}

TEST_F(QueueRulesTest, RejectedHighPriorityPodDoesNotStarveOthers) {
  Add(Pod("high").Priority(100));
  ASSERT_EQ(Pop(), "high");
  Add(Pod("low"));
  queue_.MoveAll(kNodeAdd, {});
  Return("high", {"Scripted"});
  EXPECT_EQ(Where("high"), "backoff");
  EXPECT_EQ(Pop(), "low");
}

TEST_F(QueueRulesTest, PodsOfOneBackoffWindowArePoppedByPriority) {
  Add(Pod("low").Priority(1));
  Add(Pod("high").Priority(2));
  Add(Pod("late").Priority(3));
  EXPECT_THAT(PopAll(), ElementsAre("late", "high", "low"));
  queue_.MoveAll(kNodeAdd, {});
  Return("low", {"Scripted"});
  clock_.Advance(milliseconds(900));
  Return("high", {"Scripted"});
  clock_.Advance(milliseconds(200));  // a window later
  Return("late", {"Scripted"});
  ASSERT_EQ(Where("low"), "backoff");
  EXPECT_THAT(PopAll(), ElementsAre("high", "low", "late"));
}

TEST_F(QueueRulesTest, PodsLeavingBackoffInOneSecondSortByPriority) {
  for (const char* name : {"low", "high"}) Add(Pod(name).Priority(name[0] == 'h' ? 2 : 1));
  FailNext("high");
  clock_.Advance(milliseconds(300));
  FailNext("low");
  Pass(seconds(2));
  EXPECT_THAT(PopAll(), ElementsAre("high", "low"));
}

// ---- backoff

TEST_F(QueueRulesTest, RejectionsAndErrorsHaveSeparateBackoffs) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  Return("a", {"Scripted"});  // first rejection
  clock_.Advance(seconds(30));
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Pop(), "a");
  Return("a", {"Scripted"});  // second rejection: 2 s
  clock_.Advance(seconds(30));
  queue_.MoveAll(kNodeAdd, {});
  FailNext("a");  // first error: 1 s
  EXPECT_EQ(*queue_.NextWakeUp(), clock_.Now() + seconds(2));
  Pass(seconds(2));
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeAdd, {});
  Return("a", {"Scripted"});  // third rejection: 4 s
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(*queue_.NextWakeUp(), clock_.Now() + seconds(5));
}

TEST_F(QueueRulesTest, ZeroMaximumDisablesBackoff) {
  queue_.SetOptions({.max_backoff = seconds(0)});
  Add(Pod("a"));
  FailNext("a");
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(QueueRulesTest, PodsAfterAnErrorAreNeverPoppedEarly) {
  Add(Pod("failed"));
  FailNext("failed");
  EXPECT_EQ(Pop(), "");
  Reject("rejected");
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Pop(), "rejected");
  EXPECT_EQ(Pop(), "");
  EXPECT_EQ(Where("failed"), "backoff");
}

TEST_F(QueueRulesTest, RetryAfterErrorIsNotPoppedEarlyButRetryIs) {
  Reject("failed");
  queue_.RetryAfterError("uid-failed");
  EXPECT_EQ(Where("failed"), "backoff");
  EXPECT_EQ(Pop(), "");
  Reject("lucky");
  queue_.Retry("uid-lucky");
  EXPECT_EQ(Where("lucky"), "backoff");
  EXPECT_EQ(Pop(), "lucky");
  EXPECT_EQ(Pop(), "");
  Pass(seconds(2));
  EXPECT_EQ(Pop(), "failed");
}

TEST_F(QueueRulesTest, PodThatIsPoppedEarlyKeepsItsCounts) {
  Reject("a");
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Pop(), "a");
  EXPECT_EQ(popped_["a"].attempts, 2);
  EXPECT_EQ(popped_["a"].unschedulable_count, 1);
  queue_.MoveAll(kNodeAdd, {});
  Return("a", {"Scripted"});
  EXPECT_EQ(*queue_.NextWakeUp(), clock_.Now() + seconds(3)) << "its second rejection: 2 s";
}

TEST_F(QueueRulesTest, UpdateInBackoffKeepsTheExpiry) {
  Add(Pod("a"));
  FailNext("a");
  const SteadyTime end = *queue_.NextWakeUp();
  int asked = 0;
  script_.pre_enqueue = [&](const PendingPod&) {
    ++asked;
    return Status::Success();
  };
  clock_.Advance(milliseconds(300));
  queue_.Update(Pod("a").Info(words_), Pod("a").Label("x", "y").Nominated("n").Info(words_));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(*queue_.NextWakeUp(), end);
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "n");
  EXPECT_EQ(queue_.Find("uid-a")->pod->nominated_node_name(), "n");
}

// ---- gates

TEST_F(QueueRulesTest, PreEnqueueErrorGatesLikeARejection) {
  script_.pre_enqueue = [](const PendingPod&) { return Status::Failed("no answer"); };
  Add(Pod("a"));
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_EQ(queue_.Statistics().by_plugin.at({"Scripted", "test"}), 1u);
  EXPECT_THAT(incoming_.seen, ElementsAre("unschedulable UnscheduledPodAdd"));
}

TEST_F(QueueRulesTest, RunsOtherPreEnqueuePluginsOnlyAfterTheGatingOne) {
  std::vector<std::string> asked;
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod&) {
    asked.emplace_back("Scripted");
    return Status::Success();
  };
  other_.pre_enqueue = [&](const PendingPod&) {
    asked.emplace_back("Other");
    return open ? Status::Success() : Status::UnschedulableAndUnresolvable("gate");
  };
  Add(Pod("a"));
  asked.clear();
  queue_.MoveAll(kPodDelete, {});
  EXPECT_THAT(asked, ElementsAre("Other"));
  EXPECT_EQ(Where("a"), "gated");
  asked.clear();
  open = true;
  queue_.MoveAll(kPodDelete, {});
  EXPECT_THAT(asked, ElementsAre("Other", "Scripted"));
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(QueueRulesTest, PodMayBeGatedOnItsWayIntoBackoff) {
  Reject("a");
  script_.pre_enqueue = [](const PendingPod&) { return Status::Unschedulable("gate"); };
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_THAT(incoming_.seen,
              ElementsAre("active UnscheduledPodAdd", "unschedulable ScheduleAttemptFailure",
                          "unschedulable NodeAdd"));
}

TEST_F(QueueRulesTest, EndOfBackoffDoesNotRunPreEnqueue) {
  Add(Pod("a"));
  FailNext("a");
  script_.pre_enqueue = [](const PendingPod&) { return Status::Unschedulable("gate"); };
  Pass(seconds(3));
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(QueueRulesTest, GatedPodKeepsItsNomination) {
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod&) {
    return open ? Status::Success() : Status::Unschedulable("gate");
  };
  Add(Pod("a").Nominated("n"));
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "n");
  open = true;
  queue_.Update(Pod("a").Nominated("n").Info(words_),
                Pod("a").Nominated("n").Label("x", "y").Info(words_));
  EXPECT_EQ(Where("a"), "active");
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "n");
}

// ---- return of a pod

TEST_F(QueueRulesTest, PodThatIsNotInFlightReturnsAfterItsBackoff) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.Done("uid-a");
  Return("a", {"Scripted"});
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(QueueRulesTest, ReturnWithoutPluginsIsRetriedWithoutAnEvent) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  Return("a", {});
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(incoming_.seen.back(), "backoff ScheduleAttemptFailure");
}

TEST_F(QueueRulesTest, ImmediateEventTakesPrecedenceOverBackoffEvent) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeAdd, {});    // Scripted: after backoff
  queue_.MoveAll(kPodDelete, {});  // Other, which is pending: immediately
  Return("a", {"Scripted"}, {"Other"});
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(QueueRulesTest, SkippedEventInFlightLeavesThePodUnschedulable) {
  script_.hint = [](const PendingPod&, const ClusterEvent&, const EventObjects&) {
    return QueueingHint::kSkip;
  };
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeAdd, {});
  Return("a", {"Scripted"});
  EXPECT_EQ(Where("a"), "unschedulable");
}

TEST_F(QueueRulesTest, EventWithoutRegisteredPluginIsNotRecorded) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeDelete, {});
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u);
}

TEST_F(QueueRulesTest, RecordsEventsFromTheFirstPodInFlightOn) {
  for (const char* name : {"a", "b", "c"}) Add(Pod(name));
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u) << "no pod is in flight";
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Pop(), "b");
  queue_.MoveAll(kPodDelete, {});
  ASSERT_EQ(Pop(), "c");
  EXPECT_EQ(queue_.Statistics().in_flight_events, 2u);
  queue_.Done("uid-b");
  queue_.Done("uid-b");
  EXPECT_EQ(queue_.Statistics().in_flight_events, 2u) << "a missed both";
  Return("a", {"Other"});
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u) << "c was popped after both";
}

// ---- updates

TEST_F(QueueRulesTest, FirstHelpfulChangeIsTheReason) {
  Reject("a");
  std::vector<std::string> asked;
  script_.hint = [&](const PendingPod&, const ClusterEvent& event, const EventObjects&) {
    asked.push_back(event.Label());
    return QueueingHint::kQueue;
  };
  queue_.Update(Pod("a").Requests("cpu=2").Info(words_),
                Pod("a").Requests("cpu=1").Label("x", "y").Info(words_));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_THAT(asked, ElementsAre("TargetPodUpdatePodLabel"));
}

TEST_F(QueueRulesTest, UpdateInFlightDoesNotAffectOtherPods) {
  Add(Pod("a"));
  Add(Pod("b"));
  EXPECT_THAT(PopAll(), ElementsAre("a", "b"));
  queue_.Update(Pod("a").Info(words_), Pod("a").Label("x", "y").Info(words_));
  Return("b", {"Scripted"});
  Return("a", {"Scripted"});
  EXPECT_EQ(Where("b"), "unschedulable");
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(QueueRulesTest, UpdateTakesTheNominationFromTheStatus) {
  Add(Pod("a").Nominated("n"));
  queue_.Update(Pod("a").Nominated("n").Info(words_), Pod("a").Nominated("m").Info(words_));
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "m");
  queue_.Update(Pod("a").Nominated("m").Info(words_), Pod("a").Info(words_));
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "");
}

// ---- leftovers

TEST_F(QueueRulesTest, LeftoversOfHigherPriorityReturnFirst) {
  queue_.Flush();
  Add(Pod("low").Priority(1));
  Add(Pod("high").Priority(2));
  EXPECT_THAT(PopAll(), ElementsAre("high", "low"));
  Return("low", {"Scripted"});
  Return("high", {"Scripted"});
  Pass(minutes(5) + seconds(30));
  EXPECT_THAT(PopAll(), ElementsAre("high", "low"));
}

TEST_F(QueueRulesTest, FlushIsAnEventForPodsInFlight) {
  queue_.Flush();
  Reject("old");
  clock_.Advance(minutes(6));
  Add(Pod("flying").Priority(9));
  ASSERT_EQ(Pop(), "flying");
  queue_.Flush();
  ASSERT_EQ(Where("old"), "active");
  Return("flying", {"Other"});
  EXPECT_EQ(Where("flying"), "backoff");
}

// ---- activation

TEST_F(QueueRulesTest, ActivationMovesAnUnschedulablePod) {
  Reject("a");
  Reject("b");
  queue_.Activate({"uid-a", "uid-of-unknown"});
  EXPECT_EQ(Where("a"), "active");
  EXPECT_EQ(incoming_.seen.back(), "active ForceActivate");
  EXPECT_EQ(Where("b"), "unschedulable");
}

TEST_F(QueueRulesTest, ActivationEndsBackoffWithoutRunningPreEnqueue) {
  Add(Pod("failed"));
  FailNext("failed");
  Reject("rejected");
  queue_.MoveAll(kNodeAdd, {});
  script_.pre_enqueue = [](const PendingPod&) { return Status::Unschedulable("gate"); };
  queue_.Activate({"uid-failed", "uid-rejected"});
  EXPECT_EQ(Where("failed"), "active");
  EXPECT_EQ(Where("rejected"), "active");
}

TEST_F(QueueRulesTest, ActivationOpensNoGate) {
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod&) {
    return open ? Status::Success() : Status::Unschedulable("gate");
  };
  Add(Pod("a"));
  queue_.Activate({"uid-a"});
  EXPECT_EQ(Where("a"), "gated");
  open = true;
  queue_.Activate({"uid-a"});
  EXPECT_EQ(Where("a"), "active") << "PreEnqueue runs again";
}

TEST_F(QueueRulesTest, ActivationOfAnActivePodHasNoEffect) {
  Add(Pod("a"));
  const size_t counted = incoming_.seen.size();
  queue_.Activate({"uid-a"});
  EXPECT_EQ(incoming_.seen.size(), counted);
}

TEST_F(QueueRulesTest, ActivationInFlightRequeuesOnlyThatPod) {
  Add(Pod("a"));
  Add(Pod("b"));
  EXPECT_THAT(PopAll(), ElementsAre("a", "b"));
  queue_.Activate({"uid-b"});
  Return("a", {"Scripted"});
  Return("b", {"Scripted"});
  EXPECT_EQ(Where("a"), "unschedulable");
  EXPECT_EQ(Where("b"), "backoff");
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u);
}

TEST_F(QueueRulesTest, ActivationOfAnUnknownPodRecordsNothing) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.Activate({"uid-of-unknown"});
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u);
}

// ---- several profiles

TEST_F(QueueRulesTest, OnlyPluginsOfItsOwnProfileRequeueAPod) {
  Script theirs{.name = "Scripted", .events = {{Resource::kNode, action::kDelete, "other room"}}};
  queue_.SetProfiles({{"test", TestProfile({clock_, api_, words_}, "test", {&script_})},
                      {"theirs", TestProfile({clock_, api_, words_}, "theirs", {&theirs})}});
  Reject("ours");
  Add(MakePod("theirs").Scheduler("theirs"));
  ASSERT_EQ(Pop(), "theirs");
  Return("theirs", {"Scripted"});
  queue_.MoveAll(kNodeDelete, {});
  EXPECT_EQ(Where("ours"), "unschedulable");
  EXPECT_EQ(Where("theirs"), "backoff");
}

}  // namespace
}  // namespace berth::scheduler::testing
