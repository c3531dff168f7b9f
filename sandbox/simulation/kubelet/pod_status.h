// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.h"
#include "sandbox/simulation/kubelet/admission.h"

namespace berth::simulation {

// ContainerView is how one container is doing.
struct ContainerView {
  enum class State { kWaiting, kRunning, kTerminated };

  std::string name;
  std::string image;
  State state = State::kWaiting;
  std::string reason = "ContainerCreating";  // of waiting and of the end
  std::string message;
  int exit_code = 0;
  bool ready = false;
  int32_t restarts = 0;
  Time started_at;
  Time finished_at;

  bool operator==(const ContainerView&) const = default;
};

// PodView is how a pod is doing on its node.
struct PodView {
  std::string pod_ip;  // empty: not given yet
  std::string host_ip;
  Time start_time;
  Time ready_changed;  // when the pod's readiness last turned
  std::vector<ContainerView> containers;

  bool IsReady() const;
  bool operator==(const PodView&) const = default;
};

// PhaseOf is what the containers come to under the pod's restart policy.
std::string PhaseOf(const PodView& view, const std::string& restart_policy);

// PodStatusPatch is the strategic merge patch that reports the view; conditions of others stay.
std::string PodStatusPatch(const api::Pod& pod, const PodView& view);

// RejectionPatch reports a pod that the node does not run.
std::string RejectionPatch(const api::Pod& pod, const Rejection& rejection, Time now);

}  // namespace berth::simulation
