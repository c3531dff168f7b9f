// SPDX-License-Identifier: Apache-2.0
#include "api/volume_annotations.h"

#include <string>

namespace berth::api {

bool IsFullyBound(const PersistentVolumeClaim& claim) {
  return !claim.spec.volume_name.empty() &&
         claim.metadata.annotations.contains(std::string(kBindCompleted));
}

bool NamesClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const auto& named = volume.spec.claim_ref;
  return named && named->name == claim.metadata.name &&
         named->namespace_ == claim.metadata.namespace_ &&
         (named->uid.empty() || named->uid == claim.metadata.uid);
}

const std::string* SelectedNodeOf(const PersistentVolumeClaim& claim) {
  const auto found = claim.metadata.annotations.find(std::string(kSelectedNode));
  return found == claim.metadata.annotations.end() ? nullptr : &found->second;
}

}  // namespace berth::api
