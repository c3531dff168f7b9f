// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "api/persistent_volume.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_claims.h"

namespace berth::scheduler {

// ClaimVolumes are the volumes of a pod whose claims are meant.
enum class ClaimVolumes : uint8_t {
  kNamed,  // persistentVolumeClaim
  kAll,    // and ephemeral ones
};

// ClaimNamesOf gives the names of a pod's claims, each once.
inline std::set<std::string> ClaimNamesOf(const PodInfo& pod, ClaimVolumes which) {
  std::set<std::string> names;
  for (const api::Volume& volume : pod.volumes()) {
    if (volume.ephemeral && which == ClaimVolumes::kNamed) continue;
    if (std::string name = ClaimNameOf(pod, volume); !name.empty()) names.insert(std::move(name));
  }
  return names;
}

// Names says whether a claim is one of the pod's, which is what hints ask of a claim that appeared;
// AddClaimNames adds what that reads of the pod.
inline bool Names(const PodInfo& pod, ClaimVolumes which, const api::PersistentVolumeClaim& claim) {
  return claim.metadata.namespace_ == pod.namespace_() &&
         ClaimNamesOf(pod, which).contains(claim.metadata.name);
}
inline void AddClaimNames(const PodInfo& pod, ClaimVolumes which, KeyText& key) {
  const std::set<std::string> names = ClaimNamesOf(pod, which);
  key.Add(pod.namespace_()).AddCount(names);
  for (const std::string& name : names) key.Add(name);
}

}  // namespace berth::scheduler
