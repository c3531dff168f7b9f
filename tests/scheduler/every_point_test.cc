// SPDX-License-Identifier: Apache-2.0
// Every extension point with a small plugin each, in the order of a scheduling attempt. The tests
// below the plugins show what each point may return and what the scheduler does then. Labels of the
// pods control the plugins. new_plugin_test.cc shows a complete plugin with arguments, from its
// header to a placed pod.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::PodBuilder;

// Returns the label of the pod that controls a plugin; "" if it is not set.
std::string LabelOf(const PendingPod& pod, const std::string& key) {
  const auto& labels = pod.pod().metadata.labels;
  const auto found = labels.find(key);
  return found == labels.end() ? "" : found->second;
}

// Sample records the calls of its plugin. Plugins only store their arguments; the test sets where
// to write.
class Sample : public virtual Plugin {
 public:
  std::vector<std::string>* calls = nullptr;
  std::string name;

 protected:
  void Note(std::string_view point, const PendingPod& pod, std::string_view rest = "") const {
    calls->push_back(std::string(point) + " " + pod.name() + std::string(rest));
  }
};

// ---- before the scheduling cycle

// Released keeps pods out of the queue until they have the label "released". It registers the event
// that may change its result; such an event runs it again.
class Released final : public Sample, public PreEnqueuePlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Released>({
        .name = "Released",
        .summary = "Gates pods until they are released.",
        .events = {{Resource::kPod, action::kUpdatePodLabel, "the label may have been set"}},
    });
  }
  Status PreEnqueue(const PendingPod& pod, const EnqueueContext&) const override {
    Note("PreEnqueue", pod);
    if (!LabelOf(pod, "released").empty()) return Status::Success();
    return Status::UnschedulableAndUnresolvable("not released yet");
  }
};

// ByName pops pods ordered by name. A profile has exactly one QueueSort plugin.
class ByName final : public Sample, public QueueSortPlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<ByName>({.name = "ByName", .summary = "Pops pods ordered by name."});
  }
  bool Less(const QueuedPod& a, const QueuedPod& b) const override {
    return a.pod->name() < b.pod->name();
  }
};

// ---- which nodes fit

// Guests limits the number of other pods on a pod's node by a label; the default is one. PreFilter
// computes the part that does not depend on the node. Filter reads it from the state, which has one
// value of each type. A node in Filter may be simulated: with nominated pods, without victims.
// ForEachPod includes such changes, so the plugin needs no equivalent of upstream's AddPod and
// RemovePod.
class Guests final : public Sample, public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Guests>({
        .name = "Guests",
        .summary = "Limits the number of other pods on a pod's node.",
        .events = {{Resource::kPod, action::kDelete, "another pod may be gone"}},
    });
  }
  PreFilterResult PreFilter(CycleContext& cycle) const override {
    Note("PreFilter", cycle.pod);
    const std::string others = LabelOf(cycle.pod, "others"), node = LabelOf(cycle.pod, "only-on");
    // After Skip, Filter is not called for this pod.
    if (others == "any") return PreFilterResult::Of(Status::Skip());
    cycle.state.Write(Limit{.others = others.empty() ? 1 : std::stoi(others)});
    if (node.empty()) return PreFilterResult::Of(Status::Success());
    return {Status::Success(), std::set<std::string>{node}};
  }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override {
    static const VerdictReason kCrowded = VerdictReason::Intern("node(s) were crowded");
    Note("Filter", cycle.pod, " on " + node.name() + (node.simulated() ? ", simulated" : ""));
    int others = 0;
    node.ForEachPod([&](const PodInfo&) { ++others; });
    return others <= cycle.state.Read<Limit>()->others ? Verdict::Fits()
                                                       : Verdict::Unschedulable(kCrowded);
  }

 private:
  struct Limit {
    int others = 0;
  };
};

// MakesRoom runs if no node fits; the test has several of them. The label with its name is the node
// that it nominates. The first success ends PostFilter.
class MakesRoom final : public Sample, public PostFilterPlugin {
 public:
  static PluginDescriptor Descriptor(std::string_view name) {
    return Describe<MakesRoom>({.name = name, .summary = "Nominates a node for a pod."});
  }
  PostFilterResult PostFilter(PostFilterContext& context) const override {
    Note("PostFilter", context.cycle.pod, " by " + name);
    const std::string node = LabelOf(context.cycle.pod, name);
    if (node.empty()) return {.status = Status::Unschedulable(name + " found no node")};
    return {.status = Status::Success(), .mode = NominatingMode::kOverride, .nominated_node = node};
  }
};

// ---- which of them is the best

// Empty prefers nodes with few pods. Score returns their number; NormalizeScore maps it to 0 to
// 100, where more is better. (Most plugins only need a Normalizer, whose results the framework can
// cache. This plugin shows the extension point.)
class Empty final : public Sample, public PreScorePlugin, public ScorePlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Empty>({.name = "Empty", .summary = "Prefers nodes with few pods."});
  }
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override {
    Note("PreScore", cycle.pod, " for " + std::to_string(feasible.size()) + " nodes");
    return Status::Success();
  }
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override {
    Note("Score", cycle.pod, " on " + node.name());
    return static_cast<int64_t>(node.info().pods.size());
  }
  Normalizer normalizer() const override { return Normalizer::kCustom; }
  Status NormalizeScore(CycleContext& cycle, std::span<const Slot>,
                        std::span<int64_t> scores) const override {
    std::string raw;
    for (const int64_t score : scores) raw += " " + std::to_string(score);
    Note("NormalizeScore", cycle.pod, " of" + raw);
    for (int64_t& score : scores) score = std::max(kMinNodeScore, kMaxNodeScore - 10 * score);
    return Status::Success();
  }
};

// ---- the node is chosen

// Books reserves something on the node for the pod; the test has two of them. Unreserve releases it
// when the pod fails later, or when another plugin rejects the pod in Reserve. It must accept a
// call without a preceding Reserve.
class Books final : public Sample, public ReservePlugin {
 public:
  static PluginDescriptor Descriptor(std::string_view name) {
    return Describe<Books>({.name = name, .summary = "Reserves something on a node for a pod."});
  }
  Status Reserve(CycleContext& cycle, const NodeRef& node) const override {
    Note("Reserve", cycle.pod, " on " + node.name() + " by " + name);
    if (LabelOf(cycle.pod, name) == "reject") return Status::Unschedulable(name + " had none left");
    return Status::Success();
  }
  void Unreserve(CycleContext& cycle, const NodeRef& node) const override {
    Note("Unreserve", cycle.pod, " on " + node.name() + " by " + name);
  }
};

// Guard approves pods, rejects them, or lets them wait for the seconds in the label; the test has
// two of them. A waiting pod holds its resources and blocks no other pod.
class Guard final : public Sample, public PermitPlugin {
 public:
  static PluginDescriptor Descriptor(std::string_view name) {
    return Describe<Guard>(
        {.name = name, .summary = "Approves pods, rejects them, or lets them wait."});
  }
  PermitResult Permit(CycleContext& cycle, const NodeRef&) const override {
    Note("Permit", cycle.pod, " by " + name);
    const std::string wish = LabelOf(cycle.pod, name);
    if (wish == "deny") return {Status::Unschedulable(name + " said no")};
    if (!wish.empty()) return {Status::Wait(), seconds(std::stoi(wish))};
    return {Status::Success()};
  }
};

// ---- the binding

// Fetches has asynchronous work before the binding: it calls `done` when the work is complete, and
// only this pod waits for it. The test calls the callbacks in `answers`.
class Fetches final : public Sample, public PreBindPlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Fetches>({.name = "Fetches", .summary = "Works before a binding."});
  }
  PreBindPreFlightResult PreBindPreFlight(CycleContext& cycle, const NodeRef&) const override {
    Note("PreBindPreFlight", cycle.pod);
    return {LabelOf(cycle.pod, "fetch").empty() ? Status::Skip() : Status::Success()};
  }
  void PreBind(CycleContext& cycle, const NodeRef&, const std::stop_token&,
               StatusDone done) const override {
    Note("PreBind", cycle.pod);
    answers->push_back(std::move(done));
  }
  std::vector<StatusDone>* answers = nullptr;
};

// Elsewhere is for other pods, and skips the pods of this test.
class Elsewhere final : public Sample, public BindPlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Elsewhere>({.name = "Elsewhere", .summary = "Binds no pod of this test."});
  }
  void Bind(CycleContext& cycle, const NodeRef&, StatusDone done) const override {
    Note("Bind", cycle.pod, " by Elsewhere");
    done(Status::Skip());
  }
};

// Binds calls the API server for the binding. It keeps the part of the plugin handle that it needs.
class Binds final : public Sample, public BindPlugin {
 public:
  explicit Binds(const PluginHandle& handle) : api_(handle.api) {}
  static PluginDescriptor Descriptor() {
    return Describe<Binds>({.name = "Binds", .summary = "Binds pods."});
  }
  void Bind(CycleContext& cycle, const NodeRef& node, StatusDone done) const override {
    Note("Bind", cycle.pod, " by Binds");
    api_.Bind(PodRef::Of(cycle.pod.pod()), node.name(),
              [done = std::move(done)](Result<void> made) {
                done(made ? Status::Success() : Status::Failed(made.error().message()));
              });
  }

 private:
  ApiPort& api_;
};

// Tells is notified of bound pods.
class Tells final : public Sample, public PostBindPlugin {
 public:
  static PluginDescriptor Descriptor() {
    return Describe<Tells>({.name = "Tells", .summary = "Is notified of bound pods."});
  }
  void PostBind(CycleContext& cycle, const NodeRef& node) const override {
    Note("PostBind", cycle.pod, " on " + node.name());
  }
};

// ---- calls of the scheduler, in order

class EveryPoint : public LoopTest {
 protected:
  EveryPoint() {
    Serve();
    for (const char* node : {"n1", "n2"}) scheduler_.On(api::Added(Node(node).Build()));
  }

  // Creates a profile of the samples, in this order, and of real plugins.
  void Serve(const std::vector<std::string>& others = {}) {
    const Registry shipped = MakeRegistry();
    std::vector<PluginDescriptor> plugins(shipped.plugins().begin(), shipped.plugins().end());
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugins.multi_point.disabled = {{"*"}};
    for (PluginDescriptor& sample : Samples()) {
      spec.plugins.multi_point.enabled.push_back({std::string(sample.name)});
      plugins.push_back(Noting(std::move(sample)));
    }
    for (const std::string& other : others) spec.plugins.multi_point.enabled.push_back({other});
    profile_ =
        scheduler::Profile::Create(spec, 0, Registry(std::move(plugins)), {clock_, api_, words_})
            .value();
    scheduler_.SetProfiles({{"test", profile_}});
  }
  static std::vector<PluginDescriptor> Samples() {
    return {Released::Descriptor(),
            ByName::Descriptor(),
            Guests::Descriptor(),
            MakesRoom::Descriptor("Hopeless"),
            MakesRoom::Descriptor("Helper"),
            MakesRoom::Descriptor("Late"),
            Empty::Descriptor(),
            Books::Descriptor("Ledger"),
            Books::Descriptor("Keys"),
            Guard::Descriptor("Gate"),
            Guard::Descriptor("Door"),
            Fetches::Descriptor(),
            Elsewhere::Descriptor(),
            Binds::Descriptor(),
            Tells::Descriptor()};
  }
  // Makes the plugin record its calls in `calls_`.
  PluginDescriptor Noting(PluginDescriptor descriptor) {
    descriptor.create = [this, name = std::string(descriptor.name), create = descriptor.create](
                            const json::Raw& args,
                            const PluginHandle& handle) -> Result<std::unique_ptr<Plugin>> {
      BERTH_TRY(auto made, create(args, handle));
      auto& sample = dynamic_cast<Sample&>(*made);
      sample.calls = &calls_;
      sample.name = name;
      if (auto* fetches = dynamic_cast<Fetches*>(made.get())) fetches->answers = &fetched_;
      return made;
    };
    return descriptor;
  }

  static PodBuilder Ready(const std::string& name) { return Pod(name).Label("released", "yes"); }
  void Schedule(const PodBuilder& pod) {
    scheduler_.On(api::Added(pod.Build()));
    Run();
  }
  // Returns the calls from the first one with this prefix.
  std::vector<std::string> Since(const std::string& begin) const {
    auto call = calls_.begin();
    while (call != calls_.end() && !call->starts_with(begin)) ++call;
    return {call, calls_.end()};
  }

  std::vector<std::string> calls_;
  std::vector<StatusDone> fetched_;
  std::shared_ptr<const scheduler::Profile> profile_;
};

TEST_F(EveryPoint, HasAPlugin) {
  for (size_t i = 0; i < kExtensionPointCount; ++i) {
    const auto point = static_cast<ExtensionPoint>(i);
    // No plugin of Berth has these points, which place groups of pods.
    if (point >= ExtensionPoint::kPlacementGenerate) continue;
    EXPECT_FALSE(profile_->PluginsAt(point).empty()) << ToString(point);
  }
}

TEST_F(EveryPoint, RunsInThisOrder) {
  Schedule(Ready("p").Label("fetch", "image"));
  ASSERT_EQ(fetched_.size(), 1u);
  fetched_[0](Status::Success());
  ASSERT_THAT(Bound(), ElementsAre("p to n1"));
  Answer(0);
  EXPECT_THAT(calls_, ElementsAre("PreEnqueue p",                                              //
                                  "PreFilter p", "Filter p on n1", "Filter p on n2",           //
                                  "PreScore p for 2 nodes", "Score p on n1", "Score p on n2",  //
                                  "NormalizeScore p of 0 0",                                   //
                                  "Reserve p on n1 by Ledger", "Reserve p on n1 by Keys",      //
                                  "Permit p by Gate", "Permit p by Door",                      //
                                  "PreBindPreFlight p", "PreBind p",                           //
                                  "Bind p by Elsewhere", "Bind p by Binds",                    //
                                  "PostBind p on n1"));
  ExpectAtRest();
}

TEST_F(EveryPoint, PreEnqueueGatesAPodUntilARegisteredEvent) {
  Schedule(Pod("p"));
  EXPECT_THAT(calls_, ElementsAre("PreEnqueue p"));
  EXPECT_EQ(Where("p"), "gated");
  scheduler_.On(api::Modified(Pod("p").Build(), Ready("p").Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n1"));
}

TEST_F(EveryPoint, QueueSortDefinesTheOrderOfPods) {
  for (const char* name : {"b", "c", "a"}) scheduler_.On(api::Added(Ready(name).Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n1", "b to n2", "c to n1"));
}

TEST_F(EveryPoint, PreFilterMayNarrowTheNodesOrSkipFilter) {
  Schedule(Ready("p").Label("only-on", "n2"));
  EXPECT_THAT(calls_, ElementsAre("PreEnqueue p", "PreFilter p", "Filter p on n2",
                                  "Reserve p on n2 by Ledger", "Reserve p on n2 by Keys",
                                  "Permit p by Gate", "Permit p by Door", "PreBindPreFlight p",
                                  "Bind p by Elsewhere", "Bind p by Binds"))
      << "a single node is not scored, and PreBindPreFlight returned Skip";
  calls_.clear();
  Schedule(Ready("q").Label("others", "any"));
  EXPECT_EQ(calls_[1], "PreFilter q");
  EXPECT_EQ(calls_[2], "PreScore q for 2 nodes");
}

TEST_F(EveryPoint, FilterSeesNominatedPodsAndNoVictims) {
  Serve({"DefaultPreemption"});
  scheduler_.On(api::Deleted(Node("n2").Build()));
  for (const char* guest : {"x", "y"}) scheduler_.On(api::Added(Pod(guest).OnNode("n1").Build()));
  Schedule(Ready("p").Priority(10).Label("only-on", "n1"));
  EXPECT_THAT(Since("Filter p on n1, simulated"), Contains("Filter p on n1, simulated"))
      << "without one of the guests it fits";
  ASSERT_EQ(api_.victims.size(), 1u);
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "n1");

  calls_.clear();
  const std::string victim = api_.victims[0].pod.name;
  scheduler_.On(api::Deleted<api::Pod>("uid-" + victim));
  Schedule(Ready("q"));
  EXPECT_THAT(calls_, Contains("Filter q on n1, simulated")) << "as if p were there";
  EXPECT_THAT(Notes(), Contains("FailedScheduling: 0/1 nodes are available: 1 node(s) were "
                                "crowded. Hopeless found no node, Helper found no node, Late found "
                                "no node, preemption: 0/1 nodes are available: 1 No preemption "
                                "victims found for incoming pod."));
}

TEST_F(EveryPoint, PostFilterRunsUntilOneSucceeds) {
  for (const char* node : {"n1", "n2"}) {
    for (const char* guest : {"x", "y"}) {
      const std::string name = std::string(guest) + node;
      scheduler_.On(api::Added(Pod(name).OnNode(node).Build()));
    }
  }
  Schedule(Ready("p").Label("Helper", "n2").Label("Late", "n1"));
  EXPECT_THAT(Since("PostFilter"),
              ElementsAre("PostFilter p by Hopeless", "PostFilter p by Helper"));
  EXPECT_EQ(scheduler_.queue().nominator().NodeOf("uid-p"), "n2");
  EXPECT_EQ(Where("p"), "unschedulable") << "it fits when its victims are gone";
}

TEST_F(EveryPoint, NormalizeScoreDefinesTheFinalScore) {
  scheduler_.On(api::Added(Pod("x").OnNode("n1").Build()));
  Schedule(Ready("p"));
  EXPECT_THAT(calls_, Contains("NormalizeScore p of 1 0"));
  EXPECT_THAT(Bound(), ElementsAre("p to n2")) << "n2 has no pods";
}

TEST_F(EveryPoint, UnreserveRunsInReverseOverAllReservePlugins) {
  Schedule(Ready("p").Label("Ledger", "reject"));
  EXPECT_THAT(Since("Reserve"), ElementsAre("Reserve p on n1 by Ledger",  //
                                            "Unreserve p on n1 by Keys",  // reserved nothing
                                            "Unreserve p on n1 by Ledger"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 Ledger had none "
                                   "left."));
  ExpectAtRest();
}

TEST_F(EveryPoint, PermitEndsWithTheFirstRejection) {
  Schedule(Ready("p").Label("Gate", "deny").Label("Door", "60"));
  EXPECT_THAT(Since("Permit"), ElementsAre("Permit p by Gate", "Unreserve p on n1 by Keys",
                                           "Unreserve p on n1 by Ledger"));
  EXPECT_EQ(Where("p"), "unschedulable");
}

TEST_F(EveryPoint, PermitRejectionOverridesAnEarlierWait) {
  Schedule(Ready("p").Label("Gate", "60").Label("Door", "deny"));
  EXPECT_THAT(Since("Permit"),
              ElementsAre("Permit p by Gate", "Permit p by Door", "Unreserve p on n1 by Keys",
                          "Unreserve p on n1 by Ledger"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 Door said no."));
  ExpectAtRest();
}

TEST_F(EveryPoint, PermitWaitHoldsTheNodeUntilAllPluginsAllow) {
  Schedule(Ready("p").Label("Gate", "60").Label("Door", "60"));
  EXPECT_THAT(Since("Permit"),
              ElementsAre("Permit p by Gate", "Permit p by Door", "PreBindPreFlight p"));
  EXPECT_EQ(Cpu("n1"), 1000);
  EXPECT_TRUE(scheduler_.waiting().Allow("uid-p", "Gate"));
  EXPECT_THAT(Bound(), IsEmpty()) << "Door has not allowed it";
  EXPECT_TRUE(scheduler_.waiting().Allow("uid-p", "Door"));
  EXPECT_THAT(Bound(), ElementsAre("p to n1"));
}

TEST_F(EveryPoint, PermitWaitEndsWithTheFirstRejection) {
  Schedule(Ready("p").Label("Gate", "60").Label("Door", "60"));
  EXPECT_TRUE(scheduler_.waiting().Allow("uid-p", "Gate"));
  EXPECT_TRUE(scheduler_.waiting().Reject("uid-p", "Door", "Door changed its mind"));
  EXPECT_THAT(Since("PreBindPreFlight"),
              ElementsAre("PreBindPreFlight p", "Unreserve p on n1 by Keys",
                          "Unreserve p on n1 by Ledger"));
  EXPECT_EQ(Cpu("n1"), 0);
  EXPECT_EQ(Where("p"), "unschedulable");
}

TEST_F(EveryPoint, FirstPermitTimeoutRejectsThePod) {
  Schedule(Ready("p").Label("Gate", "60").Label("Door", "20"));
  Pass(seconds(19));
  EXPECT_EQ(Cpu("n1"), 1000);
  Pass(seconds(1));
  EXPECT_THAT(Since("PreBindPreFlight"),
              ElementsAre("PreBindPreFlight p", "Unreserve p on n1 by Keys",
                          "Unreserve p on n1 by Ledger"));
  EXPECT_EQ(Cpu("n1"), 0);
  EXPECT_EQ(Where("p"), "unschedulable");
}

TEST_F(EveryPoint, FailedPreBindReleasesTheNode) {
  Schedule(Ready("p").Label("fetch", "image"));
  ASSERT_EQ(fetched_.size(), 1u);
  EXPECT_EQ(Cpu("n1"), 1000) << "meanwhile the pod counts on its node";
  fetched_[0](Status::Failed("no such image"));
  EXPECT_THAT(Since("PreBind p"), ElementsAre("PreBind p", "Unreserve p on n1 by Keys",
                                              "Unreserve p on n1 by Ledger", "PreEnqueue p"));
  EXPECT_THAT(Notes(), ElementsAre("FailedScheduling: running PreBind plugin \"Fetches\": no such "
                                   "image"));
  EXPECT_EQ(Where("p"), "backoff") << "an error is retried, a rejection waits for an event";
  EXPECT_THAT(Bound(), IsEmpty());
}

TEST_F(EveryPoint, FailedBindEndsTheAttempt) {
  Schedule(Ready("p"));
  Answer(0, Fail(Reason::kForbidden, "no rights"));
  EXPECT_THAT(Since("Bind"),
              ElementsAre("Bind p by Elsewhere", "Bind p by Binds", "Unreserve p on n1 by Keys",
                          "Unreserve p on n1 by Ledger", "PreEnqueue p"))
      << "without PostBind";
  EXPECT_EQ(Where("p"), "backoff");
}

}  // namespace
}  // namespace berth::scheduler
