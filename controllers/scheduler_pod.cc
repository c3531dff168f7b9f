// SPDX-License-Identifier: Apache-2.0
#include "controllers/scheduler_pod.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "api/conditions.h"

namespace berth::controllers {
namespace {

// A termination message has up to 4,096 bytes; its end names the cause.
constexpr size_t kLastWords = 1024;

// Reports whether the container is still starting. Source: kubernetes pkg/kubelet/kubelet_pods.go,
// ContainerCreating and PodInitializing.
bool IsOnItsWay(const ContainerWaiting& waiting) {
  return waiting.reason.empty() || waiting.reason == "ContainerCreating" ||
         waiting.reason == "PodInitializing";
}

std::string LastWords(const ContainerTerminated& terminated) {
  const std::string& all = terminated.message;
  const std::string_view words =
      std::string_view(all).substr(all.size() > kLastWords ? all.size() - kLastWords : 0);
  std::string text = fmt::format("exit code {} ({})", terminated.exit_code, terminated.reason);
  if (!words.empty()) fmt::format_to(std::back_inserter(text), ": {}", words);
  return text;
}

PodFailure FailureOf(const SchedulerPod& pod, const SchedulerContainer& container,
                     std::string reason, const std::string& what) {
  return {std::move(reason),
          fmt::format("pod {}, container {}: {}", pod.metadata.name, container.name, what)};
}

// ---- failures of a pod, the most important first

using Found = std::optional<PodFailure>;

Found WaitingContainer(const SchedulerPod& pod) {
  for (const SchedulerContainer& container : pod.status.container_statuses) {
    const auto& waiting = container.state.waiting;
    if (!waiting || IsOnItsWay(*waiting)) continue;
    std::string what = waiting->message.empty() ? waiting->reason : waiting->message;
    if (container.last_state.terminated) {
      what += "; it ended with " + LastWords(*container.last_state.terminated);
    }
    return FailureOf(pod, container, waiting->reason, what);
  }
  return std::nullopt;
}

Found EndedContainer(const SchedulerPod& pod) {
  for (const SchedulerContainer& container : pod.status.container_statuses) {
    const auto& terminated = container.state.terminated;
    if (!terminated) continue;
    const bool has_reason = !terminated->reason.empty();
    return FailureOf(pod, container, has_reason ? terminated->reason : "Ended",
                     "it ended with " + LastWords(*terminated));
  }
  return std::nullopt;
}

Found FailedPod(const SchedulerPod& pod) {
  const SchedulerPodStatus& status = pod.status;
  if (status.phase != "Failed") return std::nullopt;
  return PodFailure{status.reason.empty() ? "PodFailed" : status.reason,
                    fmt::format("pod {}: {}", pod.metadata.name,
                                status.message.empty() ? "it failed" : status.message)};
}

Found UnplacedPod(const SchedulerPod& pod) {
  const api::PodCondition* placed = api::FindCondition(pod.status.conditions, "PodScheduled");
  if (!placed || placed->status != "False" || placed->reason.empty()) return std::nullopt;
  return PodFailure{placed->reason, fmt::format("pod {}: {}", pod.metadata.name, placed->message)};
}

constexpr std::array kFailures = {WaitingContainer, EndedContainer, FailedPod, UnplacedPod};

}  // namespace

const json::Type& ContainerWaiting::JsonType() {
  static const json::Type type = json::Describe<ContainerWaiting>(
      json::Object(json::Field("reason", &ContainerWaiting::reason),
                   json::Field("message", &ContainerWaiting::message)));
  return type;
}

const json::Type& ContainerTerminated::JsonType() {
  static const json::Type type = json::Describe<ContainerTerminated>(
      json::Object(json::Field("exitCode", &ContainerTerminated::exit_code),
                   json::Field("reason", &ContainerTerminated::reason),
                   json::Field("message", &ContainerTerminated::message)));
  return type;
}

const json::Type& ContainerState::JsonType() {
  static const json::Type type = json::Describe<ContainerState>(
      json::Object(json::Field("waiting", &ContainerState::waiting),
                   json::Field("terminated", &ContainerState::terminated)));
  return type;
}

const json::Type& SchedulerContainer::JsonType() {
  static const json::Type type = json::Describe<SchedulerContainer>(
      json::Object(json::Field("name", &SchedulerContainer::name),
                   json::Field("ready", &SchedulerContainer::ready),
                   json::Field("state", &SchedulerContainer::state),
                   json::Field("lastState", &SchedulerContainer::last_state)));
  return type;
}

const json::Type& SchedulerPodStatus::JsonType() {
  static const json::Type type = json::Describe<SchedulerPodStatus>(
      json::Object(json::Field("phase", &SchedulerPodStatus::phase),
                   json::Field("reason", &SchedulerPodStatus::reason),
                   json::Field("message", &SchedulerPodStatus::message),
                   json::Field("conditions", &SchedulerPodStatus::conditions),
                   json::Field("containerStatuses", &SchedulerPodStatus::container_statuses)));
  return type;
}

const json::Type& SchedulerPod::JsonType() {
  static const json::Type type =
      json::Describe<SchedulerPod>(json::Object(json::Field("metadata", &SchedulerPod::metadata),
                                                json::Field("status", &SchedulerPod::status)));
  return type;
}

std::optional<PodFailure> WorstFailure(
    const std::vector<std::shared_ptr<const SchedulerPod>>& pods) {
  for (const auto failure_of : kFailures) {
    for (const auto& pod : pods) {
      if (pod->metadata.deletion_timestamp) continue;
      if (Found found = failure_of(*pod)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace berth::controllers
