// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/persistent_volume.h"
#include "base/error.h"
#include "scenario/objects.h"
#include "scheduler/scheduler.h"

// The volume controllers of a scenario. They store no objects; the core's cache has them.
namespace berth::scenario {

// Rejects a write that is based on another version or another uid than the cached object.
template <class T>
Result<void> CheckVersion(const T& assumed, const scheduler::Scheduler& core) {
  const api::ObjectMeta& metadata = assumed.metadata;
  const std::string what = std::string(T::kResource.plural) + " \"" + metadata.name + "\"";
  const T* stored = core.cache().Volumes().template Find<T>(api::KeyOf(metadata));
  if (stored == nullptr || stored->metadata.uid != metadata.uid) {
    return Fail(Reason::kNotFound, what + " not found");
  }
  if (stored->metadata.resource_version == metadata.resource_version) return {};
  return Fail(Reason::kConflict, what + ": the object has been modified");
}

// Binds a volume and the claim in its claimRef to each other.
void BindVolumeAndClaim(api::PersistentVolume volume, Identities& identities,
                        scheduler::Scheduler& core);
// Creates a volume for a claim, accessible from every node, and binds them.
void Provision(api::PersistentVolumeClaim claim, Time now, Identities& identities,
               scheduler::Scheduler& core);

}  // namespace berth::scenario
