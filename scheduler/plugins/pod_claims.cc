// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/pod_claims.h"

#include <algorithm>
#include <utility>

#include "scheduler/model/pod_claims.h"

namespace berth::scheduler {

std::vector<PodClaim> ClaimsOf(const PendingPod& pod) {
  std::vector<PodClaim> claims;
  for (const api::Volume& volume : pod.pod().spec.volumes) {
    std::string name = ClaimNameOf(pod, volume);
    if (name.empty() && !volume.persistent_volume_claim) continue;
    const bool is_known =
        std::ranges::any_of(claims, [&name](const PodClaim& claim) { return claim.name == name; });
    if (!is_known) claims.push_back({std::move(name), !volume.persistent_volume_claim});
  }
  return claims;
}

}  // namespace berth::scheduler
