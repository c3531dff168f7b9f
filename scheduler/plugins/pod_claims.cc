// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/pod_claims.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {

std::vector<PodClaim> ClaimsOf(const api::Pod& pod) {
  std::vector<PodClaim> claims;
  const auto add = [&claims](std::string name, bool is_ephemeral) {
    const bool is_known =
        std::ranges::any_of(claims, [&name](const PodClaim& claim) { return claim.name == name; });
    if (!is_known) claims.push_back({std::move(name), is_ephemeral});
  };
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim) {
      add(volume.persistent_volume_claim->claim_name, false);
    } else if (volume.ephemeral) {
      add(pod.metadata.name + "-" + volume.name, true);
    }
  }
  return claims;
}

std::string NotOwnedBy(const api::Pod& pod, const api::PersistentVolumeClaim& claim) {
  const api::OwnerReference* owner = api::ControllerOf(claim.metadata);
  if (owner != nullptr && owner->uid == pod.metadata.uid) return {};
  return "PVC " + api::KeyOf(claim.metadata) + " was not created for pod " +
         api::KeyOf(pod.metadata) + " (pod is not owner)";
}

}  // namespace berth::scheduler
