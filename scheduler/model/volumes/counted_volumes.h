// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "api/persistent_volume.h"
#include "scheduler/model/csi_migration.h"
#include "scheduler/model/pod_claims.h"
#include "scheduler/model/pod_info.h"

// Decides which volumes of a pod count against the limit of their CSI driver on a node with a
// CSINode. Source: kube-scheduler pkg/scheduler/framework/plugins/nodevolumelimits/csi.go,
// filterAttachableVolumes.
namespace berth::scheduler {

class VolumeStore;

// CountedClaim is the volume that a claim counts as, and the inputs of that decision.
struct CountedClaim {
  std::optional<CsiSource> source;  // absent: it does not count
  std::string volume;               // spec.volumeName of the claim
  std::string storage_class;  // if the volume is missing: the class, which determines the driver
  std::optional<std::string> owner;  // UID of the controller, or ""; absent: no such claim

  bool operator==(const CountedClaim&) const = default;
};

// Resolves a claim by its key, "namespace/name". A claim that is not bound to an existing volume
// counts as a volume of its own.
CountedClaim CountClaim(const VolumeStore& objects, const std::string& key);

// Resolves a claim (CountClaim) or an inline volume. Errors: the driver of an inline volume cannot
// be determined.
Result<std::optional<CsiSource>> CountVolume(const VolumeStore& objects, const PodInfo& pod,
                                             const api::Volume& volume);

// Returns the first error that upstream reports when it counts the volumes of a placed pod, or "".
// A missing claim is no error: such a volume does not count.
std::string CountingErrorOf(const VolumeStore& objects, const PodInfo& pod);

// Returns the identity of a volume as text. The separator is a newline, which no driver name
// contains.
inline std::string UniqueNameOf(const CsiSource& source) {
  return source.driver + "\n" + source.volume_handle;
}

}  // namespace berth::scheduler
