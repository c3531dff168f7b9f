// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/persistent_volume.h"
#include "scheduler/model/pod_info.h"

// The claims of a pod's volumes. Source: k8s.io/component-helpers storage/ephemeral/ephemeral.go.
namespace berth::scheduler {

// Returns the name of the claim that a volume of the pod uses; empty if it uses none.
inline std::string ClaimNameOf(const PodInfo& pod, const api::Volume& volume) {
  if (volume.persistent_volume_claim) return volume.persistent_volume_claim->claim_name;
  return volume.ephemeral ? pod.name() + "-" + volume.name : std::string();
}

// IsCreatedFor reports whether the claim of an ephemeral volume belongs to that pod, and does not
// just have the same name. NotCreatedFor returns the error if it does not.
inline bool IsCreatedFor(const std::string& pod_uid, const api::PersistentVolumeClaim& claim) {
  const api::OwnerReference* controller = api::ControllerOf(claim.metadata);
  return controller != nullptr && controller->uid == pod_uid;
}
inline std::string NotCreatedFor(const PodInfo& pod, const std::string& claim_name) {
  return "PVC " + pod.namespace_() + "/" + claim_name + " was not created for pod " + pod.Key() +
         " (pod is not owner)";
}

// Returns the error for a missing claim. Source: apimachinery pkg/api/errors, NewNotFound.
inline std::string ClaimNotFound(const std::string& name) {
  return "persistentvolumeclaim \"" + name + "\" not found";
}

}  // namespace berth::scheduler
