// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "api/pod.h"

namespace berth::scheduler {

// PodClaim is a claim that a pod uses.
struct PodClaim {
  std::string name;
  bool is_ephemeral;  // made for the pod, under a name that follows from its own

  std::string KeyIn(const std::string& namespace_name) const { return namespace_name + "/" + name; }
};

// ClaimsOf gives the claims of a pod in the order of its volumes, each once.
std::vector<PodClaim> ClaimsOf(const api::Pod& pod);

// NotOwnedBy is what is wrong with an ephemeral claim that was not made for the pod; empty: nothing
// is. Source: component-helpers storage/ephemeral/ephemeral.go, VolumeIsForPod.
std::string NotOwnedBy(const api::Pod& pod, const api::PersistentVolumeClaim& claim);

}  // namespace berth::scheduler
