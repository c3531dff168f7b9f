// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// ClaimVolumes selects which volumes of a pod to consider.
enum class ClaimVolumes : uint8_t {
  kNamed,  // persistentVolumeClaim
  kAll,    // persistentVolumeClaim and ephemeral
};

// PodClaim is a PersistentVolumeClaim that a pod uses.
struct PodClaim {
  std::string name;
  bool is_ephemeral;  // created for the pod, with a name derived from the pod's

  std::string KeyIn(const std::string& namespace_name) const { return namespace_name + "/" + name; }
};

// Returns the claims of a pod in the order of its volumes, without duplicates.
std::vector<PodClaim> ClaimsOf(const PodInfo& pod, ClaimVolumes which);

// UsesClaim reports whether the pod uses the claim; hints check changed claims with it.
// AddClaimNames adds to a key all that it reads of the pod.
bool UsesClaim(const PodInfo& pod, ClaimVolumes which, const api::PersistentVolumeClaim& claim);
void AddClaimNames(const PodInfo& pod, ClaimVolumes which, KeyText& key);

}  // namespace berth::scheduler
