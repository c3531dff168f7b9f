// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/events.h"
#include "api/scheduler_contract.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr const char* kWaitingPatches = R"(berth_api_writes_waiting{class="status"})";

std::string Reloads(const std::string& result, int count) {
  return "berth_config_reloads_total{result=\"" + result + "\"} " + std::to_string(count);
}

// ---- reload

TEST_F(EngineTest, AppliedReloadServesItsProfilesAndIsReported) {
  Start(Config());
  AddNode("n1", "4");
  AddPod("a", "100m", "later");
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(Config())));
  const std::string newer = Config({"hello", "later"});
  Publish(newer);
  EXPECT_TRUE(EventuallyOn("a", "n1"));
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(newer)));
  EXPECT_EQ(Reported(api::kConfigNeedsRestartAnnotation), "");
  EXPECT_TRUE(Shows(Reloads("applied", 2)));
  EXPECT_THAT(engine_->ConfigJson(), HasSubstr("later"));
}

TEST_F(EngineTest, ReloadReportsAndKeepsSettingsThatNeedARestart) {
  Start(Config());
  AddNode("n1", "4");
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(Config())));
  const std::string newer =
      Config({"hello", "later"},
             "leaderElection: {leaderElect: true, leaseDuration: 60s, renewDeadline: 40s,\n"
             "  resourceNamespace: default, resourceName: berth-hello}\n");
  Publish(newer);
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(newer)));
  EXPECT_THAT(Reported(api::kConfigNeedsRestartAnnotation),
              testing::AllOf(HasSubstr("leaderElection.leaderElect"),
                             HasSubstr("leaderElection.leaseDuration"),
                             HasSubstr("leaderElection.renewDeadline")));
  EXPECT_EQ(Lease().spec.lease_duration_seconds, 15);
  EXPECT_TRUE(Shows(Reloads("needs_restart", 1)));
  EXPECT_THAT(engine_->ConfigJson(), HasSubstr(R"("leaseDuration":"15s")"));
  AddPod("a", "100m", "later");
  EXPECT_TRUE(EventuallyOn("a", "n1")) << "the other settings apply";

  Publish(Config());
  EXPECT_TRUE(EventuallyReports(api::kConfigNeedsRestartAnnotation, ""));
  EXPECT_TRUE(Shows(Reloads("applied", 2)));
}

TEST_F(EngineTest, FlagOverridesConfigurationAndReloads) {
  Start(Config({"hello"}, kElected), {.leader_elect = false});
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation,
                                api::ConfigHash(Config({"hello"}, kElected))));
  Publish(Config());
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(Config())));
  EXPECT_THAT(Reported(api::kConfigNeedsRestartAnnotation),
              testing::Not(HasSubstr("leaderElection.leaderElect")));
}

TEST_F(EngineTest, RejectedReloadKeepsTheConfigurationAndReportsWhy) {
  Start(Config());
  AddNode("n1", "4");
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(Config())));
  Publish(Config() + "  plugins: {filter: {enabled: [{name: NodeNam}]}}\n");
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kConfigErrorAnnotation).empty(); }));
  EXPECT_THAT(Reported(api::kConfigErrorAnnotation), HasSubstr("; nearest: NodeName"));
  EXPECT_EQ(Reported(api::kAppliedConfigHashAnnotation), api::ConfigHash(Config()));
  EXPECT_EQ(Reported(api::kConfigErrorHashAnnotation),
            api::ConfigHash(Config() + "  plugins: {filter: {enabled: [{name: NodeNam}]}}\n"));
  EXPECT_TRUE(Shows(Reloads("refused", 1)));
  AddPod("a");
  EXPECT_TRUE(EventuallyOn("a", "n1"));
}

// ---- stop

TEST_F(EngineTest, StopWaitsForBindingsAndReleasesTheLease) {
  Start(Config({"hello"}, kElected));
  AddNode("n1", "4");
  memory_.Inject(R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 500})");
  AddPod("a");
  EXPECT_TRUE(
      Eventually([&] { return Shows("scheduler_scheduling_algorithm_duration_seconds_count 1"); }));
  EXPECT_EQ(Lease().spec.holder_identity, "host_1");
  EXPECT_EQ(NodeOf("a"), "");
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_EQ(NodeOf("a"), "n1");
  EXPECT_EQ(Lease().spec.holder_identity.value_or(""), "");
}

TEST_F(EngineTest, StopDropsQueuedStatusPatchesAfterATimeout) {
  constexpr size_t kPods = 100;
  memory_.Inject(
      R"({"action": "delay", "verb": "patch", "subresource": "status", "delayMilliseconds": 500})");
  for (size_t i = 0; i < kPods; ++i) AddPod("a" + std::to_string(i), "8");
  AddNode("n1", "4");
  Start(Config());
  EXPECT_TRUE(Eventually([&] { return Figure(kWaitingPatches) > 0; }));
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_GT(Rejected(), 0u);
  EXPECT_LT(Rejected(), kPods);
}

TEST_F(EngineTest, StopWritesEventsAfterTheirBindings) {
  Start(Config());
  AddNode("n1", "4");
  memory_.Inject(R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 200})");
  AddPod("a");
  EXPECT_TRUE(
      Eventually([&] { return Shows("scheduler_scheduling_algorithm_duration_seconds_count 1"); }));
  Stop();
  EXPECT_TRUE(Await());
  const auto events = admin_.List<api::events::Event>("default", {}).value();
  ASSERT_EQ(events.items.size(), 1u);
  EXPECT_EQ(events.items[0]->reason, "Scheduled");
}

// ---- leadership

TEST_F(EngineTest, LosingTheLeaseEndsTheRun) {
  Start(Config({"hello"}, kElected));
  EXPECT_TRUE(Eventually([&] { return Lease().spec.holder_identity == "host_1"; }));
  EXPECT_TRUE(Eventually([&] {  // the engine may renew in between
    api::Lease taken = Lease();
    taken.spec.holder_identity = "host_2";
    return admin_.Update(taken).has_value();
  }));
  const auto ended = Await();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message(), "leader election lost");
  EXPECT_EQ(Lease().spec.holder_identity, "host_2");
}

TEST_F(EngineTest, RecordsLeaderElectionEventsOnTheLease) {
  const auto notes = [this] {
    std::vector<std::string> found;
    const auto events = admin_.List<api::events::Event>("default", {}).value();
    for (const auto& event : events.items) {
      if (event->reason != "LeaderElection") continue;
      EXPECT_EQ(event->regarding.kind, "Lease");
      EXPECT_EQ(event->regarding.name, "berth-hello");
      EXPECT_EQ(event->reporting_controller, "hello");
      found.push_back(event->note);
    }
    return found;
  };
  Start(Config({"hello"}, kElected));
  EXPECT_TRUE(
      Eventually([&] { return notes() == std::vector<std::string>{"host_1 became leader"}; }));
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_THAT(notes(),
              testing::UnorderedElementsAre("host_1 became leader", "host_1 stopped leading"));
}

// A scheduler that binds until it cannot renew its Lease, which another scheduler may then hold.
class EngineWithoutLeaseTest : public EngineTest {
 protected:
  void OutlastTheLeaseBeforeAPodComes() {
    AddNode("n1", "4");
    AddPod("before");
    EXPECT_TRUE(EventuallyOn("before", "n1"));
    memory_.Inject(R"({"action": "fail", "verb": "update", "resource": "leases"})");
    clock_.Leap(seconds(14) + milliseconds(500));
    AddPod("after");
  }
};

// Another scheduler may hold the Lease before the engine notices: the engine binds nothing after it
// expired.
TEST_F(EngineWithoutLeaseTest, BindsNothingAfterTheLeaseExpired) {
  Start(Config({"hello"}, kElected));
  OutlastTheLeaseBeforeAPodComes();
  const auto ended = Await();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message(), "leader election lost");
  EXPECT_EQ(NodeOf("after"), "");
}

// Two engines with one Lease, as when leader election is enabled while the old pod of the
// Deployment still runs.
TEST_F(EngineTest, EnablingElectionHandsOverWhenTheOldSchedulerStops) {
  Start(Config({"hello"}, kUnique));
  AddNode("n1", "4");
  AddPod("a");
  EXPECT_TRUE(EventuallyOn("a", "n1"));
  Publish(Config({"hello"}, kElected));
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation,
                                api::ConfigHash(Config({"hello"}, kElected))));
  EXPECT_THAT(Reported(api::kConfigNeedsRestartAnnotation),
              HasSubstr("leaderElection.leaderElect"));

  OtherEngine elected(*this, "host_2");
  EXPECT_TRUE(Eventually([&] { return elected.NotReady().empty(); }));
  AddPod("b");
  EXPECT_TRUE(EventuallyOn("b", "n1"));
  EXPECT_EQ(elected.Attempts(), 0) << "the old scheduler holds the Lease";
  EXPECT_EQ(Lease().spec.holder_identity, "host_1");

  Stop();
  EXPECT_TRUE(Await());
  AddPod("c");
  EXPECT_TRUE(EventuallyOn("c", "n1"));
  EXPECT_EQ(elected.Attempts(), 1);
  EXPECT_EQ(Lease().spec.holder_identity, "host_2");
  EXPECT_EQ(Reported(api::kConfigNeedsRestartAnnotation), "");
}

TEST_F(EngineWithoutLeaseTest, WithoutElectionBindsOnlyWhileTheLeaseIsValid) {
  Start(Config({"hello"}, kUnique));
  OutlastTheLeaseBeforeAPodComes();
  EXPECT_TRUE(Eventually([&] {
    clock_.Leap(seconds(1));  // metrics are updated every second
    Wake();
    return Figure(R"(scheduler_pending_pods{queue="active"})") +
               Figure(R"(scheduler_pending_pods{queue="backoff"})") +
               Figure(R"(scheduler_pending_pods{queue="unschedulable"})") ==
           1;
  }));
  EXPECT_EQ(NodeOf("after"), "");
  const auto before = Lease().spec.renew_time;
  memory_.server().ClearFaults();
  EXPECT_TRUE(Eventually([&] { return Lease().spec.renew_time != before; }));
  AddPod("again");
  EXPECT_TRUE(EventuallyOn("again", "n1"));
}

// ---- start

TEST_F(EngineTest, StartsWithTheConfigMapIfTheMountedFileIsOlder) {
  Start(Config({"hello"}, kElected), {.config_text = Config({"hello"}, kUnique)});
  EXPECT_TRUE(EventuallyReports(api::kAppliedConfigHashAnnotation,
                                api::ConfigHash(Config({"hello"}, kElected))));
  EXPECT_EQ(Reported(api::kConfigNeedsRestartAnnotation), "");
}

TEST_F(EngineTest, StartsWithTheMountedFileWithoutAConfigMap) {
  for (const bool is_away : {false, true}) {
    if (is_away) memory_.Inject(R"({"action": "fail", "resource": "configmaps"})");
    Start("", {.config_text = Config(), .config_map_wait = milliseconds(50)});
    EXPECT_TRUE(Eventually([&] { return !engine_->ConfigJson().empty(); })) << is_away;
    Stop();
    EXPECT_TRUE(Await());
  }
}

// ---- health

TEST_F(EngineTest, ReadyFromConfigurationAndFirstListsUntilStop) {
  Start("");
  EXPECT_EQ(NotReady(), "config: no configuration yet");
  // A delayed list may also delay the start of a watch.
  memory_.Inject(R"({"action": "delay", "resource": "nodes", "delayMilliseconds": 200})");
  Publish(Config());
  EXPECT_TRUE(Eventually(
      [&] { return NotReady() == "informer-sync: handlers are not fully synchronized"; }));
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); }));
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_EQ(NotReady(), "shutdown: process is shutting down");
}

TEST_F(EngineTest, NotReadyWhileAWatchIsSilent) {
  Start(ConfigOfPodsAndNodes());
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); }));
  clock_.Leap(seconds(91));
  EXPECT_THAT(NotReady(), HasSubstr("is silent"));
  AddNode("n1", "4");
  AddPod("a");
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); })) << NotReady();
}

TEST_F(EngineTest, NotLiveIfTheThreadMakesNoTurn) {
  Start(Config());
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); }));
  EXPECT_EQ(NotLive(), "");
  EXPECT_TRUE(Eventually([&] {
    clock_.Leap(seconds(61));
    return NotLive() == "scheduling-thread: no turn for long";
  }));
  AddPod("a");
  EXPECT_TRUE(Eventually([&] { return NotLive().empty(); }));
}

// Gate is a PreEnqueue plugin that accepts every pod and runs a function of the test.
class Gate final : public scheduler::PreEnqueuePlugin {
 public:
  explicit Gate(std::function<void()> look) : look_(std::move(look)) {}
  scheduler::Status PreEnqueue(const scheduler::PendingPod&,
                               const scheduler::EnqueueContext&) const override {
    look_();
    return scheduler::Status::Success();
  }
  static scheduler::PluginDescriptor Of(const std::function<void()>& look) {
    scheduler::PluginDescriptor descriptor;
    descriptor.name = "Gate";
    descriptor.points = {scheduler::ExtensionPoint::kPreEnqueue};
    descriptor.create = [look](const json::Raw&, const scheduler::PluginHandle&)
        -> Result<std::unique_ptr<scheduler::Plugin>> { return std::make_unique<Gate>(look); };
    return descriptor;
  }

 private:
  const std::function<void()> look_;
};

// Each pod of the list takes ten seconds, so a turn for the whole list would exceed the limit.
TEST_F(EngineTest, StaysLiveDuringALongList) {
  constexpr size_t kPods = 20;
  std::atomic<size_t> seen = 0, not_live = 0;
  more_plugins_.push_back(Gate::Of([&] {
    if (!NotLive().empty()) ++not_live;
    clock_.Leap(seconds(10));
    ++seen;
  }));
  for (size_t i = 0; i < kPods; ++i) AddPod("p" + std::to_string(i));
  Start(ConfigOfPodsAndNodes("preEnqueue: {enabled: [{name: Gate}]}"));
  EXPECT_TRUE(Eventually([&] { return seen >= kPods; }));
  EXPECT_EQ(not_live, 0u);
  EXPECT_GE(Figure("berth_turn_duration_seconds_count"), kPods);
}

// ---- bindings

// Hold is a PreBind plugin that holds the pods named "held..." until the test releases them.
class Hold final : public scheduler::PreBindPlugin {
 public:
  using Held = std::vector<scheduler::StatusDone>;
  explicit Hold(Held& held) : held_(held) {}
  scheduler::PreBindPreFlightResult PreBindPreFlight(scheduler::CycleContext& cycle,
                                                     const scheduler::NodeRef&) const override {
    const bool is_held = cycle.pod.name().starts_with("held");
    return {is_held ? scheduler::Status::Success() : scheduler::Status::Skip()};
  }
  void PreBind(scheduler::CycleContext&, const scheduler::NodeRef&, const std::stop_token&,
               scheduler::StatusDone done) const override {
    held_.push_back(std::move(done));
  }
  static scheduler::PluginDescriptor Of(Held& held) {
    scheduler::PluginDescriptor descriptor;
    descriptor.name = "Hold";
    descriptor.points = {scheduler::ExtensionPoint::kPreBind};
    descriptor.create = [&held](const json::Raw&, const scheduler::PluginHandle&)
        -> Result<std::unique_ptr<scheduler::Plugin>> { return std::make_unique<Hold>(held); };
    return descriptor;
  }

 private:
  Held& held_;
};

// Provisioning of volumes may take minutes.
TEST_F(EngineTest, PodsThatWaitInPreBindDoNotBlockOtherPods) {
  constexpr size_t kHeld = Engine::kMaxBindings + 2;
  Hold::Held held;  // owned by the scheduling thread
  more_plugins_.push_back(Hold::Of(held));
  AddNode("n1", "64");
  for (size_t i = 0; i < kHeld; ++i) AddPod("held" + std::to_string(i));
  Start(Config() + "  plugins: {preBind: {enabled: [{name: Hold}]}}\n");
  EXPECT_TRUE(Eventually(
      [&] { return Figure("scheduler_scheduling_algorithm_duration_seconds_count") == kHeld; }));
  AddPod("other");
  EXPECT_TRUE(EventuallyOn("other", "n1"));
  EXPECT_EQ(NodeOf("held0"), "");
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_EQ(held.size(), kHeld);
}

// ---- metrics

// Probe is a filter that accepts every node and runs a function of the test.
class Probe final : public scheduler::FilterPlugin {
 public:
  explicit Probe(std::function<void()> look) : look_(std::move(look)) {}
  scheduler::Verdict Filter(const scheduler::CycleContext&,
                            const scheduler::NodeView&) const override {
    look_();
    return scheduler::Verdict::Fits();
  }
  static scheduler::PluginDescriptor Of(const std::function<void()>& look) {
    scheduler::PluginDescriptor descriptor;
    descriptor.name = "Probe";
    descriptor.points = {scheduler::ExtensionPoint::kFilter};
    descriptor.create = [look](const json::Raw&, const scheduler::PluginHandle&)
        -> Result<std::unique_ptr<scheduler::Plugin>> { return std::make_unique<Probe>(look); };
    return descriptor;
  }

 private:
  const std::function<void()> look_;
};

TEST_F(EngineTest, UpdatesGaugesWhileTheQueueIsNeverEmpty) {
  constexpr int kPods = 6;
  std::vector<double> active;  // as scraped during each attempt
  more_plugins_.push_back(Probe::Of([&] {
    active.push_back(Figure(R"(scheduler_pending_pods{queue="active"})"));
    clock_.Leap(seconds(2));
  }));
  AddNode("n1", "4");
  for (int i = 0; i < kPods; ++i) AddPod("a" + std::to_string(i));
  Start(Config() + "  plugins: {filter: {enabled: [{name: Probe}]}}\n");
  for (int i = 0; i < kPods; ++i) EXPECT_TRUE(EventuallyOn("a" + std::to_string(i), "n1"));
  Stop();
  ASSERT_TRUE(Await());
  ASSERT_EQ(active.size(), static_cast<size_t>(kPods));
  EXPECT_GT(active[2], active.back());
}

TEST_F(EngineTest, ReportsRejectedPodsByPlugin) {
  AddNode("n1", "4");
  Start(Config());
  AddPod("a", "8");
  AddPod("b", "8");
  EXPECT_TRUE(Eventually([&] {
    return Shows(R"(scheduler_unschedulable_pods{plugin="NodeResourcesFit",profile="hello"} 2)");
  }));
  AddNode("n2", "16");
  EXPECT_TRUE(Eventually([&] {
    return Shows(R"(scheduler_unschedulable_pods{plugin="NodeResourcesFit",profile="hello"} 0)");
  }));
}

// ---- writes

TEST_F(EngineTest, BindsAPodWhileRejectionsOfOtherPodsAreQueued) {
  constexpr int kRejected = 500;
  memory_.Inject(
      R"({"action": "delay", "verb": "patch", "subresource": "status", "delayMilliseconds": 100})");
  AddNode("n1", "4");
  for (int i = 0; i < kRejected; ++i) AddPod("refused" + std::to_string(i), "8");
  Start(Config());
  EXPECT_TRUE(Eventually([&] { return Figure(kWaitingPatches) > kRejected / 2.0; }));
  AddPod("fits");
  EXPECT_TRUE(Eventually([&] { return NodeOf("fits") == "n1"; }, seconds(1)));
  EXPECT_LT(Rejected(), static_cast<size_t>(kRejected));
}

}  // namespace
}  // namespace berth::engine
