// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/framework/scripted_plugin.h"

#include <algorithm>

#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler::testing {
namespace {

class ScriptedPlugin final : public PreEnqueuePlugin,
                             public QueueSortPlugin,
                             public PreFilterPlugin,
                             public FilterPlugin,
                             public PostFilterPlugin,
                             public PreScorePlugin,
                             public ScorePlugin,
                             public ReservePlugin,
                             public PermitPlugin,
                             public PreBindPlugin,
                             public BindPlugin,
                             public PostBindPlugin {
 public:
  explicit ScriptedPlugin(Script script) : script_(std::move(script)) {}

  ResultKey KeyOf(const CycleContext& cycle) const override {
    return script_.key_of ? script_.key_of(cycle.pod) : ResultKey::None();
  }
  Versions VersionsOf(const CycleContext& cycle) const override {
    return script_.versions_of ? script_.versions_of(cycle.pod, cycle.snapshot) : Versions();
  }
  Status PreEnqueue(const PendingPod& pod, const EnqueueContext&) const override {
    return script_.pre_enqueue(pod);
  }
  bool Less(const QueuedPod& a, const QueuedPod& b) const override { return script_.less(a, b); }
  PreFilterResult PreFilter(CycleContext& cycle) const override {
    return script_.pre_filter(cycle);
  }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override {
    return script_.filter(cycle, node);
  }
  PostFilterResult PostFilter(PostFilterContext& context) const override {
    return script_.post_filter(context);
  }
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override {
    return script_.pre_score(cycle, feasible);
  }
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override {
    return script_.score(cycle, node);
  }
  Normalizer normalizer() const override { return script_.normalizer; }
  Status NormalizeScore(CycleContext&, std::span<const Slot> slots,
                        std::span<int64_t> scores) const override {
    return script_.normalize(slots, scores);
  }
  Status Reserve(CycleContext&, const NodeRef& node) const override {
    return script_.reserve(node.name());
  }
  void Unreserve(CycleContext&, const NodeRef& node) const override {
    if (script_.unreserve) script_.unreserve(node.name());
  }
  PermitResult Permit(CycleContext&, const NodeRef& node) const override {
    return script_.permit(node.name());
  }
  PreBindPreFlightResult PreBindPreFlight(CycleContext&, const NodeRef& node) const override {
    return {script_.pre_flight ? script_.pre_flight(node.name()) : Status::Success(),
            script_.allow_parallel};
  }
  void PreBind(CycleContext&, const NodeRef&, const std::stop_token& canceled,
               StatusDone done) const override {
    script_.pre_bind(canceled, std::move(done));
  }
  void Bind(CycleContext&, const NodeRef&, StatusDone done) const override {
    script_.bind(std::move(done));
  }
  void PostBind(CycleContext&, const NodeRef& node) const override {
    script_.post_bind(node.name());
  }

 private:
  Script script_;
};

PointSet PointsOf(const Script& script) {
  PointSet points;
  const auto add = [&](bool implemented, ExtensionPoint point) {
    if (implemented) points.Add(point);
  };
  add(script.pre_enqueue != nullptr, ExtensionPoint::kPreEnqueue);
  add(script.less != nullptr, ExtensionPoint::kQueueSort);
  add(script.pre_filter != nullptr, ExtensionPoint::kPreFilter);
  add(script.filter != nullptr, ExtensionPoint::kFilter);
  add(script.post_filter != nullptr, ExtensionPoint::kPostFilter);
  add(script.pre_score != nullptr, ExtensionPoint::kPreScore);
  add(script.score != nullptr, ExtensionPoint::kScore);
  add(script.reserve != nullptr, ExtensionPoint::kReserve);
  add(script.permit != nullptr, ExtensionPoint::kPermit);
  add(script.pre_bind != nullptr, ExtensionPoint::kPreBind);
  add(script.bind != nullptr, ExtensionPoint::kBind);
  add(script.post_bind != nullptr, ExtensionPoint::kPostBind);
  return points;
}

}  // namespace

PluginDescriptor Scripted(std::string_view name, Script script) {
  PluginDescriptor descriptor;
  descriptor.name = name;
  descriptor.summary = "Made up for a test.";
  descriptor.points = PointsOf(script);
  descriptor.events = script.events;
  descriptor.depends_on = script.depends_on;
  descriptor.create = [script](const json::Raw&,
                               const PluginHandle&) -> Result<std::unique_ptr<Plugin>> {
    return std::make_unique<ScriptedPlugin>(script);
  };
  return descriptor;
}

Registry WithBasics(std::vector<PluginDescriptor> plugins) {
  plugins.push_back(Scripted("Sort", {.less = [](const QueuedPod& a, const QueuedPod& b) {
                               return a.pod->name() < b.pod->name();
                             }}));
  plugins.push_back(
      Scripted("Binder", {.bind = [](const StatusDone& done) { done(Status::Success()); }}));
  return Registry(std::move(plugins));
}

api::KubeSchedulerProfile Everything(const Registry& registry) {
  api::KubeSchedulerProfile profile;
  profile.scheduler_name = "test";
  profile.plugins.multi_point.disabled.push_back({"*"});
  for (const std::string& name : registry.Names()) {
    profile.plugins.multi_point.enabled.push_back({name});
  }
  return profile;
}

PluginIndexSet IndexesOf(const Profile& profile, std::initializer_list<std::string_view> names) {
  PluginIndexSet plugins;
  for (const std::string_view name : names) plugins.Add(profile.IndexOf(name).value());
  return plugins;
}

std::shared_ptr<const Profile> MakeProfile(TestCluster& cluster,
                                           std::vector<PluginDescriptor> plugins,
                                           int32_t percentage,
                                           std::shared_ptr<const Extenders> extenders) {
  const Registry registry = WithBasics(std::move(plugins));
  auto made = Profile::Create(Everything(registry), percentage, registry, cluster.handle(),
                              std::move(extenders));
  BERTH_CHECK(made.has_value(), made.error().message());
  return *made;
}

}  // namespace berth::scheduler::testing
