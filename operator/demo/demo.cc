// SPDX-License-Identifier: Apache-2.0
#include "operator/demo/demo.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/core.h"
#include "api/scheduler_contract.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "crds/names.h"
#include "crds/scheduler_profile.h"
#include "operator/commands/signals.h"
#include "operator/demo/cluster.h"
#include "operator/demo/embedded.h"
#include "operator/demo/explain.h"
#include "operator/demo/manifests.h"
#include "operator/demo/narrator.h"
#include "operator/demo/scene.h"
#include "simulation/requests.h"

namespace berth::operator_ {
namespace {

using Json = nlohmann::json;
using PodPtr = std::shared_ptr<const api::Pod>;

constexpr std::chrono::seconds kShort(30);
constexpr std::chrono::seconds kLong(90);
constexpr const char* kWaitingPod = "trainer";
constexpr const char* kSwitchedPlugin = "TaintToleration";
constexpr const char* kSwitchPatch =
    R"({"spec":{"plugins":{"filter":{"disabled":[{"name":"TaintToleration"}]}}}})";

const api::Condition* FindCondition(const std::vector<api::Condition>& conditions,
                                    const char* type) {
  for (const api::Condition& condition : conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

const api::PodCondition* FindCondition(const api::Pod& pod, const char* type) {
  for (const api::PodCondition& condition : pod.status.conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// "3 ClusterRoles, Deployment" of the kinds in their order.
std::string Counted(const std::vector<AppliedObject>& objects) {
  std::vector<std::string> order;
  std::map<std::string, int> counts;
  for (const AppliedObject& object : objects) {
    if (++counts[object.kind] == 1) order.push_back(object.kind);
  }
  for (std::string& kind : order) {
    const int count = counts[kind];
    const bool ends_in_y = kind.ends_with("y");
    if (count == 1) continue;
    const std::string plural = ends_in_y ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
    kind = std::to_string(count) + " " + plural;
  }
  return Join(order, ", ");
}

// Demo is one run of the story; each step is one scene.
class Demo {
 public:
  Demo(const DemoOptions& options, DemoCluster& cluster, Narrator& narrator)
      : options_(options),
        cluster_(cluster),
        client_(cluster.client()),
        narrator_(narrator),
        applier_(client_, narrator) {}

  Result<void> Tell() {
    BERTH_TRY_VOID(ShowCluster());
    BERTH_TRY_VOID(Install());
    BERTH_TRY_VOID(ApplyProfiles());
    BERTH_TRY_VOID(LetPodsArrive());
    BERTH_TRY_VOID(ShowWaitingPod());
    return SwitchPluginOff();
  }

 private:
  Result<void> ShowCluster();
  Result<void> Install();
  Result<void> ApplyProfiles();
  Result<void> ApplyProfile(std::string_view text, const std::string& source);
  Result<void> ShowProfile(const std::string& name);
  Result<crds::SchedulerProfile> AwaitReady(const std::string& profile);
  Result<std::string> RenderedFor(const std::string& profile);
  Result<void> LetPodsArrive();
  Result<void> PlacePod(const std::string& json);
  Result<void> ShowWaitingPod();
  Result<void> SwitchPluginOff();

  Result<ClusterState> StateNow();
  Result<std::string> ReasonOf(const PodPtr& pod, const ClusterState& before);
  Result<std::string> ConfigOf(const std::string& profile);
  Result<PodPtr> AwaitPod(const std::string& ns, const std::string& name, const std::string& what,
                          const std::function<std::string(const api::Pod&)>& missing);
  // SchedulerPodOf is the one ready pod of a profile's Deployment.
  Result<PodPtr> SchedulerPodOf(const std::string& profile);

  const DemoOptions& options_;
  DemoCluster& cluster_;
  client::Client& client_;
  Narrator& narrator_;
  ManifestApplier applier_;
  std::vector<std::string> profiles_;  // by name, in the order in which they were applied
};

Result<void> Demo::ShowCluster() {
  narrator_.Heading("A cluster on this machine");
  narrator_.Line("API server " + cluster_.server());
  const auto nodes = NodesOf(options_.nodes);
  for (const auto& node : nodes) cluster_.simulation().AddNode(node);
  BERTH_TRY_VOID(narrator_.Await("nodes", kLong, [&]() -> Result<std::string> {
    const size_t known = cluster_.simulation().RegisteredNodes();
    if (known == nodes.size()) return std::string();
    return std::to_string(known) + " of " + std::to_string(nodes.size()) + " registered";
  }));
  narrator_.Line(std::to_string(nodes.size()) + " simulated nodes:");
  constexpr size_t kShown = 12;
  for (size_t i = 0; i < nodes.size() && i < kShown; ++i) narrator_.Detail(NodeLine(nodes[i]));
  if (nodes.size() > kShown) {
    narrator_.Detail("… and " + std::to_string(nodes.size() - kShown) + " like them");
  }
  BERTH_TRY_VOID(
      narrator_.Await("the cluster's own scheduler", kShort,
                      [&]() -> Result<std::string> { return cluster_.SchedulerProblem(); }));
  narrator_.Line("default-scheduler runs: `berth scheduler`, in kube-scheduler's place");
  return narrator_.Await("ServiceAccount default/default", kShort, [&]() -> Result<std::string> {
    return client_.Get<api::ServiceAccount>("default", "default") ? "" : "not there yet";
  });
}

Result<void> Demo::Install() {
  narrator_.Heading("Berth is installed, as on any cluster");
  const std::string path(kInstallManifest.path);
  narrator_.Line("kubectl apply --server-side -f " + path);
  BERTH_TRY(const std::vector<AppliedObject> objects, applier_.Apply(kInstallManifest.text, path));
  narrator_.Detail(Counted(objects));
  BERTH_TRY(const PodPtr pod, [&]() -> Result<PodPtr> {
    PodPtr found;
    BERTH_TRY_VOID(narrator_.Await("the operator's pod", kLong, [&]() -> Result<std::string> {
      client::ListOptions list;
      list.label_selector = "app.kubernetes.io/component=operator";
      BERTH_TRY(const auto pods,
                client_.List<api::Pod>(std::string(crds::kDefaultNamespace), list));
      if (pods.items.empty()) return "the Deployment has no pod yet";
      found = pods.items.front();
      const api::PodCondition* ready = FindCondition(*found, "Ready");
      if (ready != nullptr && ready->status == "True") return "";
      return ready != nullptr && !ready->message.empty() ? ready->message
                                                         : "phase " + found->status.phase;
    }));
    return found;
  }());
  narrator_.Line("operator pod " + pod->metadata.name + " is ready on " + pod->spec.node_name +
                 ": the real `berth operator`, as a child process");
  return {};
}

Result<void> Demo::ApplyProfiles() {
  narrator_.Heading("A scheduler is a resource");
  BERTH_TRY_VOID(ApplyProfile(kMinimalProfile.text, std::string(kMinimalProfile.path)));
  BERTH_TRY_VOID(ApplyProfile(kBinPackingProfile.text, std::string(kBinPackingProfile.path)));
  if (!options_.profile.empty()) {
    BERTH_TRY(const std::string text, ReadFile(options_.profile));
    BERTH_TRY_VOID(ApplyProfile(text, options_.profile));
  }
  for (const std::string& name : profiles_) BERTH_TRY_VOID(ShowProfile(name));
  return {};
}

Result<void> Demo::ApplyProfile(std::string_view text, const std::string& source) {
  narrator_.Line("kubectl apply --server-side -f " + source);
  BERTH_TRY(const std::vector<AppliedObject> objects, applier_.Apply(text, source));
  for (const AppliedObject& object : objects) {
    if (object.kind == "SchedulerProfile") profiles_.push_back(object.name);
  }
  return {};
}

Result<crds::SchedulerProfile> Demo::AwaitReady(const std::string& profile) {
  crds::SchedulerProfile seen;
  const auto check = [&]() -> Result<std::string> {
    BERTH_TRY(seen, client_.Get<crds::SchedulerProfile>("", profile));
    const api::Condition* stalled = FindCondition(seen.status.conditions, "Stalled");
    if (stalled != nullptr && stalled->status == "True") {
      return ConfigError("SchedulerProfile " + profile + ": " + stalled->message);
    }
    const api::Condition* ready = FindCondition(seen.status.conditions, "Ready");
    if (ready == nullptr) return "not looked at yet";
    const bool is_current = ready->observed_generation == seen.metadata.generation;
    return is_current && ready->status == "True" ? "" : ready->reason + ": " + ready->message;
  };
  BERTH_TRY_VOID(narrator_.Await("SchedulerProfile " + profile, kLong, check));
  return seen;
}

Result<void> Demo::ShowProfile(const std::string& name) {
  BERTH_TRY(const crds::SchedulerProfile profile, AwaitReady(name));
  BERTH_TRY(const std::string rendered, RenderedFor(name));
  BERTH_TRY(const PodPtr pod, SchedulerPodOf(name));
  narrator_.Line(name + " is Ready; the operator rendered " + rendered);
  narrator_.Detail("its scheduler is pod " + pod->metadata.name + " on " + pod->spec.node_name);
  if (const size_t count = profile.status.warnings.size(); count > 0) {
    narrator_.Detail("status.warnings has " + std::to_string(count) +
                     (count == 1 ? " note" : " notes") + ": kubectl describe sprof " + name);
  }
  return {};
}

Result<std::string> Demo::RenderedFor(const std::string& profile) {
  BERTH_TRY(const auto served, simulation::DiscoverResources(client_));
  static const std::set<std::string_view> kRendered = {
      "ConfigMap",   "ServiceAccount", "Service",     "Deployment",          "Role",
      "RoleBinding", "NetworkPolicy",  "ClusterRole", "PodDisruptionBudget", "ClusterRoleBinding"};
  client::ListOptions list;
  list.label_selector = std::string(crds::kProfileLabel) + "=" + profile;
  std::vector<AppliedObject> objects;
  for (const auto& resource : served) {
    if (!kRendered.contains(resource->info().kind)) continue;
    BERTH_TRY(const client::RawList found, client_.ListRaw(resource->info(), "", list));
    objects.insert(objects.end(), found.items.size(),
                   {.kind = std::string(resource->info().kind), .ns = "", .name = ""});
  }
  return Counted(objects);
}

Result<PodPtr> Demo::SchedulerPodOf(const std::string& profile) {
  client::ListOptions list;
  list.label_selector = std::string(crds::kProfileLabel) + "=" + profile;
  BERTH_TRY(const auto pods, client_.List<api::Pod>("", list));
  for (const PodPtr& pod : pods.items) {
    const api::PodCondition* ready = FindCondition(*pod, "Ready");
    if (ready != nullptr && ready->status == "True") return pod;
  }
  return Fail(Reason::kNotFound, "SchedulerProfile " + profile + " has no ready scheduler");
}

Result<void> Demo::LetPodsArrive() {
  narrator_.Heading("Pods arrive, each names its scheduler");
  for (const EmbeddedFile& file : {kMinimalPod, kBinPackingPod}) {
    BERTH_TRY(const std::string json, yaml::ToJson(file.text));
    Json pod = Json::parse(json);
    pod["metadata"]["namespace"] = "default";
    BERTH_TRY_VOID(PlacePod(pod.dump()));
  }
  for (const std::string& json : ArrivingPods(options_.pods, profiles_)) {
    BERTH_TRY_VOID(PlacePod(json));
  }
  return {};
}

Result<void> Demo::PlacePod(const std::string& json) {
  BERTH_TRY(const ClusterState before, StateNow());
  BERTH_TRY(const api::Pod created,
            client_.CallAs<api::Pod>(client::CreateRequest(api::Pod::kResource, "default", json)));
  const std::string& name = created.metadata.name;
  BERTH_TRY(const PodPtr pod, AwaitPod("default", name, "pod " + name, [](const api::Pod& seen) {
              if (seen.status.phase == "Running") return std::string();
              const api::PodCondition* scheduled = FindCondition(seen, "PodScheduled");
              return scheduled && !scheduled->message.empty() ? scheduled->message
                                                              : std::string("not running yet");
            }));
  BERTH_TRY(const std::string reason, ReasonOf(pod, before));
  narrator_.Line(Padded(name, 9) + " by " + Padded(pod->spec.scheduler_name, 12) + "→ " +
                 Padded(pod->spec.node_name, 10) + reason);
  return {};
}

Result<ClusterState> Demo::StateNow() {
  BERTH_TRY(const auto nodes, client_.List<api::Node>());
  BERTH_TRY(const auto pods, client_.List<api::Pod>());
  return ClusterState{.nodes = nodes.items, .pods = pods.items};
}

Result<std::string> Demo::ReasonOf(const PodPtr& pod, const ClusterState& before) {
  BERTH_TRY(const std::string config, ConfigOf(pod->spec.scheduler_name));
  BERTH_TRY(const std::string reason, ExplainPlacement(config, pod, pod->spec.node_name, before));
  return reason.empty() ? "bound by the scheduler" : reason;
}

Result<std::string> Demo::ConfigOf(const std::string& profile) {
  const std::string name = std::string(crds::kObjectPrefix) + profile;
  BERTH_TRY(const auto rendered,
            client_.Get<api::ConfigMap>(std::string(crds::kDefaultNamespace), name));
  const auto found = rendered.data.find(std::string(api::kConfigKey));
  if (found != rendered.data.end()) return found->second;
  return Fail(Reason::kNotFound, "ConfigMap " + name + " has no " + std::string(api::kConfigKey));
}

Result<PodPtr> Demo::AwaitPod(const std::string& ns, const std::string& name,
                              const std::string& what,
                              const std::function<std::string(const api::Pod&)>& missing) {
  PodPtr pod;
  BERTH_TRY_VOID(narrator_.Await(what, kShort, [&]() -> Result<std::string> {
    BERTH_TRY(api::Pod seen, client_.Get<api::Pod>(ns, name));
    pod = std::make_shared<const api::Pod>(std::move(seen));
    return missing(*pod);
  }));
  return pod;
}

Result<void> Demo::ShowWaitingPod() {
  narrator_.Heading("One pod waits, and says why");
  BERTH_TRY_VOID(simulation::Ignored(client_.Call(client::CreateRequest(
      api::Pod::kResource, "default", GpuPod(kWaitingPod, profiles_.front())))));
  BERTH_TRY(const PodPtr pod,
            AwaitPod("default", kWaitingPod, "the scheduler's answer", [](const api::Pod& seen) {
              const api::PodCondition* scheduled = FindCondition(seen, "PodScheduled");
              return std::string(
                  scheduled && scheduled->reason == "Unschedulable" ? "" : "no verdict yet");
            }));
  narrator_.Line(std::string(kWaitingPod) +
                 " wants the GPU node, whose taint it does not tolerate:");
  narrator_.Detail(FindCondition(*pod, "PodScheduled")->message);
  return {};
}

Result<void> Demo::SwitchPluginOff() {
  const std::string& profile = profiles_.front();
  narrator_.Heading("A plugin is switched off while the scheduler runs");
  BERTH_TRY(const PodPtr before, SchedulerPodOf(profile));
  narrator_.Line("kubectl patch sprof " + profile + " --type=merge -p '" + kSwitchPatch + "'");
  BERTH_TRY_VOID(simulation::Ignored(client_.Call(
      client::PatchRequest(crds::SchedulerProfile::kResource, "", profile, kSwitchPatch,
                           {.type = client::PatchType::kMerge, .field_manager = ""}))));
  BERTH_TRY(const PodPtr pod,
            AwaitPod("default", kWaitingPod, "the pod that waited", [](const api::Pod& seen) {
              return std::string(seen.status.phase == "Running" ? "" : "still pending");
            }));
  BERTH_TRY_VOID(AwaitReady(profile));
  BERTH_TRY(const PodPtr after, SchedulerPodOf(profile));
  if (after->metadata.uid != before->metadata.uid) {
    return Fail(Reason::kConflict, "the scheduler's pod was replaced: " + before->metadata.name +
                                       " by " + after->metadata.name);
  }
  narrator_.Line(std::string(kSwitchedPlugin) + " no longer filters: " + kWaitingPod + " runs on " +
                 pod->spec.node_name);
  narrator_.Line("pod " + after->metadata.name +
                 " took the new configuration over between two pods, without a restart");
  return {};
}

void SayWhatNext(const DemoOptions& options, const DemoCluster& cluster, Narrator& narrator,
                 const std::string& program) {
  narrator.Heading("Done in " + narrator.Elapsed());
  if (!options.keep) {
    narrator.Line("Next: `" + program + " demo --keep` leaves the cluster running for kubectl;");
    narrator.Line(
        "`--nodes N --pods M --profile FILE` change the scene; samples/ has more profiles.");
    return;
  }
  narrator.Line("The cluster stays until Ctrl-C. In another terminal:");
  narrator.Detail("export KUBECONFIG=" + cluster.kubeconfig().string());
  for (const char* command :
       {"kubectl get sprof -o wide", "kubectl get pods -A -o wide", "kubectl describe pod trainer",
        "kubectl apply --server-side -f samples/03-one-plugin-off/",
        "kubectl delete deployment berth-hello -n berth-system   # it comes back",
        "kubectl delete sprof bin-packing"}) {
    narrator.Detail(command);
  }
  narrator.Line("Logs of operator and schedulers: " + cluster.folder().string() + "/*.log");
}

}  // namespace

Result<void> RunDemo(const DemoOptions& options, Program& program) {
  TerminationSignal signal;
  const SystemClock clock;
  log::Configure({.format = log::Format::kText, .verbosity = 0, .component = "demo"});
  const bool is_terminal = &program.out == &std::cout && isatty(STDOUT_FILENO) == 1;
  Narrator narrator(program.out, signal, clock, is_terminal);
  BERTH_TRY(const std::unique_ptr<DemoCluster> cluster,
            DemoCluster::Start(options.kubeconfig, clock));
  Demo demo(options, *cluster, narrator);
  BERTH_TRY_VOID(demo.Tell());
  SayWhatNext(options, *cluster, narrator, program.name);
  if (options.keep) narrator.WaitForInterrupt();
  return {};
}

}  // namespace berth::operator_
