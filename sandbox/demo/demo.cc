// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/demo.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/core.h"
#include "base/file.h"
#include "base/json/document.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/yaml/yaml.h"
#include "crds/scheduler_profile.h"
#include "operator/commands/signals.h"
#include "sandbox/demo/cluster.h"
#include "sandbox/demo/embedded.h"
#include "sandbox/demo/manifests.h"
#include "sandbox/demo/narrator.h"
#include "sandbox/demo/observer.h"
#include "sandbox/demo/scene.h"
#include "sandbox/simulation/requests.h"

namespace berth::sandbox {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds kShort(30);
constexpr std::chrono::seconds kLong(90);
constexpr size_t kShownNodes = 12;
constexpr size_t kIntroducedPods = 12;  // each with a reason; the other pods arrive together
constexpr const char* kWaitingPod = "trainer";
constexpr const char* kSwitchedPlugin = "TaintToleration";
constexpr const char* kSwitchPatch =
    R"({"spec":{"plugins":{"filter":{"disabled":[{"name":"TaintToleration"}]}}}})";

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// Demo is one run of the demo; each step is one method.
class Demo {
 public:
  Demo(const DemoOptions& options, DemoCluster& cluster, Narrator& narrator)
      : options_(options),
        cluster_(cluster),
        client_(cluster.client()),
        narrator_(narrator),
        applier_(client_, narrator),
        observer_(client_, narrator) {}

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
  Result<void> LetPodsArrive();
  Result<void> PlacePod(const std::string& json);
  Result<void> PlaceTogether(std::span<const std::string> pods);
  Result<void> SumUp(size_t arrived, const std::string& elapsed);
  Result<void> ShowWaitingPod();
  Result<void> SwitchPluginOff();

  Result<void> Create(const std::string& pod);

  const DemoOptions& options_;
  DemoCluster& cluster_;
  client::Client& client_;
  Narrator& narrator_;
  ManifestApplier applier_;
  Observer observer_;
  std::vector<std::string> profiles_;  // names, in the order of application
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
  for (size_t i = 0; i < std::min(nodes.size(), kShownNodes); ++i) {
    narrator_.Detail(NodeLine(nodes[i]));
  }
  if (nodes.size() > kShownNodes) {
    narrator_.Detail("… and " + std::to_string(nodes.size() - kShownNodes) + " like them");
  }
  BERTH_TRY_VOID(
      narrator_.Await("the cluster's own scheduler", kShort,
                      [&]() -> Result<std::string> { return cluster_.SchedulerError(); }));
  narrator_.Line("default-scheduler runs: `berth scheduler`, in kube-scheduler's place");
  return observer_.AwaitAccount("default");
}

Result<void> Demo::Install() {
  narrator_.Heading("Berth is installed, as on any cluster");
  const std::string path(kInstallManifest.path);
  narrator_.Line("kubectl apply --server-side -f " + path);
  BERTH_TRY(const std::vector<AppliedObject> objects, applier_.Apply(kInstallManifest.text, path));
  narrator_.Detail(CountByKind(objects));
  BERTH_TRY(const PodPtr pod, observer_.AwaitOperator());
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

Result<void> Demo::ShowProfile(const std::string& name) {
  BERTH_TRY(const crds::SchedulerProfile profile, observer_.AwaitReady(name));
  BERTH_TRY(const std::string rendered, observer_.Rendered(name));
  BERTH_TRY(const PodPtr pod, observer_.SchedulerOf(name));
  narrator_.Line(name + " is Ready; the operator rendered " + rendered);
  narrator_.Detail("its scheduler is pod " + pod->metadata.name + " on " + pod->spec.node_name);
  if (const size_t count = profile.status.warnings.size(); count > 0) {
    narrator_.Detail("status.warnings has " + std::to_string(count) +
                     (count == 1 ? " note" : " notes") + ": kubectl describe sprof " + name);
  }
  return {};
}

Result<void> Demo::LetPodsArrive() {
  narrator_.Heading("Pods arrive, each names its scheduler");
  for (const EmbeddedFile& file : {kMinimalPod, kBinPackingPod}) {
    BERTH_TRY(const std::string json, yaml::ToJson(file.text));
    Json pod = berth::json::ReadDocument(json);
    pod["metadata"]["namespace"] = "default";
    BERTH_TRY_VOID(PlacePod(berth::json::DocumentText(pod)));
  }
  const std::vector<std::string> pods = ArrivingPods(options_.pods, profiles_);
  const size_t introduced = std::min(pods.size(), kIntroducedPods);
  for (size_t i = 0; i < introduced; ++i) BERTH_TRY_VOID(PlacePod(pods[i]));
  if (introduced == pods.size()) return {};
  return PlaceTogether(std::span(pods).subspan(introduced));
}

Result<void> Demo::Create(const std::string& pod) {
  return simulation::Ignored(
      client_.Call(client::CreateRequest(api::Pod::kResource, "default", pod)));
}

Result<void> Demo::PlacePod(const std::string& json) {
  const std::string name = berth::json::ReadDocument(json)["metadata"]["name"];
  BERTH_TRY(const ClusterState before, observer_.StateNow());
  BERTH_TRY_VOID(Create(json));
  const auto missing = [](const api::Pod& pod) {
    if (pod.status.phase == "Running" || IsRejected(pod)) return std::string();
    const std::string why = WhyNotScheduled(pod);
    return why.empty() ? std::string("not running yet") : why;
  };
  BERTH_TRY(const PodPtr pod, observer_.AwaitPod(name, "pod " + name, missing));
  const std::string who = Padded(name, 9) + " by " + Padded(pod->spec.scheduler_name, 12);
  if (pod->spec.node_name.empty()) {
    narrator_.Line(who + "waits: " + WhyNotScheduled(*pod));
    return {};
  }
  BERTH_TRY(const std::string reason, observer_.PlacementReason(pod, before));
  narrator_.Line(who + "→ " + Padded(pod->spec.node_name, 10) + reason);
  return {};
}

Result<void> Demo::PlaceTogether(std::span<const std::string> pods) {
  constexpr size_t kBatch = 200;  // pods between two checks for Ctrl-C
  const std::string count = std::to_string(pods.size());
  // Allows for slow machines.
  const auto limit = kLong + std::chrono::seconds(pods.size() / 20);
  const SteadyTime began = narrator_.Now();
  size_t created = 0;
  BERTH_TRY_VOID(narrator_.Await(count + " more pods", limit, [&]() -> Result<std::string> {
    const size_t end = std::min(pods.size(), created + kBatch);
    while (created < end) {
      const Result<void> done = Create(pods[created++]);
      if (!done) return Fail(done.error());
    }
    return created == pods.size() ? "" : std::to_string(created) + " created";
  }));
  BERTH_TRY_VOID(narrator_.Await("their schedulers", limit, [&]() -> Result<std::string> {
    client::ListOptions pending;
    pending.field_selector = "status.phase=Pending";
    BERTH_TRY(const auto waiting, client_.List<api::Pod>("default", pending));
    const auto undecided =
        std::ranges::count_if(waiting.items, [](const PodPtr& pod) { return !IsRejected(*pod); });
    return undecided == 0 ? "" : std::to_string(undecided) + " of " + count + " not decided yet";
  }));
  return SumUp(pods.size(), narrator_.Since(began));
}

// Prints for each scheduler the number of running and pending pods, and why one of them is pending.
Result<void> Demo::SumUp(size_t arrived, const std::string& elapsed) {
  struct Tally {
    size_t running = 0;
    std::vector<PodPtr> waiting;
  };
  std::map<std::string, Tally> tallies;
  BERTH_TRY(const auto pods, client_.List<api::Pod>("default"));
  for (const PodPtr& pod : pods.items) {
    Tally& tally = tallies[pod->spec.scheduler_name];
    if (pod->spec.node_name.empty()) {
      tally.waiting.push_back(pod);
    } else {
      ++tally.running;
    }
  }
  narrator_.Line(std::to_string(arrived) + " more pods, created and decided on in " + elapsed +
                 "; of all pods now");
  for (const auto& [scheduler, tally] : tallies) {
    narrator_.Detail(Padded(scheduler, 12) + std::to_string(tally.running) + " have a node, " +
                     std::to_string(tally.waiting.size()) + " wait");
    if (tally.waiting.empty()) continue;
    const api::Pod& waiting = *tally.waiting.front();
    narrator_.Detail("  " + waiting.metadata.name + ": " + WhyNotScheduled(waiting));
  }
  return {};
}

Result<void> Demo::ShowWaitingPod() {
  narrator_.Heading("One pod waits, and says why");
  BERTH_TRY_VOID(Create(GpuPod(kWaitingPod, profiles_.front())));
  const auto missing = [](const api::Pod& pod) {
    return std::string(IsRejected(pod) ? "" : "not scheduled yet");
  };
  BERTH_TRY(const PodPtr pod, observer_.AwaitPod(kWaitingPod, "the scheduler's decision", missing));
  narrator_.Line(std::string(kWaitingPod) +
                 " wants the GPU node, whose taint it does not tolerate:");
  narrator_.Detail(WhyNotScheduled(*pod));
  return {};
}

Result<void> Demo::SwitchPluginOff() {
  const std::string& profile = profiles_.front();
  narrator_.Heading("A plugin is switched off while the scheduler runs");
  BERTH_TRY(const PodPtr before, observer_.SchedulerOf(profile));
  narrator_.Line("kubectl patch sprof " + profile + " --type=merge -p '" + kSwitchPatch + "'");
  const SteadyTime patched = narrator_.Now();
  BERTH_TRY_VOID(simulation::Ignored(client_.Call(
      client::PatchRequest(crds::SchedulerProfile::kResource, "", profile, kSwitchPatch,
                           {.type = client::PatchType::kMerge, .field_manager = ""}))));
  const auto missing = [](const api::Pod& pod) {
    return std::string(pod.status.phase == "Running" ? "" : "still pending");
  };
  BERTH_TRY(const PodPtr pod, observer_.AwaitPod(kWaitingPod, "the pending pod", missing));
  const std::string elapsed = narrator_.Since(patched);
  BERTH_TRY_VOID(observer_.AwaitReady(profile));
  BERTH_TRY(const PodPtr after, observer_.SchedulerOf(profile));
  if (after->metadata.uid != before->metadata.uid) {
    return Fail(Reason::kConflict, "the scheduler's pod was replaced: " + before->metadata.name +
                                       " by " + after->metadata.name);
  }
  narrator_.Line(std::string(kSwitchedPlugin) + " no longer filters: " + kWaitingPod + " runs on " +
                 pod->spec.node_name + ", " + elapsed + " after the patch");
  narrator_.Line("pod " + after->metadata.name +
                 " applied the new configuration between two pods, without a restart");
  return {};
}

void PrintNextSteps(const DemoOptions& options, const DemoCluster& cluster, Narrator& narrator,
                    const std::string& program) {
  narrator.Heading("Done in " + narrator.Elapsed());
  if (!options.keep) {
    narrator.Line("Next: `" + program + " demo --keep` leaves the cluster running for kubectl;");
    narrator.Line(
        "`--nodes N --pods M --profile FILE` change the scene; samples/ has more profiles.");
    return;
  }
  narrator.Line("The cluster stays until Ctrl-C. In another terminal:");
  narrator.Detail("export KUBECONFIG=" + ShellWord(cluster.kubeconfig().string()));
  for (const char* command :
       {"kubectl get sprof -o wide", "kubectl get pods -A -o wide", "kubectl describe pod trainer",
        "kubectl label node large-3 example.com/disk=ssd   # for a pod of the next sample",
        "kubectl apply --server-side -f samples/03-one-plugin-off/",
        "kubectl delete deployment berth-hello -n berth-system   # it comes back",
        "kubectl delete sprof bin-packing"}) {
    narrator.Detail(command);
  }
  narrator.Line("Logs of operator and schedulers: " + cluster.folder().string() + "/*.log");
}

}  // namespace

Result<void> RunDemo(const DemoOptions& options, operator_::Program& program) {
  operator_::TerminationSignal signal;
  const SystemClock clock;
  log::Configure({.format = log::Format::kText, .verbosity = 0, .component = "demo"});
  const bool is_terminal = &program.out == &std::cout && isatty(STDOUT_FILENO) == 1;
  Narrator narrator(program.out, signal, clock, is_terminal);
  BERTH_TRY(const std::unique_ptr<DemoCluster> cluster,
            DemoCluster::Start(options.kubeconfig, clock));
  Demo demo(options, *cluster, narrator);
  BERTH_TRY_VOID(demo.Tell());
  PrintNextSteps(options, *cluster, narrator, program.name);
  if (options.keep) narrator.WaitForInterrupt();
  return {};
}

}  // namespace berth::sandbox
