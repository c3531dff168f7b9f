// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.h"
#include "sandbox/simulation/kubelet/admission.h"

namespace berth::simulation {

// ContainerView is the state of one container.
struct ContainerView {
  enum class State { kWaiting, kRunning, kTerminated };

  std::string name;
  std::string image;
  State state = State::kWaiting;
  std::string reason = "ContainerCreating";  // of kWaiting and kTerminated
  std::string message;
  int exit_code = 0;
  bool ready = false;
  int32_t restarts = 0;
  Time started_at;
  Time finished_at;

  bool operator==(const ContainerView&) const = default;
};

// PodView is the state of a pod on its node.
struct PodView {
  std::string pod_ip;  // empty: not assigned yet
  std::string host_ip;
  Time start_time;
  Time ready_changed;  // the last change of the pod's readiness
  std::vector<ContainerView> containers;

  bool IsReady() const;
  bool operator==(const PodView&) const = default;
};

// Returns the phase for the containers' states and the pod's restart policy.
std::string PhaseOf(const PodView& view, const std::string& restart_policy);

// Returns the strategic merge patch that reports the view; conditions of other controllers stay.
std::string PodStatusPatch(const api::Pod& pod, const PodView& view);

// Reports a rejected pod.
std::string RejectionPatch(const api::Pod& pod, const Rejection& rejection, Time now);

}  // namespace berth::simulation
