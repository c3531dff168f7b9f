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

// ContainerWaiting, ContainerTerminated and ContainerState are what a kubelet says of a container.
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
  std::optional<ContainerTerminated> terminated;  // neither: it runs

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

// SchedulerPod is a pod of a scheduler, with no more than what tells how it does. The core's
// api::Pod leaves this out, since it holds every pod of the cluster.
struct SchedulerPod {
  static constexpr api::ResourceInfo kResource = api::Pod::kResource;

  api::ObjectMeta metadata;
  SchedulerPodStatus status;

  bool operator==(const SchedulerPod&) const = default;
  static const json::Type& JsonType();
};

// PodFailure is why a pod does not serve: one word, and the kubelet's or the scheduler's own
// sentence.
struct PodFailure {
  std::string reason;
  std::string message;
};

// WorstFailure gives the trouble that an admin should hear of first: of a container, else of the
// pod's own end, else of its placement; nothing when no pod says why it is not ready. Pods that are
// being deleted do not count.
std::optional<PodFailure> WorstFailure(
    const std::vector<std::shared_ptr<const SchedulerPod>>& pods);

}  // namespace berth::controllers
