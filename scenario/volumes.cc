// SPDX-License-Identifier: Apache-2.0
#include "scenario/volumes.h"

#include <memory>
#include <utility>

#include "api/change.h"
#include "api/volume_annotations.h"

namespace berth::scenario {
namespace {

// Delivers a new version of an object to the core.
template <class T>
void Deliver(T object, Identities& identities, scheduler::Scheduler& core) {
  object.metadata.resource_version = identities.NextVersion();
  core.On(api::Added(std::make_shared<const T>(std::move(object))));
}

}  // namespace

void BindVolumeAndClaim(api::PersistentVolume volume, Identities& identities,
                        scheduler::Scheduler& core) {
  const api::ObjectReference named = *volume.spec.claim_ref;
  const std::string name = volume.metadata.name;
  volume.status.phase = "Bound";
  Deliver(std::move(volume), identities, core);
  const auto* stored =
      core.cache().Volumes().Find<api::PersistentVolumeClaim>(named.namespace_ + "/" + named.name);
  if (stored == nullptr || stored->metadata.uid != named.uid) return;
  api::PersistentVolumeClaim claim = *stored;
  claim.spec.volume_name = name;
  claim.metadata.annotations.emplace(std::string(api::kBindCompleted), "yes");
  claim.status.phase = "Bound";
  Deliver(std::move(claim), identities, core);
}

void Provision(api::PersistentVolumeClaim claim, Time now, Identities& identities,
               scheduler::Scheduler& core) {
  api::PersistentVolume volume;
  volume.metadata.name = "pvc-" + claim.metadata.uid;
  identities.Give("object", volume.metadata, now);
  volume.spec.capacity = claim.spec.resources.requests;
  volume.spec.access_modes = claim.spec.access_modes;
  volume.spec.storage_class_name = api::StorageClassOf(claim);
  volume.spec.volume_mode = claim.spec.volume_mode;
  volume.spec.claim_ref = api::ObjectReference{.api_version = "v1",
                                               .kind = "PersistentVolumeClaim",
                                               .namespace_ = claim.metadata.namespace_,
                                               .name = claim.metadata.name,
                                               .uid = claim.metadata.uid,
                                               .resource_version = {},
                                               .field_path = {}};
  Deliver(std::move(claim), identities, core);
  BindVolumeAndClaim(std::move(volume), identities, core);
}

}  // namespace berth::scenario
