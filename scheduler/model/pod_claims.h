// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/persistent_volume.h"
#include "scheduler/model/pod_info.h"

// The claims behind the volumes of a pod. Source: k8s.io/component-helpers
// storage/ephemeral/ephemeral.go.
namespace berth::scheduler {

// ClaimNameOf names the claim that a volume of the pod stands for; empty: it stands for none.
inline std::string ClaimNameOf(const PodInfo& pod, const api::Volume& volume) {
  if (volume.persistent_volume_claim) return volume.persistent_volume_claim->claim_name;
  return volume.ephemeral ? pod.name() + "-" + volume.name : std::string();
}

// IsMadeFor says whether the claim of an ephemeral volume is that pod's, and not one of the same
// name. NotMadeFor is the error where it is not.
inline bool IsMadeFor(const std::string& pod_uid, const api::PersistentVolumeClaim& claim) {
  const api::OwnerReference* controller = api::ControllerOf(claim.metadata);
  return controller != nullptr && controller->uid == pod_uid;
}
inline std::string NotMadeFor(const PodInfo& pod, const std::string& claim_name) {
  return "PVC " + pod.namespace_() + "/" + claim_name + " was not created for pod " + pod.Key() +
         " (pod is not owner)";
}

// ClaimNotFound is what a missing claim is called. Source: apimachinery pkg/api/errors, NewNotFound.
inline std::string ClaimNotFound(const std::string& name) {
  return "persistentvolumeclaim \"" + name + "\" not found";
}

}  // namespace berth::scheduler
