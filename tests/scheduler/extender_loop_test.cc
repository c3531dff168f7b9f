// SPDX-License-Identifier: Apache-2.0
// Extenders in the scheduling loop: requeueing of pods they reject, and binding.
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::MakeExtenders;
using testing::Passing;
using testing::ScriptedExtender;

class ExtenderLoopTest : public LoopTest {
 protected:
  ExtenderLoopTest() {
    Serve();
    scheduler_.On(api::Added(Node("n").Build()));
  }

  // Serves the extenders in their current state.
  void Serve() {
    const PluginHandle handle{clock_, api_, words_};
    scheduler_.SetProfiles({{"test", testing::TestProfile(handle, "test", {&script_},
                                                          {"NodeResourcesFit", "SchedulingGates"},
                                                          MakeExtenders(handle, {&a_, &b_}))}});
  }
  void Schedule(const std::string& name) {
    scheduler_.On(api::Added(Pod(name).Build()));
    Run();
  }
  static ScriptedExtender::FilterAnswer Rejecting(std::string message) {
    return [=](const PendingPod&, const Snapshot& snapshot, std::span<const Slot> nodes) {
      return Result<ExtenderVerdicts>(Passing(
          snapshot, nodes, [](const std::string&) { return false; }, message));
    };
  }

  ScriptedExtender a_{"http://a"}, b_{"http://b"};
};

// ---- requeue

TEST_F(ExtenderLoopTest, NodeAndPodEventsRequeueARejectedPod) {
  a_.Filters(Rejecting("no license"));
  Serve();
  const auto node = Node("n").Build();
  const std::pair<const char*, std::function<void()>> kEvents[] = {
      {"a new node", [&] { scheduler_.On(api::Added(Node("m").Build())); }},
      {"a changed node",
       [&] { scheduler_.On(api::Modified(node, Node("n").Label("x", "y").Build())); }},
      {"a placed pod", [&] { Confirm(Pod("other"), "n"); }},
      {"a deleted pod",
       [&] { scheduler_.On(api::Deleted<api::Pod>(Pod("other").Build()->metadata.uid)); }},
  };
  int i = 0;
  for (const auto& [what, happen] : kEvents) {
    const std::string name = "p" + std::to_string(i++);
    Schedule(name);
    EXPECT_EQ(Where(name), "unschedulable") << what;
    const QueuedPod& rejected = *scheduler_.queue().Find("uid-" + name);
    EXPECT_THAT(rejected.profile->NamesOf(rejected.unschedulable_plugins), ElementsAre("Extender"));
    happen();
    EXPECT_EQ(Where(name), "backoff") << what;
    scheduler_.On(api::Deleted<api::Pod>("uid-" + name));
  }
  EXPECT_EQ(Notes().front(), "FailedScheduling: 0/1 nodes are available: 1 no license.");
  EXPECT_EQ(api_.patches.front().patch.condition->reason, "Unschedulable");
}

TEST_F(ExtenderLoopTest, ErrorIsRetriedAfterTheErrorBackoff) {
  a_.Filters([](const auto&, const auto&, auto) -> Result<ExtenderVerdicts> {
    return Fail(Reason::kUnavailable, "connection refused");
  });
  Serve();
  Schedule("p");
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: connection refused"));
  EXPECT_EQ(api_.patches.at(0).patch.condition->reason, "SchedulerError");
  EXPECT_EQ(Where("p"), "backoff");
  EXPECT_THAT(witness_.attempts, ElementsAre("test error"));
  a_.filter = nullptr;
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
}

TEST_F(ExtenderLoopTest, ReloadWithoutExtendersRetriesThePod) {
  a_.Filters(Rejecting("no license"));
  Serve();
  Schedule("p");
  LoopTest::Serve("test", {&script_});
  Pass(seconds(2));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
}

// ---- bind

TEST_F(ExtenderLoopTest, BindingExtenderReplacesBindPlugins) {
  a_.Filters();
  b_.Binds();
  script_.has_pre_bind = true;
  Serve();
  Schedule("p");
  EXPECT_THAT(b_.calls, IsEmpty()) << "PreBind comes first";
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_THAT(b_.calls, ElementsAre("bind p: n"));
  EXPECT_THAT(api_.binds, IsEmpty());
  EXPECT_EQ(Cpu("n"), 1000);
  b_.binds.at(0)({});
  EXPECT_THAT(script_.calls, ElementsAre("Reserve p", "PreBind p", "PostBind p"));
  EXPECT_THAT(Notes(), ElementsAre("Scheduled: Successfully assigned default/p to n"));
  EXPECT_THAT(witness_.attempts, ElementsAre("test scheduled"));
  // The Binding by the extender is confirmed like any other.
  EXPECT_TRUE(scheduler_.cache().IsAssumed("uid-p"));
  Confirm(Pod("p"), "n");
  EXPECT_FALSE(scheduler_.cache().IsAssumed("uid-p"));
  EXPECT_EQ(Cpu("n"), 1000);
  ExpectAtRest();
}

TEST_F(ExtenderLoopTest, BindingMayBeSeenBeforeItsResponse) {
  a_.Binds();
  Serve();
  Schedule("p");
  Confirm(Pod("p"), "n");
  a_.binds.at(0)({});
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(witness_.attempts, ElementsAre("test scheduled"));
  ExpectAtRest();
}

TEST_F(ExtenderLoopTest, LostResponseOfABoundPodCausesNoRetry) {
  a_.Binds();
  Serve();
  Schedule("p");
  Confirm(Pod("p"), "n");
  a_.binds.at(0)(Fail(Reason::kTimeout, "timeout"));
  EXPECT_EQ(Where("p"), "nowhere");
  EXPECT_EQ(Cpu("n"), 1000);
  ExpectAtRest();
}

TEST_F(ExtenderLoopTest, ExtenderBindsOnlyInterestingPods) {
  a_.Binds();
  a_.spec.managed_resources = {{"example.com/gpu", true}};
  Serve();
  Schedule("p");
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
  EXPECT_THAT(a_.calls, IsEmpty());
  scheduler_.On(api::Added(Pod("q").Requests("example.com/gpu=1").Build()));
  Run();
  EXPECT_THAT(a_.calls, ElementsAre("bind q: n"));
}

TEST_F(ExtenderLoopTest, BindingExtenderIsChosenTogetherWithTheNode) {
  a_.Binds();
  a_.spec.namespace_selector.emplace().match_labels = {{"team", "ml"}};
  script_.has_pre_bind = true;
  Serve();
  const auto labelled =
      std::make_shared<const api::Namespace>(testing::MakeNamespace("default", {{"team", "ml"}}));
  scheduler_.On(api::Added(labelled));
  Schedule("p");
  scheduler_.On(api::Deleted(labelled));
  script_.pre_binds.at(0)(Status::Success());
  EXPECT_THAT(a_.calls, ElementsAre("bind p: n"));
}

TEST_F(ExtenderLoopTest, FailedBindingReleasesTheNodeAndIsRetried) {
  a_.Binds();
  Serve();
  Schedule("p");
  a_.binds.at(0)(Fail(Reason::kUnknown, "no such device"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: no such device"));
  EXPECT_EQ(api_.patches.at(0).patch.condition->reason, "SchedulerError");
  EXPECT_EQ(Where("p"), "backoff");
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_THAT(script_.calls, ElementsAre("Reserve p", "Unreserve p"));
  EXPECT_THAT(api_.binds, IsEmpty());
  ExpectAtRest();
}

TEST_F(ExtenderLoopTest, FallsBackToTheNextBinderAfterIgnorableErrors) {
  a_.Ignorable().Binds();
  b_.Ignorable().Binds();
  Serve();
  Schedule("p");
  EXPECT_THAT(b_.calls, IsEmpty());
  a_.binds.at(0)(Fail(Reason::kUnavailable, "connection refused"));
  EXPECT_THAT(b_.calls, ElementsAre("bind p: n"));
  b_.binds.at(0)(Fail(Reason::kUnavailable, "connection refused"));
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
  Answer(0);
  EXPECT_THAT(witness_.attempts, ElementsAre("test scheduled"));
  ExpectAtRest();
}

TEST_F(ExtenderLoopTest, RunningBindingKeepsItsExtendersAfterAReload) {
  a_.Binds();
  Serve();
  Schedule("p");
  LoopTest::Serve("test", {&script_});
  a_.binds.at(0)({});
  EXPECT_THAT(witness_.attempts, ElementsAre("test scheduled"));
  ExpectAtRest();
}

}  // namespace
}  // namespace berth::scheduler
