// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// PodClaim is a claim that a pod uses.
struct PodClaim {
  std::string name;
  bool is_ephemeral;  // made for the pod, under a name that follows from its own

  std::string KeyIn(const std::string& namespace_name) const { return namespace_name + "/" + name; }
};

// ClaimsOf gives the claims of a pod in the order of its volumes, each once.
std::vector<PodClaim> ClaimsOf(const PendingPod& pod);

}  // namespace berth::scheduler
