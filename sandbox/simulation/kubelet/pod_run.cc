// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/pod_run.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sandbox/simulation/kubelet/container_command.h"
#include "sandbox/simulation/kubelet/simulated_node.h"

namespace berth::simulation {
namespace {

constexpr std::chrono::seconds kRefreshPeriod(60);  // as in the kubelet
constexpr const char* kAccountMount = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr const char* kAccountVariable = "BERTH_SERVICEACCOUNT_ROOT";

std::optional<int> NumberIn(const api::StringMap& annotations, const char* key) {
  const auto found = annotations.find(key);
  if (found == annotations.end()) return std::nullopt;
  const std::string& text = found->second;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<ChildProcess::Launch> LaunchOf(const api::Container& container, const api::Pod& pod,
                                      const std::string& pod_ip, const std::string& root,
                                      const ProcessOptions& options, PodSources& sources) {
  ChildProcess::Launch launch;
  BERTH_TRY(launch.environment, EnvironmentOf(container, pod, pod_ip, sources));
  const Mounts mounts = MountsOf(container, root);
  launch.environment.try_emplace("KUBERNETES_SERVICE_HOST", options.api_host);
  launch.environment.try_emplace("KUBERNETES_SERVICE_PORT", options.api_port);
  launch.environment.try_emplace("BERTH_SCHEDULER_ARCHITECTURE", kNodeArchitecture);
  // As container runtimes set it.
  launch.environment.try_emplace("HOSTNAME",
                                 pod.spec.host_network ? pod.spec.node_name : pod.metadata.name);
  if (const auto account = mounts.find(kAccountMount); account != mounts.end()) {
    launch.environment[kAccountVariable] = account->second;
  }
  // The image's entry point is `berth`; a command replaces it, as in any image.
  std::vector<std::string> words = container.command;
  if (words.empty()) words.push_back(options.berth);
  if (const auto here = options.commands.find(words[0]); here != options.commands.end()) {
    words[0] = here->second;
  }
  words.insert(words.end(), container.args.begin(), container.args.end());
  const auto host_network = options.host_networks.find(pod.spec.node_name);
  if (pod.spec.host_network && host_network != options.host_networks.end()) {
    launch.arguments = host_network->second;
  }
  for (const std::string& word : words) {
    launch.arguments.push_back(
        HostArgument(ExpandVariables(word, launch.environment), mounts, pod_ip));
  }
  launch.log = options.folder + "/" + pod.metadata.namespace_ + "_" + pod.metadata.name + "_" +
               container.name + ".log";
  return launch;
}

}  // namespace

SimulatedRun::SimulatedRun(const api::Pod& pod, const Clock& clock) : clock_(clock) {
  for (const api::Container& container : pod.spec.containers) {
    running_.push_back({.name = container.name,
                        .image = container.image,
                        .state = ContainerView::State::kRunning,
                        .reason = "",
                        .ready = true,
                        .started_at = clock.Wall()});
  }
  if (const auto seconds = NumberIn(pod.metadata.annotations, kRunSecondsAnnotation)) {
    ends_at_ = clock.Now() + std::chrono::seconds(std::max(0, *seconds));
    exit_code_ = NumberIn(pod.metadata.annotations, kExitCodeAnnotation).value_or(0);
  }
}

std::vector<ContainerView> SimulatedRun::Containers() {
  if (!ends_at_ || clock_.Now() < *ends_at_) return running_;
  for (ContainerView& container : running_) {
    if (container.state == ContainerView::State::kTerminated) continue;
    container.state = ContainerView::State::kTerminated;
    container.ready = false;
    container.exit_code = exit_code_;
    container.reason = exit_code_ == 0 ? "Completed" : "Error";
    container.finished_at = clock_.Wall();
  }
  return running_;
}

Result<RequeueAfter> SimulatedRun::Refresh(const api::Pod&) {
  const SteadyTime now = clock_.Now();
  if (!ends_at_ || now >= *ends_at_) return RequeueAfter();
  return RequeueAfter(*ends_at_ - now);
}

Result<std::unique_ptr<ProcessRun>> ProcessRun::Start(const api::Pod& pod,
                                                      const std::string& pod_ip,
                                                      const ProcessOptions& options,
                                                      PodSources& sources, const Clock& clock,
                                                      const std::function<void()>& on_change) {
  auto volumes =
      std::make_unique<PodVolumes>(options.folder + "/" + pod.metadata.uid, sources, clock);
  BERTH_TRY_VOID(volumes->Write(pod));
  std::unique_ptr<ProcessRun> run(new ProcessRun(std::move(volumes)));
  for (const api::Container& container : pod.spec.containers) {
    BERTH_TRY(ChildProcess::Launch launch,
              LaunchOf(container, pod, pod_ip, run->volumes_->root(), options, sources));
    api::Container probed = container;
    if (options.readiness_period > 0 && probed.readiness_probe) {
      probed.readiness_probe.Edit().period_seconds = options.readiness_period;
    }
    BERTH_TRY(ContainerProbes probes, ContainerProbes::Create(probed, pod_ip));
    run->containers_.push_back(std::make_unique<ContainerRunner>(
        ContainerRunner::Options{.initial = {.name = container.name, .image = container.image},
                                 .launch = std::move(launch),
                                 .restart_policy = pod.spec.restart_policy},
        std::move(probes), clock, on_change));
  }
  return run;
}

std::vector<ContainerView> ProcessRun::Containers() {
  std::vector<ContainerView> views;
  for (const auto& container : containers_) views.push_back(container->view());
  return views;
}

Result<RequeueAfter> ProcessRun::Refresh(const api::Pod& pod) {
  BERTH_TRY_VOID(volumes_->Write(pod));
  return RequeueAfter(kRefreshPeriod);
}

void ProcessRun::Stop(std::chrono::seconds grace) {
  for (const auto& container : containers_) container->Stop(grace);
}

bool ProcessRun::HasEnded() {
  return std::all_of(containers_.begin(), containers_.end(),
                     [](const auto& container) { return container->HasEnded(); });
}

}  // namespace berth::simulation
