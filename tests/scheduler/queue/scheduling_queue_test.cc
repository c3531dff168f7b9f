// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/scheduling_queue.h"

#include "scheduler/plugins/registry.h"
#include "tests/scheduler/queue/queue_fixture.h"

namespace berth::scheduler::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(SchedulingQueueTest, PopsHigherPriorityFirstThenOlder) {
  Add(Pod("low").Priority(1));
  Add(Pod("first"));
  clock_.Advance(milliseconds(1));
  Add(Pod("second"));
  Add(Pod("high").Priority(10));
  EXPECT_EQ(Pop(), "high");
  EXPECT_EQ(Pop(), "low");
  EXPECT_EQ(Pop(), "first");
  EXPECT_EQ(Pop(), "second");
  EXPECT_EQ(Pop(), "");
}

TEST_F(SchedulingQueueTest, CountsAttemptsAndKeepsTheFirstEntry) {
  Reject("a");
  const SteadyTime first = *popped_["a"].initial_attempt;
  clock_.Advance(seconds(20));
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Pop(), "a");
  EXPECT_EQ(popped_["a"].attempts, 2);
  EXPECT_EQ(*popped_["a"].initial_attempt, first);
}

TEST_F(SchedulingQueueTest, BacksOffOneTwoFourEightTenSeconds) {
  Add(Pod("a"));
  for (const int wait : {1, 2, 4, 8, 10, 10}) {
    ASSERT_EQ(Pop(), "a");
    Return("a", {});  // an error: never popped early
    EXPECT_EQ(Where("a"), "backoff");
    EXPECT_EQ(*queue_.NextWakeUp(), clock_.Now() + seconds(wait + 1));
    Pass(seconds(wait));
    EXPECT_EQ(Pop(), "") << "the window of the expiry still backs off, after " << wait << " s";
    Pass(seconds(1));
    EXPECT_EQ(Where("a"), "active") << wait;
  }
}

TEST_F(SchedulingQueueTest, BackoffEndsOnAWholeSecond) {
  clock_.Advance(milliseconds(700));
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  Return("a", {});
  Pass(milliseconds(1299));
  EXPECT_EQ(Where("a"), "backoff");
  Pass(milliseconds(1));
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(SchedulingQueueTest, NewOptionsApplyToLaterBackoffs) {
  Add(Pod("a"));
  ASSERT_EQ(Pop(), "a");
  queue_.SetOptions({.initial_backoff = seconds(5)});
  Return("a", {});
  EXPECT_EQ(*queue_.NextWakeUp(), clock_.Now() + seconds(6));
}

TEST_F(SchedulingQueueTest, RejectionResetsTheErrorCount) {
  Add(Pod("a"));
  Pop();
  Return("a", {});
  Pass(seconds(2));
  Pop();
  EXPECT_EQ(popped_["a"].consecutive_errors, 1);
  Return("a", {"Scripted"});
  EXPECT_EQ(queue_.Find("uid-a")->consecutive_errors, 0);
  EXPECT_EQ(queue_.Find("uid-a")->unschedulable_count, 1);
}

TEST_F(SchedulingQueueTest, PopsRejectedPodsFromBackoffIfNoPodIsActive) {
  Reject("a");
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Where("a"), "backoff");
  Add(Pod("b"));
  EXPECT_EQ(Pop(), "b");
  EXPECT_EQ(Pop(), "a");
  EXPECT_EQ(incoming_.seen.back(), "active PopFromBackoffQ");
}

TEST_F(SchedulingQueueTest, EventRequeuesOnlyPodsItMayHelp) {
  Reject("a");
  EXPECT_EQ(Where("a"), "unschedulable");
  queue_.MoveAll(kNodeDelete, {});
  EXPECT_EQ(Where("a"), "unschedulable") << "no plugin registered for the event";
  script_.hint = [](const PendingPod&, const ClusterEvent&, const EventObjects&) {
    return QueueingHint::kSkip;
  };
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "unschedulable") << "its hint returns kSkip";
  script_.hint = nullptr;
  queue_.MoveAll(kNodeAdd, {}, [](const PendingPod&) { return false; });
  EXPECT_EQ(Where("a"), "unschedulable") << "it does not concern the pod";
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(incoming_.seen.back(), "backoff NodeAdd");
}

TEST_F(SchedulingQueueTest, OneHintCallIsValidForEquivalentPods) {
  script_.hint_key = [](const PendingPod& pod) { return ResultKey::Of(pod.name().substr(0, 1)); };
  for (const char* name : {"a1", "b1", "a2", "b2"}) Reject(name);
  std::vector<std::string> asked;
  script_.hint = [&asked](const PendingPod& pod, const ClusterEvent&, const EventObjects&) {
    asked.push_back(pod.name());
    return pod.name().front() == 'a' ? QueueingHint::kQueue : QueueingHint::kSkip;
  };
  queue_.MoveAll(kNodeAdd, {}, [](const PendingPod& pod) { return pod.name() != "a1"; });
  EXPECT_EQ(asked, (std::vector<std::string>{"a2", "b1"})) << "a1 is not concerned";
  EXPECT_EQ(Where("a1"), "unschedulable");
  EXPECT_EQ(Where("a2"), "backoff");
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a1"), "backoff");
  EXPECT_EQ(Where("b1"), "unschedulable");
}

TEST_F(SchedulingQueueTest, PendingPluginsDistinguishEquivalentPods) {
  script_.hint_key = [](const PendingPod&) { return ResultKey::Of(""); };
  Reject("rejected");
  Add(Pod("pending"));
  Pop();
  Return("pending", {"Scripted"}, {"Scripted"});
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("rejected"), "backoff");
  EXPECT_EQ(Where("pending"), "active");
}

TEST_F(SchedulingQueueTest, HintThatThrowsRequeuesThePod) {
  Reject("a");
  script_.hint = [](const PendingPod&, const ClusterEvent&, const EventObjects&) -> QueueingHint {
    throw std::runtime_error("broken");
  };
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(SchedulingQueueTest, HintThatThrowsANonExceptionRequeuesThePod) {
  Reject("a");
  script_.hint = [](const PendingPod&, const ClusterEvent&, const EventObjects&) -> QueueingHint {
    throw 1;
  };
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(SchedulingQueueTest, EventAfterTheBackoffActivatesThePod) {
  Reject("a");
  clock_.Advance(seconds(2));
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(SchedulingQueueTest, PendingPluginSkipsTheBackoff) {
  Add(Pod("a"));
  Pop();
  Return("a", {"Scripted"}, {"Scripted"});
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(SchedulingQueueTest, HintsOfOtherPluginsAreNotCalled) {
  Add(Pod("a"));
  Pop();
  Return("a", {"Other"});
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "unschedulable");
}

TEST_F(SchedulingQueueTest, EventInFlightIsReplayed) {
  Add(Pod("a"));
  Add(Pod("b"));
  ASSERT_EQ(Pop(), "a");
  queue_.MoveAll(kNodeAdd, {});
  ASSERT_EQ(Pop(), "b");
  Return("a", {"Scripted"});
  Return("b", {"Scripted"});
  EXPECT_EQ(Where("a"), "backoff") << "it missed the event";
  EXPECT_EQ(Where("b"), "unschedulable") << "it was popped after the event";
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u);
}

TEST_F(SchedulingQueueTest, PendingPluginInReplayTakesPrecedence) {
  Add(Pod("a"));
  Pop();
  queue_.MoveAll(kNodeAdd, {});
  Return("a", {"Other"}, {"Scripted"});
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(SchedulingQueueTest, UpdateInFlightIsReplayed) {
  Add(Pod("a"));
  Pop();
  const auto old_pod = Pod("a").Info(words_);
  queue_.Update(old_pod, Pod("a").Label("x", "y").Info(words_));
  EXPECT_EQ(Where("a"), "nowhere");
  Return("a", {"Scripted"});
  EXPECT_EQ(Where("a"), "backoff");
}

TEST_F(SchedulingQueueTest, UpdateRequeuesAnUnschedulablePodIfItHelps) {
  Reject("a");
  const auto plain = Pod("a").Info(words_);
  queue_.Update(plain, Pod("a").Nominated("n").Info(words_));
  EXPECT_EQ(Where("a"), "unschedulable") << "no plugin registered for that change";
  EXPECT_EQ(queue_.nominator().NodeOf("uid-a"), "n");
  queue_.Update(plain, Pod("a").Label("x", "y").Info(words_));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(incoming_.seen.back(), "backoff TargetPodUpdatePodLabel");
}

TEST_F(SchedulingQueueTest, UpdateSortsAnActivePodAgain) {
  Add(Pod("a"));
  Add(Pod("b"));
  queue_.Update(Pod("b").Info(words_), Pod("b").Priority(5).Info(words_));
  EXPECT_EQ(Pop(), "b");
  EXPECT_EQ(popped_["b"].pod->priority(), 5);
}

TEST_F(SchedulingQueueTest, UpdateOfAnUnknownPodAddsIt) {
  queue_.Update(Pod("a").Info(words_), Pod("a").Info(words_));
  EXPECT_EQ(Where("a"), "active");
  EXPECT_THAT(incoming_.seen, ElementsAre("active UnscheduledPodAdd"));
}

TEST_F(SchedulingQueueTest, GatedPodWaitsUntilItsGateOpens) {
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod&) {
    return open ? Status::Success() : Status::UnschedulableAndUnresolvable("gate");
  };
  Add(Pod("a"));
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_EQ(queue_.Statistics().gated, 1u);
  EXPECT_EQ(queue_.Find("uid-a")->initial_attempt, std::nullopt);
  Pass(minutes(6));
  EXPECT_EQ(Where("a"), "gated") << "PreEnqueue runs again after five minutes, still closed";
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "gated") << "and at an event of the gating plugin";
  open = true;
  queue_.MoveAll(kNodeDelete, {});
  EXPECT_EQ(Where("a"), "gated") << "not an event of the gating plugin";
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("a"), "active");
}

TEST_F(SchedulingQueueTest, LeftoversAreRetriedAfterFiveMinutes) {
  queue_.Flush();
  Reject("a");
  Pass(minutes(5));
  EXPECT_EQ(Where("a"), "unschedulable");
  EXPECT_LE(*queue_.NextWakeUp(), clock_.Now() + seconds(30));
  Pass(seconds(30));
  EXPECT_EQ(Where("a"), "active");
  EXPECT_EQ(incoming_.seen.back(), "active UnschedulableTimeout");
  ASSERT_EQ(Pop(), "a");
  EXPECT_TRUE(popped_["a"].was_flushed);
  Return("a", {"Scripted"});
  EXPECT_FALSE(queue_.Find("uid-a")->was_flushed);
}

TEST_F(SchedulingQueueTest, GatedPodIsEvaluatedAgainEveryFiveMinutes) {
  queue_.Flush();
  int asked = 0;
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod&) {
    ++asked;
    return open ? Status::Success() : Status::UnschedulableAndUnresolvable("gate");
  };
  Add(Pod("a"));
  Pass(minutes(5) + seconds(30));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(Where("a"), "gated");
  EXPECT_FALSE(queue_.Find("uid-a")->was_flushed);
  EXPECT_EQ(incoming_.seen.back(), "unschedulable UnschedulableTimeout");
  Pass(minutes(4));
  EXPECT_EQ(asked, 2) << "not at each flush";
  open = true;
  Pass(minutes(1) + seconds(30));
  EXPECT_EQ(Where("a"), "active");
  EXPECT_TRUE(queue_.Find("uid-a")->was_flushed);
}

TEST_F(SchedulingQueueTest, DeletesFromEveryPart) {
  Add(Pod("active").Nominated("n"));
  queue_.Delete("uid-active");
  EXPECT_TRUE(queue_.nominator().empty());
  Reject("unschedulable");
  queue_.Delete("uid-unschedulable");
  Reject("backoff");
  queue_.MoveAll(kNodeAdd, {});
  queue_.Delete("uid-backoff");
  EXPECT_THAT(queue_.Uids(), IsEmpty());
  EXPECT_EQ(Pop(), "");
}

TEST_F(SchedulingQueueTest, PodDeletedInFlightLeavesNoState) {
  Add(Pod("a"));
  Pop();
  queue_.MoveAll(kNodeAdd, {});
  queue_.Delete("uid-a");
  queue_.Done("uid-a");
  EXPECT_EQ(queue_.Statistics().in_flight_pods, 0u);
  EXPECT_EQ(queue_.Statistics().in_flight_events, 0u);
}

TEST_F(SchedulingQueueTest, RecreatedPodOfTheSameNameIsAnotherPod) {
  Add(Pod("a").Uid("1"));
  Pop();
  Add(Pod("a").Uid("2"));
  EXPECT_EQ(queue_.WhereIs("2"), QueueName::kActive);
  Return("a", {"Scripted"});
  EXPECT_EQ(queue_.WhereIs("1"), QueueName::kUnschedulable);
  queue_.Delete("1");
  EXPECT_EQ(queue_.WhereIs("2"), QueueName::kActive);
  EXPECT_EQ(queue_.Statistics().in_flight_pods, 0u);
}

TEST_F(SchedulingQueueTest, QueuedPodIsNotRequeuedTwice) {
  Add(Pod("a"));
  Pop();
  Return("a", {});
  Return("a", {"Scripted"});
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_THAT(queue_.Uids(), ElementsAre("uid-a"));
}

TEST_F(SchedulingQueueTest, CountsPodsByRejectingPlugin) {
  Reject("a");
  Reject("b");
  const QueueStatistics figures = queue_.Statistics();
  EXPECT_EQ(figures.unschedulable, 2u);
  EXPECT_EQ(figures.by_plugin.at({"Scripted", "test"}), 2u);
}

TEST_F(SchedulingQueueTest, PodCountsForItsPluginsUntilItIsPoppedOrDeleted) {
  const auto rejected = [this] { return queue_.Statistics().by_plugin.at({"Scripted", "test"}); };
  Reject("a");
  Reject("b");
  queue_.Delete("uid-b");
  EXPECT_EQ(rejected(), 1u);
  Pass(minutes(6));
  EXPECT_EQ(Where("a"), "active");
  EXPECT_EQ(rejected(), 1u) << "it is still queued";
  ASSERT_EQ(Pop(), "a");
  EXPECT_EQ(rejected(), 0u);
}

TEST_F(SchedulingQueueTest, CountsGatedPodsSeparately) {
  bool open = false;
  script_.pre_enqueue = [&](const PendingPod& pod) {
    return pod.name() == "gated" && !open ? Status::Unschedulable("gate") : Status::Success();
  };
  Add(Pod("gated"));
  Reject("rejected");
  QueueStatistics figures = queue_.Statistics();
  EXPECT_EQ(figures.gated, 1u);
  EXPECT_EQ(figures.unschedulable, 1u);
  EXPECT_EQ(figures.by_plugin.at({"Scripted", "test"}), 2u)
      << "one gated, one rejected by a filter";
  open = true;
  queue_.SetProfiles({{"test", TestProfile({clock_, api_, words_}, "test", {})}});
  figures = queue_.Statistics();
  EXPECT_EQ(figures.gated, 0u);
  EXPECT_EQ(figures.unschedulable, 0u);
}

// The status patch of each attempt arrives as an update, which helps no pod.
TEST_F(SchedulingQueueTest, UpdateWithoutAMoveIsNotCountedAsIncoming) {
  Reject("a");
  const size_t counted = incoming_.seen.size();
  queue_.Update(Pod("a").Info(words_), Pod("a").Nominated("n").Info(words_));
  EXPECT_EQ(Where("a"), "unschedulable");
  EXPECT_EQ(incoming_.seen.size(), counted);
}

TEST_F(SchedulingQueueTest, NewProfilesRequeuePodsRejectedByOldOnes) {
  script_.pre_enqueue = [](const PendingPod& pod) {
    return pod.name() == "gated" ? Status::Unschedulable("gate") : Status::Success();
  };
  Add(Pod("gated"));
  Reject("rejected");
  Add(Pod("active"));
  Add(MakePod("flying").Scheduler("test").Priority(9));
  ASSERT_EQ(Pop(), "flying");
  queue_.SetProfiles({{"test", TestProfile({clock_, api_, words_}, "test", {})}});
  EXPECT_EQ(Where("gated"), "active");
  EXPECT_EQ(Where("rejected"), "backoff");
  EXPECT_EQ(Where("active"), "active");
  Return("flying", {"Scripted"});
  EXPECT_EQ(Where("flying"), "backoff");
}

TEST_F(SchedulingQueueTest, NewProfilesMapPluginsByName) {
  script_.pre_enqueue = [](const PendingPod& pod) {
    return pod.name() == "gated" ? Status::Unschedulable("gate") : Status::Success();
  };
  Add(Pod("gated"));
  Reject("rejected");
  Add(Pod("flying"));
  ASSERT_EQ(Pop(), "flying");
  const auto swapped = TestProfile({clock_, api_, words_}, "test", {&other_, &script_});
  ASSERT_NE(swapped->IndexOf("Scripted"), popped_["flying"].profile->IndexOf("Scripted"));
  queue_.SetProfiles({{"test", swapped}});
  Return("flying", {"Scripted"});
  const RejectedPods rejected = queue_.Statistics().by_plugin;
  EXPECT_EQ(rejected.at({"Scripted", "test"}), 3u);
  EXPECT_FALSE(rejected.contains({"Other", "test"}));
  for (const std::string uid : {"uid-gated", "uid-rejected", "uid-flying"}) {
    EXPECT_THAT(swapped->NamesOf(queue_.Find(uid)->rejected_by()), ElementsAre("Scripted")) << uid;
  }
  script_.pre_enqueue = nullptr;
  queue_.MoveAll(kPodDelete, {});
  EXPECT_EQ(Where("gated"), "gated") << "an event of the plugin that now has the old index";
  queue_.MoveAll(kNodeAdd, {});
  EXPECT_EQ(Where("gated"), "active");
}

TEST_F(SchedulingQueueTest, RejectionByARemovedPluginIsNotAnError) {
  Reject("waiting");
  Add(Pod("flying"));
  ASSERT_EQ(Pop(), "flying");
  queue_.SetProfiles({{"test", TestProfile({clock_, api_, words_}, "test", {})}});
  Return("flying", {"Scripted"});
  EXPECT_EQ(queue_.Statistics().by_plugin.at({"Scripted", "test"}), 0u);
  EXPECT_EQ(Where("waiting"), "backoff");
  EXPECT_EQ(Where("flying"), "backoff");
  EXPECT_EQ(Pop(), "waiting") << "popped early, unlike after an error";
  EXPECT_EQ(Pop(), "flying");
}

TEST_F(SchedulingQueueTest, PodsOfARemovedNameLeaveTheQueue) {
  Reject("b");
  Add(Pod("a"));
  queue_.SetProfiles({{"else", TestProfile({clock_, api_, words_}, "else", {})}});
  EXPECT_THAT(queue_.Uids(), IsEmpty());
  EXPECT_EQ(Pop(), "");
}

}  // namespace
}  // namespace berth::scheduler::testing
