// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/pod_claims.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "scheduler/model/pod_claims.h"

namespace berth::scheduler {

std::vector<PodClaim> ClaimsOf(const PodInfo& pod, ClaimVolumes which) {
  std::vector<PodClaim> claims;
  if (pod.volumes().empty()) return claims;
  std::unordered_set<std::string> known;
  for (const api::Volume& volume : pod.volumes()) {
    const bool is_named = volume.persistent_volume_claim.has_value();
    if (!is_named && (!volume.ephemeral || which == ClaimVolumes::kNamed)) continue;
    std::string name = ClaimNameOf(pod, volume);
    if (known.insert(name).second) claims.push_back({std::move(name), !is_named});
  }
  return claims;
}

bool UsesClaim(const PodInfo& pod, ClaimVolumes which, const api::PersistentVolumeClaim& claim) {
  if (claim.metadata.namespace_ != pod.namespace_()) return false;
  return std::ranges::any_of(ClaimsOf(pod, which), [&claim](const PodClaim& own) {
    return own.name == claim.metadata.name;
  });
}

void AddClaimNames(const PodInfo& pod, ClaimVolumes which, KeyText& key) {
  const std::vector<PodClaim> claims = ClaimsOf(pod, which);
  key.AddCount(claims);
  if (!claims.empty()) key.Add(pod.namespace_());
  for (const PodClaim& claim : claims) key.Add(claim.name);
}

}  // namespace berth::scheduler
