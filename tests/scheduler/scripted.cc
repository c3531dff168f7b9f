// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/scripted.h"

#include <algorithm>

#include "base/check.h"
#include "scheduler/plugins/registry.h"

namespace berth::scheduler::testing {

namespace {

class ScriptedPlugin final : public PreEnqueuePlugin,
                             public FilterPlugin,
                             public ReservePlugin,
                             public PermitPlugin,
                             public PreBindPlugin,
                             public BindPlugin,
                             public PostBindPlugin {
 public:
  explicit ScriptedPlugin(Script& script) : script_(script) {}

  ResultKey HintKeyOf(const PendingPod& pod) const override {
    return script_.hint_key ? script_.hint_key(pod) : ResultKey::None();
  }
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override {
    return script_.hint ? script_.hint(pod, event, objects) : QueueingHint::kQueue;
  }
  Status PreEnqueue(const PendingPod& pod, const EnqueueContext&) const override {
    return script_.pre_enqueue ? script_.pre_enqueue(pod) : Status::Success();
  }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override {
    return script_.filter ? script_.filter(cycle.pod, node) : Verdict::Fits();
  }
  Status Reserve(CycleContext& cycle, const NodeRef& node) const override {
    Note("Reserve", cycle, node);
    return script_.reserve ? script_.reserve(cycle.pod) : Status::Success();
  }
  void Unreserve(CycleContext& cycle, const NodeRef& node) const override {
    Note("Unreserve", cycle, node);
  }
  PermitResult Permit(CycleContext& cycle, const NodeRef&) const override {
    Activate(cycle, script_.activate_in_permit);
    return script_.permit ? script_.permit(cycle.pod) : PermitResult{Status::Success()};
  }
  PreBindPreFlightResult PreBindPreFlight(CycleContext& cycle, const NodeRef&) const override {
    if (script_.pre_flight) return {script_.pre_flight(cycle.pod)};
    return {script_.has_pre_bind ? Status::Success() : Status::Skip()};
  }
  void PreBind(CycleContext& cycle, const NodeRef& node, const std::stop_token& canceled,
               StatusDone done) const override {
    Note("PreBind", cycle, node);
    script_.canceled = canceled;
    script_.pre_binds.push_back(std::move(done));
  }
  void Bind(CycleContext& cycle, const NodeRef&, StatusDone done) const override {
    done(script_.bind(cycle.pod));
  }
  void PostBind(CycleContext& cycle, const NodeRef& node) const override {
    Note("PostBind", cycle, node);
    Activate(cycle, script_.activate_in_post_bind);
  }

 private:
  static void Activate(CycleContext& cycle, const std::set<std::string>& uids) {
    if (uids.empty()) return;
    cycle.state.EditOrMake<PodsToActivate>().uids.insert(uids.begin(), uids.end());
  }
  void Note(std::string_view call, const CycleContext& cycle, const NodeRef& node) const {
    script_.calls.push_back(std::string(call) + " " + cycle.pod.name());
    if (node.In(cycle.snapshot) == nullptr) script_.calls.back() += ", node gone";
  }

  Script& script_;
};

PluginDescriptor DescriptorOf(Script& script) {
  PluginDescriptor descriptor;
  descriptor.name = script.name;
  descriptor.summary = "Runs the script of a test.";
  descriptor.events = script.events;
  descriptor.no_event_helps = script.no_event_helps;
  descriptor.points = {ExtensionPoint::kPreEnqueue, ExtensionPoint::kFilter,
                       ExtensionPoint::kReserve,    ExtensionPoint::kPermit,
                       ExtensionPoint::kPreBind,    ExtensionPoint::kPostBind};
  if (script.bind) descriptor.points.Add(ExtensionPoint::kBind);
  descriptor.create = [&script](const json::Raw&,
                                const PluginHandle&) -> Result<std::unique_ptr<Plugin>> {
    return std::make_unique<ScriptedPlugin>(script);
  };
  return descriptor;
}

}  // namespace

std::shared_ptr<const Profile> TestProfile(const PluginHandle& handle, std::string scheduler_name,
                                           std::vector<Script*> scripts,
                                           std::vector<std::string> real_plugins,
                                           std::shared_ptr<const Extenders> extenders,
                                           std::vector<api::PluginConfig> args) {
  const Registry shipped = MakeRegistry();
  std::vector<PluginDescriptor> plugins(shipped.plugins().begin(), shipped.plugins().end());
  api::KubeSchedulerProfile spec;
  spec.scheduler_name = std::move(scheduler_name);
  spec.plugin_config = std::move(args);
  spec.plugins.multi_point.disabled = {{"*"}};
  const auto sorts = [&shipped](const std::string& name) {
    const PluginDescriptor* plugin = shipped.Find(name);
    return plugin != nullptr && plugin->points.Has(ExtensionPoint::kQueueSort);
  };
  if (std::ranges::none_of(real_plugins, sorts)) {
    spec.plugins.multi_point.enabled = {{"PrioritySort"}};
  }
  if (std::ranges::none_of(scripts, [](const Script* script) { return bool{script->bind}; })) {
    spec.plugins.multi_point.enabled.push_back({"DefaultBinder"});
  }
  for (std::string& name : real_plugins)
    spec.plugins.multi_point.enabled.push_back({std::move(name)});
  for (Script* script : scripts) {
    plugins.push_back(DescriptorOf(*script));
    spec.plugins.multi_point.enabled.push_back({std::string(script->name)});
  }
  auto profile =
      Profile::Create(spec, 0, Registry(std::move(plugins)), handle, std::move(extenders));
  BERTH_CHECK(profile.has_value(), profile.error().message());
  return std::move(*profile);
}

}  // namespace berth::scheduler::testing
