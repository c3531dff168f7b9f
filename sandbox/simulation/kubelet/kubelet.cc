// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/kubelet.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/log.h"
#include "sandbox/simulation/kubelet/resources.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

constexpr int kPodWorkers = 8;
constexpr std::chrono::seconds kDefaultGrace(30);
constexpr std::chrono::milliseconds kShutdownTick(20);

bool HasEnded(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

}  // namespace

Kubelet::Kubelet(client::Client& client, NodeFleet& fleet, client::Informer<api::Pod>& pods,
                 client::Informer<api::Node>& nodes, const Clock& clock, KubeletOptions options)
    : client_(client),
      fleet_(fleet),
      pods_(pods),
      nodes_(nodes),
      clock_(clock),
      options_(std::move(options)),
      sources_(client),
      recorder_(client::SendWith(client), {.controller = "kubelet", .host = "simulation"}, clock),
      loop_("Pod", clock, kPodWorkers, [this](const std::string& key) { return Sync(key); }) {
  pods_.Listen([this](const api::Change<api::Pod>& change) {
    const api::Pod& pod = change.newest();
    if (!pod.spec.node_name.empty()) loop_.Add(KeyOf(pod.metadata));
  });
}

void Kubelet::Stop(std::chrono::seconds grace) {
  loop_.Stop();
  std::map<std::string, HeldPtr> held;
  {
    std::lock_guard lock(mutex_);
    held = std::move(held_);
    held_.clear();
  }
  for (const auto& [key, pod] : held) {
    if (pod->run) pod->run->Stop(grace);
  }
  const SteadyTime deadline = clock_.Now() + grace;
  const auto all_ended = [&held] {
    return std::all_of(held.begin(), held.end(), [](const auto& entry) {
      return !entry.second->run || entry.second->run->HasEnded();
    });
  };
  while (!all_ended() && clock_.Now() < deadline) std::this_thread::sleep_for(kShutdownTick);
}

Kubelet::HeldPtr Kubelet::Find(const std::string& key) const {
  std::lock_guard lock(mutex_);
  const auto found = held_.find(key);
  return found == held_.end() ? nullptr : found->second;
}

Result<RequeueAfter> Kubelet::Sync(const std::string& key) {
  const ObjectName name = ObjectName::FromKey(key);
  const auto pod = pods_.store().Get(name.ns, name.name);
  HeldPtr held = Find(key);
  if (held && (!pod || pod->metadata.uid != held->uid)) {
    if (!LetGo(key, std::chrono::seconds(1))) return RequeueAfter();
    held = nullptr;
  }
  if (!pod || !fleet_.IsOurs(pod->spec.node_name)) return RequeueAfter();
  if (pod->metadata.deletion_timestamp) return Terminate(key, *pod);
  if (HasEnded(*pod)) {
    if (held) Release(*held);
    return RequeueAfter();
  }
  if (!held) {
    BERTH_TRY(held, Admit(key, *pod));
  }
  return Run(key, *pod, *held);
}

Result<Kubelet::HeldPtr> Kubelet::Admit(const std::string& key, const api::Pod& pod) {
  const auto node = nodes_.store().Get("", pod.spec.node_name);
  if (!node) return Fail(Reason::kNotFound, "node " + pod.spec.node_name + " is not known yet");
  auto held = std::make_shared<Held>();
  held->uid = pod.metadata.uid;
  held->node = pod.spec.node_name;
  held->start_time = clock_.Wall();
  held->ready_changed = held->start_time;
  std::optional<Rejection> rejection;
  {
    std::lock_guard lock(mutex_);
    NodeAccount& account = accounts_[held->node];
    rejection = CheckAdmission(pod, *node, account);
    if (!rejection) account.Admit(held->uid, RequestsOf(pod), api::HostPortsOf(pod));
    if (rejection) held->rejection = RejectionPatch(pod, *rejection, held->start_time);
    held_[key] = held;
  }
  if (!rejection) return held;
  recorder_.Record({.kind = client::EventKind::kWarning,
                    .reason = rejection->reason,
                    .action = "Admitting",
                    .note = rejection->message,
                    .regarding = client::ReferenceTo(pod)});
  return held;
}

Result<RequeueAfter> Kubelet::Run(const std::string& key, const api::Pod& pod, Held& held) {
  if (!held.rejection.empty()) {
    BERTH_TRY_VOID(Report(pod, held, held.rejection));
    return RequeueAfter();
  }
  if (!held.run) {
    const Result<void> begun = Begin(key, pod, held);
    if (!begun) {
      recorder_.Record({.kind = client::EventKind::kWarning,
                        .reason = "FailedMount",
                        .action = "Starting",
                        .note = begun.error().message(),
                        .regarding = client::ReferenceTo(pod)});
      BERTH_TRY_VOID(Report(pod, held, StatusOf(pod, held)));
      return Fail(begun.error());
    }
  }
  BERTH_TRY(const RequeueAfter requeue_after, held.run->Refresh(pod));
  BERTH_TRY_VOID(Report(pod, held, StatusOf(pod, held)));
  return requeue_after;
}

Result<void> Kubelet::Begin(const std::string& key, const api::Pod& pod, Held& held) {
  const bool is_process = IsProcess(pod);
  if (held.ip.empty()) held.ip = AddressFor(pod, is_process);
  if (!is_process) {
    held.run = std::make_unique<SimulatedRun>(pod, clock_);
    return {};
  }
  BERTH_TRY(held.run, ProcessRun::Start(pod, held.ip, options_.processes, sources_, clock_,
                                        [this, key] { loop_.Add(key); }));
  return {};
}

std::string Kubelet::StatusOf(const api::Pod& pod, Held& held) const {
  PodView view{.pod_ip = held.run ? held.ip : "",
               .host_ip = fleet_.AddressOf(held.node),
               .start_time = held.start_time,
               .ready_changed = held.ready_changed};
  if (held.run) {
    view.containers = held.run->Containers();
  } else {
    for (const api::Container& container : pod.spec.containers) {
      view.containers.push_back({.name = container.name, .image = container.image});
    }
  }
  if (view.IsReady() != held.was_ready) {
    held.was_ready = view.IsReady();
    held.ready_changed = clock_.Wall();
    view.ready_changed = held.ready_changed;
  }
  const bool is_job = pod.metadata.annotations.contains(kRunSecondsAnnotation);
  if (!is_job || IsProcess(pod)) return PodStatusPatch(pod, view);
  api::Pod once = pod;
  once.spec.restart_policy = "Never";
  return PodStatusPatch(once, view);
}

Result<void> Kubelet::Report(const api::Pod& pod, Held& held, const std::string& patch) {
  if (patch == held.written) return {};
  BERTH_TRY_VOID(Ignored(client_.Call(client::PatchRequest(
      api::Pod::kResource, pod.metadata.namespace_, pod.metadata.name, patch,
      {.type = client::PatchType::kStrategicMerge, .field_manager = "kubelet"}, "status"))));
  held.written = patch;
  return {};
}

Result<RequeueAfter> Kubelet::Terminate(const std::string& key, const api::Pod& pod) {
  const std::chrono::seconds grace(
      pod.metadata.deletion_grace_period_seconds.value_or(kDefaultGrace.count()));
  if (!LetGo(key, grace)) {
    // While it ends, its state and its lost readiness are reported.
    const HeldPtr held = Find(key);
    BERTH_TRY_VOID(Report(pod, *held, StatusOf(pod, *held)));
    return RequeueAfter();
  }
  api::DeleteOptions options;
  options.grace_period_seconds = 0;
  BERTH_TRY_VOID(DeleteExactly(client_, api::Pod::kResource, pod.metadata, options));
  return RequeueAfter();
}

bool Kubelet::LetGo(const std::string& key, std::chrono::seconds grace) {
  const HeldPtr held = Find(key);
  if (!held) return true;
  if (held->run && !held->stopping) {
    held->stopping = true;
    held->run->Stop(grace);
  }
  if (held->run && !held->run->HasEnded()) return false;
  Release(*held);
  std::lock_guard lock(mutex_);
  held_.erase(key);
  return true;
}

void Kubelet::Release(const Held& held) {
  std::lock_guard lock(mutex_);
  accounts_[held.node].Release(held.uid);
}

bool Kubelet::IsProcess(const api::Pod& pod) const {
  const auto& commands = options_.processes.commands;
  return std::ranges::all_of(pod.spec.containers, [&](const api::Container& container) {
    return container.image == options_.berth_image ||
           (!container.command.empty() && commands.contains(container.command[0]));
  });
}

std::string Kubelet::AddressFor(const api::Pod& pod, bool is_process) {
  const bool has_network =
      !is_process || options_.processes.host_networks.contains(pod.spec.node_name);
  if (pod.spec.host_network && has_network) return fleet_.AddressOf(pod.spec.node_name);
  return NextAddress(is_process);
}

// A process listens on its own loopback address (from 127.77.0.1 on), so that ports never conflict;
// a simulated pod gets an address from 10.128.0.0 on.
std::string Kubelet::NextAddress(bool is_process) {
  const auto low = [](uint32_t n) {
    return "." + std::to_string((n >> 8) & 255) + "." + std::to_string(n & 255);
  };
  if (is_process) return options_.processes.network + low(++processes_);
  const uint32_t n = ++addresses_;
  return "10." + std::to_string(128 + ((n >> 16) & 127)) + low(n);
}

}  // namespace berth::simulation
