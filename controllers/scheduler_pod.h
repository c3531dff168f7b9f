// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/pod.h"

namespace berth::controllers {

// ContainerWaiting, ContainerTerminated and ContainerState are a container's state as reported by
// the kubelet.
struct ContainerWaiting {
  std::string reason;  // ImagePullBackOff, CrashLoopBackOff, ContainerCreating, ...
  std::string message;

  bool operator==(const ContainerWaiting&) const = default;
  static const json::Type& JsonType();
};

struct ContainerTerminated {
  int32_t exit_code = 0;
  std::string reason;  // Error, OOMKilled, Completed, ...
  std::string message;

  bool operator==(const ContainerTerminated&) const = default;
  static const json::Type& JsonType();
};

struct ContainerState {
  std::optional<ContainerWaiting> waiting;
  std::optional<ContainerTerminated> terminated;  // neither: running

  bool operator==(const ContainerState&) const = default;
  static const json::Type& JsonType();
};

struct SchedulerContainer {
  std::string name;
  bool ready = false;
  ContainerState state;
  ContainerState last_state;  // before its last start

  bool operator==(const SchedulerContainer&) const = default;
  static const json::Type& JsonType();
};

struct SchedulerPodStatus {
  std::string phase;
  std::string reason;
  std::string message;
  std::vector<api::PodCondition> conditions;
  std::vector<SchedulerContainer> container_statuses;

  bool operator==(const SchedulerPodStatus&) const = default;
  static const json::Type& JsonType();
};

// SchedulerPod is a scheduler's pod with only the fields that show its health. The scheduler's
// api::Pod leaves them out, since its cache holds every pod of the cluster.
struct SchedulerPod {
  static constexpr api::ResourceInfo kResource = api::Pod::kResource;

  api::ObjectMeta metadata;
  SchedulerPodStatus status;

  bool operator==(const SchedulerPod&) const = default;
  static const json::Type& JsonType();
};

// PodFailure is the reason why a pod is not ready, and the message of the kubelet or the scheduler.
struct PodFailure {
  std::string reason;
  std::string message;
};

// Returns the most important failure: of a container, else of the pod, else of its placement;
// nullopt if no pod reports one. Pods that are being deleted are ignored.
std::optional<PodFailure> WorstFailure(
    const std::vector<std::shared_ptr<const SchedulerPod>>& pods);

}  // namespace berth::controllers
