// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// ClaimVolumes are the volumes of a pod whose claims are meant.
enum class ClaimVolumes : uint8_t {
  kNamed,  // persistentVolumeClaim
  kAll,    // and ephemeral ones
};

// PodClaim is a claim that a pod uses.
struct PodClaim {
  std::string name;
  bool is_ephemeral;  // made for the pod, under a name that follows from its own

  std::string KeyIn(const std::string& namespace_name) const { return namespace_name + "/" + name; }
};

// ClaimsOf gives the claims of a pod in the order of its volumes, each once.
std::vector<PodClaim> ClaimsOf(const PodInfo& pod, ClaimVolumes which);

// UsesClaim says whether a claim is one of the pod's, which is what hints ask of a claim that changed;
// AddClaimNames adds what that reads of the pod.
bool UsesClaim(const PodInfo& pod, ClaimVolumes which, const api::PersistentVolumeClaim& claim);
void AddClaimNames(const PodInfo& pod, ClaimVolumes which, KeyText& key);

}  // namespace berth::scheduler
