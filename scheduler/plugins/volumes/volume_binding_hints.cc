// SPDX-License-Identifier: Apache-2.0
// Queueing hints of VolumeBinding.
#include <algorithm>
#include <optional>
#include <string>

#include "scheduler/model/key_text.h"
#include "scheduler/model/volumes/capacity_index.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/volumes/pod_claims.h"
#include "scheduler/plugins/volumes/volume_binding.h"

namespace berth::scheduler {
namespace {

QueueingHint AfterClass(const VolumeObjects& volumes) {
  const auto* before = volumes.Before<api::StorageClass>();
  const auto* after = volumes.After<api::StorageClass>();
  return QueueIf(before == nullptr || before->allowed_topologies != after->allowed_topologies);
}

std::string MigratedPluginsOf(const api::CsiNode& node) {
  const auto found = node.metadata.annotations.find("storage.alpha.kubernetes.io/migrated-plugins");
  return found == node.metadata.annotations.end() ? std::string() : found->second;
}

QueueingHint AfterCsiNode(const VolumeObjects& volumes) {
  const auto* before = volumes.Before<api::CsiNode>();
  const auto* after = volumes.After<api::CsiNode>();
  return QueueIf(before == nullptr || MigratedPluginsOf(*before) != MigratedPluginsOf(*after));
}

// Upstream checks inline volumes of the driver, although these need no capacity.
QueueingHint AfterDriver(const PendingPod& pod, const VolumeObjects& volumes) {
  const auto* before = volumes.Before<api::CsiDriver>();
  const auto* after = volumes.After<api::CsiDriver>();
  const bool ended = before->spec.storage_capacity == true && after->spec.storage_capacity != true;
  const auto& of_pod = pod.pod().spec.volumes;
  return QueueIf(ended && std::ranges::any_of(of_pod, [after](const api::Volume& volume) {
                   return volume.csi && volume.csi->driver == after->metadata.name;
                 }));
}

QueueingHint AfterCapacity(const VolumeObjects& volumes) {
  const auto* before = volumes.Before<api::CsiStorageCapacity>();
  if (before == nullptr) return QueueingHint::kQueue;
  const auto now = LimitOf(*volumes.After<api::CsiStorageCapacity>());
  return QueueIf(now > LimitOf(*before));  // nullopt compares less than any limit
}

}  // namespace

ResultKey VolumeBinding::HintKeyOf(const PendingPod& pod) const {
  KeyText text;
  AddClaimNames(pod, ClaimVolumes::kAll, text);
  for (const api::Volume& volume : pod.pod().spec.volumes) {
    if (volume.csi) text.Add(volume.csi->driver);
  }
  return ResultKey::Of(text.Take());
}

QueueingHint VolumeBinding::Hint(const PendingPod& pod, const ClusterEvent& event,
                                 const EventObjects& objects) const {
  const VolumeObjects& volumes = objects.volumes;
  switch (event.resource) {
    case Resource::kStorageClass:
      return AfterClass(volumes);
    case Resource::kPersistentVolumeClaim:
      return QueueIf(
          UsesClaim(pod, ClaimVolumes::kAll, *volumes.After<api::PersistentVolumeClaim>()));
    case Resource::kCsiNode:
      return AfterCsiNode(volumes);
    case Resource::kCsiDriver:
      return AfterDriver(pod, volumes);
    case Resource::kCsiStorageCapacity:
      return AfterCapacity(volumes);
    default:
      return QueueingHint::kQueue;
  }
}

}  // namespace berth::scheduler
