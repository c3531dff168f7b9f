// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "api/persistent_volume.h"
#include "scheduler/model/csi_migration.h"
#include "scheduler/model/pod_claims.h"
#include "scheduler/model/pod_info.h"

// Which volumes of a pod count against the limit of their driver on a node that has a CSINode, and
// as what. Source: kube-scheduler pkg/scheduler/framework/plugins/nodevolumelimits/csi.go,
// filterAttachableVolumes.
namespace berth::scheduler {

class VolumeStore;

// CountedClaim is what a claim counts as, and what that was found by.
struct CountedClaim {
  std::optional<CsiSource> source;   // absent: it does not count
  std::string volume;                // the volume that it names
  std::string storage_class;         // where that is not there: the class, which tells the driver
  std::optional<std::string> owner;  // UID of what controls it, or ""; absent: there is no claim

  bool operator==(const CountedClaim&) const = default;
};

// CountClaim looks a claim up by its key, "namespace/name". One that is not bound to a volume that is
// there counts as a volume of its own.
CountedClaim CountClaim(const VolumeStore& objects, const std::string& key);

// CountVolume is CountClaim, or what an inline volume counts as. Errors: an inline volume that its
// driver cannot be told.
Result<std::optional<CsiSource>> CountVolume(const VolumeStore& objects, const PodInfo& pod,
                                             const api::Volume& volume);

// CountingErrorOf is the first error that upstream meets when it counts the volumes of a pod that is on
// a node; "" is none. A claim that is missing is none: such a volume does not count.
std::string CountingErrorOf(const VolumeStore& objects, const PodInfo& pod);

// UniqueNameOf is the text by which two volumes are told apart; no driver's name has a line end.
inline std::string UniqueNameOf(const CsiSource& source) {
  return source.driver + "\n" + source.volume_handle;
}

}  // namespace berth::scheduler
