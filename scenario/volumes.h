// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/persistent_volume.h"
#include "base/error.h"
#include "scenario/objects.h"
#include "scheduler/scheduler.h"

// What a cluster does with volumes once the scheduler has decided about them. Of these objects a
// scenario keeps no copy: the core's cache has them.
namespace berth::scenario {

// CheckVersion refuses a write over another version, or another object, than the one there is.
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

// BindVolumeAndClaim gives a volume the claim that it names, and the claim that volume.
void BindVolumeAndClaim(api::PersistentVolume volume, Identities& identities,
                        scheduler::Scheduler& core);
// Provision makes a volume for a claim, reached from everywhere, and binds them.
void Provision(api::PersistentVolumeClaim claim, Time now, Identities& identities,
               scheduler::Scheduler& core);

}  // namespace berth::scenario
