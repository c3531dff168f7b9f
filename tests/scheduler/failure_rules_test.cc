// SPDX-License-Identifier: Apache-2.0
// Handling of failed attempts: queue part, condition, events and nomination. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, handleSchedulingFailure and handleBindingCycleError; the cases
// follow schedule_one_test.go, TestSchedulerScheduleOne and TestUpdatePodStatus.
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler::testing {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FailureRulesTest : public LoopTest {
 protected:
  FailureRulesTest() { scheduler_.On(api::Added(Node("n").Build())); }

  void Schedule(const PodBuilder& pod) {
    scheduler_.On(api::Added(pod.Build()));
    Run();
  }
  const PodStatusPatch& LastPatch() const { return api_.patches.back().patch; }
  // Expects that the attempt ended with an error of this message.
  void ExpectError(const std::string& name, const std::string& message) {
    EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: " + message));
    EXPECT_EQ(LastPatch().condition->reason, "SchedulerError");
    EXPECT_EQ(LastPatch().condition->message, message);
    EXPECT_THAT(witness_.attempts, ElementsAre("test error"));
    EXPECT_EQ(Where(name), "backoff");
    EXPECT_TRUE(scheduler_.queue().Find("uid-" + name)->rejected_by().empty());
    EXPECT_EQ(Cpu("n"), 0);
    ExpectAtRest();
  }
};

// ---- the failing step

TEST_F(FailureRulesTest, FilterErrorFailsTheAttempt) {
  script_.filter = [](const PendingPod&, const NodeView&) {
    return Verdict::Failed(VerdictReason::Intern("lost"));
  };
  Schedule(Pod("a"));
  ExpectError("a", "running \"Scripted\" filter plugin: lost");
}

TEST_F(FailureRulesTest, PermitErrorFailsTheAttempt) {
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Failed("lost")}; };
  Schedule(Pod("a"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  ExpectError("a", "running Permit plugin \"Scripted\": lost");
}

TEST_F(FailureRulesTest, PreBindPreFlightErrorFailsTheAttempt) {
  script_.pre_flight = [](const PendingPod&) { return Status::Failed("lost"); };
  Schedule(Pod("a"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  ExpectError("a", "running PreBindPreFlight \"Scripted\": lost");
}

TEST_F(FailureRulesTest, PreBindPreFlightRejectionIsAnError) {
  script_.pre_flight = [](const PendingPod&) { return Status::Unschedulable("no"); };
  Schedule(Pod("a"));
  ExpectError("a",
              "PreBindPreFlight Scripted returned \"Unschedulable\", which is unsupported. It is "
              "supposed to return Success, Skip, or Error status");
}

TEST_F(FailureRulesTest, PreBindRejectionIsReportedButRetriedWithoutAnEvent) {
  script_.has_pre_bind = true;
  Schedule(Pod("a"));
  script_.pre_binds.at(0)(Status::Unschedulable("volume is elsewhere"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: volume is elsewhere"));
  EXPECT_EQ(LastPatch().condition->reason, "Unschedulable");
  EXPECT_THAT(witness_.attempts, ElementsAre("test unschedulable"));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_TRUE(scheduler_.queue().Find("uid-a")->rejected_by().empty());
  EXPECT_EQ(scheduler_.queue().Find("uid-a")->consecutive_errors, 1);
}

TEST_F(FailureRulesTest, PodIsRetriedSilentlyIfAllBindPluginsSkip) {
  script_.bind = [](const PendingPod&) { return Status::Skip(); };
  Serve("test", {&script_});
  Schedule(Pod("a"));
  EXPECT_THAT(script_.calls, ElementsAre("Reserve a", "Unreserve a"));
  EXPECT_THAT(Notes(), IsEmpty());
  EXPECT_THAT(api_.patches, IsEmpty());
  EXPECT_THAT(witness_.attempts, ElementsAre("test error"));
  EXPECT_EQ(Where("a"), "backoff");
  EXPECT_EQ(Cpu("n"), 0);
  ExpectAtRest();
}

TEST_F(FailureRulesTest, PendingPermitPluginIsStoredAsPending) {
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Pending("soon")}; };
  Schedule(Pod("a"));
  const QueuedPod& rejected = *scheduler_.queue().Find("uid-a");
  EXPECT_THAT(rejected.profile->NamesOf(rejected.pending_plugins), ElementsAre("Scripted"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 soon."));
  EXPECT_EQ(LastPatch().condition->reason, "Unschedulable");
}

// ---- the nomination

TEST_F(FailureRulesTest, ErrorClearsTheNomination) {
  script_.filter = [](const PendingPod&, const NodeView&) {
    return Verdict::Failed(VerdictReason::Intern("lost"));
  };
  Schedule(Pod("a").Nominated("n"));
  EXPECT_EQ(LastPatch().nominated_node_name, "");
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-a"), "");
}

TEST_F(FailureRulesTest, RejectionWithoutPostFilterClearsTheNomination) {
  Schedule(Pod("a").Requests("cpu=8").Nominated("n"));
  EXPECT_EQ(LastPatch().nominated_node_name, "");
}

TEST_F(FailureRulesTest, EachFailureAfterTheChoiceClearsTheNomination) {
  script_.reserve = [](const PendingPod&) { return Status::Unschedulable("taken"); };
  Schedule(Pod("a").Nominated("n"));
  EXPECT_EQ(LastPatch().nominated_node_name, "");
  script_.reserve = nullptr;
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Unschedulable("no")}; };
  Schedule(Pod("b").Nominated("n"));
  EXPECT_EQ(LastPatch().nominated_node_name, "");
  script_.permit = nullptr;
  Schedule(Pod("c").Nominated("n"));
  Answer(0, Fail(Reason::kInternalError, "no"));
  EXPECT_EQ(LastPatch().nominated_node_name, "");
}

TEST_F(FailureRulesTest, ExistingNominationIsNotWrittenAgain) {
  script_.has_pre_bind = true;
  Schedule(Pod("a").Nominated("n"));
  EXPECT_THAT(api_.patches, IsEmpty());
}

TEST_F(FailureRulesTest, BindingWithoutWaitWritesNoNomination) {
  Schedule(Pod("a"));
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
  EXPECT_THAT(api_.patches, IsEmpty());
}

// ---- condition and event

TEST_F(FailureRulesTest, ReportsOnTheCurrentStateOfThePod) {
  Schedule(Pod("a"));
  auto newer = Pod("a").Label("x", "y");
  newer.raw().metadata.generation = 7;
  newer.raw().metadata.resource_version = "99";
  scheduler_.On(api::Added(newer.Build()));
  Answer(0, Fail(Reason::kInternalError, "no"));
  EXPECT_EQ(LastPatch().condition->observed_generation, 7);
  EXPECT_EQ(api_.events.back().first.resource_version, "99");
  const auto& queued = scheduler_.queue().Find("uid-a")->pod->pod();
  EXPECT_EQ(queued.metadata.labels.at("x"), "y");
}

TEST_F(FailureRulesTest, EventNoteIsCutAndConditionIsNot) {
  const std::string text(2000, 'x');
  script_.permit = [&](const PendingPod&) { return PermitResult{Status::Failed(text)}; };
  Schedule(Pod("a"));
  const std::string whole = "running Permit plugin \"Scripted\": " + text;
  EXPECT_EQ(LastPatch().condition->message, whole);
  EXPECT_EQ(api_.events.back().second.note, whole.substr(0, 1020) + " ...");
}

TEST_F(FailureRulesTest, PercentSignIsNotAFormat) {
  script_.permit = [](const PendingPod&) { return PermitResult{Status::Failed("100%d full")}; };
  Schedule(Pod("a"));
  EXPECT_EQ(api_.events.back().second.note, "running Permit plugin \"Scripted\": 100%d full");
}

TEST_F(FailureRulesTest, SameConditionIsNotWrittenUnlessTheNominationChanges) {
  auto told = Pod("a").Requests("cpu=8").Nominated("n");
  Schedule(told);
  told.raw().status.conditions = {*LastPatch().condition};
  told.raw().metadata.resource_version = "2";
  scheduler_.On(api::Added(told.Build()));
  scheduler_.On(api::Added(Node("m").Build()));
  const size_t patches = api_.patches.size();
  Pass(seconds(330));
  Run();
  ASSERT_EQ(api_.patches.size(), patches + 1);
  EXPECT_EQ(LastPatch().condition->message, "0/2 nodes are available: 2 Insufficient cpu.");
  told.raw().status.conditions = {*LastPatch().condition};
  told.raw().metadata.resource_version = "3";
  scheduler_.On(api::Added(told.Build()));
  Pass(seconds(330));
  Run();
  ASSERT_EQ(api_.patches.size(), patches + 2);
  EXPECT_FALSE(LastPatch().condition);
  EXPECT_EQ(LastPatch().nominated_node_name, "");
}

TEST_F(FailureRulesTest, ForgetsRejectingPluginsOfAnEarlierAttempt) {
  script_.reserve = [](const PendingPod&) { return Status::Unschedulable("taken"); };
  Schedule(Pod("a"));
  ASSERT_FALSE(scheduler_.queue().Find("uid-a")->rejected_by().empty());
  script_.filter = [](const PendingPod&, const NodeView&) {
    return Verdict::Failed(VerdictReason::Intern("lost"));
  };
  Pass(seconds(330));
  Run();
  EXPECT_TRUE(scheduler_.queue().Find("uid-a")->rejected_by().empty());
  EXPECT_EQ(scheduler_.queue().Find("uid-a")->unschedulable_count, 1);
  EXPECT_EQ(scheduler_.queue().Find("uid-a")->consecutive_errors, 1);
}

}  // namespace
}  // namespace berth::scheduler::testing
