// SPDX-License-Identifier: Apache-2.0
// Faults around a whole scheduler, and their effect on pods. docs/faults.md has the list.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/events.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr const char* kScheduled =
    R"(scheduler_schedule_attempts_total{profile="hello",result="scheduled"})";
constexpr const char* kPods = R"(scheduler_cache_size{type="pods"})";
constexpr const char* kAssumed = R"(scheduler_cache_size{type="assumed_pods"})";
constexpr const char* kStalls =
    R"(berth_scheduling_thread_stalls_total{extension_point="Filter",plugin="Moody"})";
constexpr const char* kUnschedulable = R"(scheduler_pending_pods{queue="unschedulable"})";

class FaultsTest : public EngineTest {
 protected:
  void AddPods(const std::string& prefix, int count, const std::string& cpu = "10m") {
    for (int i = 0; i < count; ++i) AddPod(prefix + std::to_string(i), cpu);
  }
  size_t Bound() {
    const auto pods = admin_.List<api::Pod>("default", {}).value();
    return static_cast<size_t>(std::ranges::count_if(
        pods.items, [](const auto& pod) { return !pod->spec.node_name.empty(); }));
  }
  bool EventuallyBound(size_t pods, milliseconds limit = seconds(30)) {
    return Eventually([&] { return Bound() == pods; }, limit);
  }
  std::string MessageOf(const std::string& pod) {
    const api::Pod found = admin_.Get<api::Pod>("default", pod).value();
    for (const api::PodCondition& condition : found.status.conditions) {
      if (condition.type == "PodScheduled") return condition.reason + ": " + condition.message;
    }
    return "";
  }
  // Expects the core's state to equal the server's, without any repair.
  void ExpectTrueToTheServer(double pods) {
    EXPECT_TRUE(Eventually([&] {
      Wake();
      return Figure(kPods) == pods && Figure(kAssumed) == 0;
    })) << Figure(kPods)
        << " pods, " << Figure(kAssumed) << " of them assumed";
    EXPECT_EQ(Figure("berth_cache_repairs"), 0);
    EXPECT_EQ(Figure(R"(berth_scheduler_repairs_total{kind="pods"})"), 0);
    EXPECT_EQ(Figure(R"(berth_scheduler_repairs_total{kind="nodes"})"), 0);
  }
};

// ---- bindings

struct Loss {
  const char* title;
  const char* rule;
};
class LostBinding : public FaultsTest, public testing::WithParamInterface<Loss> {};

// Three such pods fill the node, so counting one of them twice or not at all would be visible.
TEST_P(LostBinding, IsMadeOnceAndCountedOnce) {
  Start(Config());
  AddNode("n1", "3");
  memory_.Inject(GetParam().rule);
  AddPod("a", "1");
  EXPECT_TRUE(EventuallyOn("a", "n1"));
  AddPod("b", "1");
  AddPod("c", "1");
  EXPECT_TRUE(EventuallyBound(3));
  AddPod("d", "1");
  EXPECT_TRUE(Eventually([&] { return Figure(kUnschedulable) == 1; }));
  EXPECT_EQ(Figure(kScheduled), 3);
  ExpectTrueToTheServer(3);
}

INSTANTIATE_TEST_SUITE_P(
    Losses, LostBinding,
    testing::Values(
        Loss{"RequestLost", R"({"action": "drop", "subresource": "binding", "times": 1})"},
        Loss{"ReplyLost",
             R"({"action": "drop", "when": "after", "subresource": "binding", "times": 1})"},
        Loss{
            "ErrorAfterwards",
            R"({"action": "fail", "code": 500, "when": "after", "subresource": "binding", "times": 1})"}),
    [](const auto& loss) { return std::string(loss.param.title); });

TEST_F(FaultsTest, DecisionForTheOldPodDoesNotBindARecreatedPod) {
  Start(Config());
  AddNode("n1", "4");
  memory_.Inject(
      R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 300, "times": 1})");
  AddPod("a", "3");
  ASSERT_TRUE(Eventually(
      [&] { return Figure("scheduler_scheduling_algorithm_duration_seconds_count") == 1; }));
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "a", {.grace_period_seconds = 0}));
  AddPod("a", "8");  // fits nowhere: only the old decision could bind it
  EXPECT_TRUE(Eventually([&] { return Figure(kUnschedulable) == 1; }));
  AddPod("b", "4");
  EXPECT_TRUE(EventuallyOn("b", "n1")) << "the resources of the old pod are free";
  EXPECT_EQ(NodeOf("a"), "");
  ExpectTrueToTheServer(1);
}

TEST_F(FaultsTest, DeletingANodeDuringABindingAffectsNoOtherPod) {
  Start(Config());
  AddNode("n1", "4");
  memory_.Inject(
      R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 300, "times": 1})");
  AddPod("a", "3");
  ASSERT_TRUE(Eventually(
      [&] { return Figure("scheduler_scheduling_algorithm_duration_seconds_count") == 1; }));
  ASSERT_TRUE(admin_.Delete<api::Node>("", "n1"));
  EXPECT_TRUE(EventuallyOn("a", "n1")) << "the API server binds to any name";
  AddNode("n2", "4");
  AddPod("b", "4");
  EXPECT_TRUE(EventuallyOn("b", "n2"));
  ExpectTrueToTheServer(2);
}

// ---- watches

TEST_F(FaultsTest, ExpiredWatchesNeitherStopBindingsNorCountPodsTwice) {
  Start(Config());
  for (int i = 0; i < 10; ++i) AddNode("n" + std::to_string(i), "4");
  AddPods("before", 20);
  ASSERT_TRUE(EventuallyBound(20));
  memory_.Inject(R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 20})");
  AddPods("during", 30);
  ASSERT_TRUE(Eventually([&] { return Bound() > 25; }));
  for (int storm = 0; storm < 3; ++storm) {
    memory_.server().CompactHistory();
    memory_.server().CutWatches("");
    AddPods("storm" + std::to_string(storm) + "-", 10);
  }
  EXPECT_TRUE(EventuallyBound(80));
  EXPECT_TRUE(Eventually([&] { return Figure(kScheduled) == 80; }));
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); })) << NotReady();
  ExpectTrueToTheServer(80);
}

TEST_F(FaultsTest, SchedulesAllPodsAfterATenMinuteServerOutage) {
  Start(ConfigOfPodsAndNodes());  // whose watches do not fall silent
  AddNode("n1", "40");
  AddPods("before", 5);
  ASSERT_TRUE(EventuallyBound(5));
  // The admin requests of the test are not affected.
  for (const char* rule :
       {R"({"action": "drop", "verb": "watch"})", R"({"action": "drop", "subresource": "binding"})",
        R"({"action": "drop", "verb": "update", "resource": "leases"})"}) {
    memory_.Inject(rule);
  }
  memory_.server().CutWatches("");
  AddPods("during", 20);
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "before0", {.grace_period_seconds = 0}));
  clock_.Leap(minutes(10));
  EXPECT_TRUE(Eventually([&] { return !NotReady().empty(); }));
  EXPECT_EQ(Bound(), 4u);
  memory_.server().ClearFaults();
  AddNode("n2", "4");  // a node event
  EXPECT_TRUE(Eventually(
      [&] {
        Wake();
        return NotReady().empty() && Bound() == 24;
      },
      seconds(30)))
      << NotReady();
  ExpectTrueToTheServer(24);
}

// ---- leaders

TEST_F(FaultsTest, TwoLeadersBindNoPodTwice) {
  Start(Config());
  OtherEngine other(*this, "host_2", {.lease = ObjectName{"default", "berth-other"}});
  ASSERT_TRUE(Eventually([&] { return other.NotReady().empty() && NotReady().empty(); }));
  for (int i = 0; i < 4; ++i) AddNode("n" + std::to_string(i), "4");
  AddPods("a", 60);
  EXPECT_TRUE(EventuallyBound(60));
  EXPECT_TRUE(Eventually([&] { return other.Figure(kPods) == 60 && other.Figure(kAssumed) == 0; }));
  EXPECT_TRUE(Eventually([&] { return Figure(kPods) == 60 && Figure(kAssumed) == 0; }));
  EXPECT_GT(other.Attempts(), 0) << "otherwise there were not two leaders";
}

// ---- plugins

// Moody is a filter that runs a function of the test for each pod.
class Moody final : public scheduler::FilterPlugin {
 public:
  using Mood = std::function<void(const std::string& pod)>;
  explicit Moody(Mood mood) : mood_(std::move(mood)) {}
  scheduler::Verdict Filter(const scheduler::CycleContext& cycle,
                            const scheduler::NodeView&) const override {
    mood_(cycle.pod.name());
    return scheduler::Verdict::Fits();
  }
  static scheduler::PluginDescriptor Of(const Mood& mood) {
    scheduler::PluginDescriptor descriptor;
    descriptor.name = "Moody";
    descriptor.points = {scheduler::ExtensionPoint::kFilter};
    descriptor.create = [mood](const json::Raw&, const scheduler::PluginHandle&)
        -> Result<std::unique_ptr<scheduler::Plugin>> { return std::make_unique<Moody>(mood); };
    return descriptor;
  }

 private:
  const Mood mood_;
};

TEST_F(FaultsTest, ThrowingPluginFailsThePodAndOtherPodsAreScheduled) {
  more_plugins_.push_back(Moody::Of([](const std::string& pod) {
    if (pod == "a") throw std::runtime_error("bad day");
  }));
  AddNode("n1", "4");
  Start(Config() + "  plugins: {filter: {enabled: [{name: Moody}]}}\n");
  AddPod("a");
  AddPod("b");
  EXPECT_TRUE(EventuallyOn("b", "n1"));
  EXPECT_TRUE(Eventually([&] { return !MessageOf("a").empty(); }));
  EXPECT_THAT(MessageOf("a"), HasSubstr("SchedulerError: running \"Moody\" filter plugin"));
  EXPECT_THAT(MessageOf("a"), HasSubstr("bad day"));
}

TEST_F(FaultsTest, SlowPluginIsNamedAndOtherPodsAreScheduledLater) {
  std::atomic<bool> is_asked = false;
  std::promise<void> enough;
  more_plugins_.push_back(
      Moody::Of([&is_asked, may_go_on = enough.get_future().share()](const std::string& pod) {
        if (pod != "a") return;
        is_asked = true;
        may_go_on.wait();
      }));
  AddNode("n1", "4");
  Start(Config() + "  plugins: {filter: {enabled: [{name: Moody}]}}\n");
  AddPod("before");
  ASSERT_TRUE(EventuallyOn("before", "n1"));
  EXPECT_EQ(Figure(kStalls), 0);
  AddPod("a");
  EXPECT_TRUE(Eventually([&] { return is_asked.load(); }));
  clock_.Leap(Watchdog::kLimit);
  EXPECT_TRUE(Eventually([&] { return Figure(kStalls) == 1; }));
  enough.set_value();
  EXPECT_TRUE(EventuallyOn("a", "n1"));
  AddPod("b");
  EXPECT_TRUE(EventuallyOn("b", "n1"));
  EXPECT_EQ(Figure(kStalls), 1) << "once for each stall";
}

// ---- many

TEST_F(FaultsTest, BindsWithinASecondDespiteTenThousandWaitingPods) {
  constexpr int kNodes = 1000, kWaiting = 10'000;
  for (int i = 0; i < kNodes; ++i) AddNode("n" + std::to_string(i), "4");
  AddPods("huge", kWaiting, "8");
  Start(Config());
  ASSERT_TRUE(Eventually([&] { return Figure(kUnschedulable) == kWaiting; }, minutes(2)));
  AddPod("fits");
  EXPECT_TRUE(Eventually([&] { return !NodeOf("fits").empty(); }, seconds(1)));
  EXPECT_EQ(Figure(kUnschedulable), kWaiting) << "a binding wakes none of them";
}

// ---- the end

TEST_F(FaultsTest, StopUnderLoadFinishesBindingsWithinTenSeconds) {
  Start(Config({"hello"}, kElected));
  for (int i = 0; i < 10; ++i) AddNode("n" + std::to_string(i), "40");
  memory_.Inject(R"({"action": "delay", "subresource": "binding", "delayMilliseconds": 500})");
  AddPods("a", 400);
  ASSERT_TRUE(Eventually([&] { return Bound() > 20; }));
  const auto asked = std::chrono::steady_clock::now();
  Stop();
  EXPECT_TRUE(Await());
  EXPECT_LT(std::chrono::steady_clock::now() - asked, seconds(10));
  const size_t bound = Bound();
  EXPECT_EQ(Figure(kScheduled), static_cast<double>(bound)) << "each binding was confirmed";
  EXPECT_LT(bound, 400u) << "otherwise there was no load";
  EXPECT_EQ(Lease().spec.holder_identity.value_or(""), "");
}

}  // namespace
}  // namespace berth::engine
