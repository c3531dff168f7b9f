// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/node_volume_limits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "scheduler/model/csi_migration.h"
#include "scheduler/model/key_text.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/volumes/new_volumes.h"
#include "scheduler/plugins/volumes/pod_claims.h"

namespace berth::scheduler {
namespace {

// Reports whether a volume may count against a driver's limit.
bool MayCount(const api::Volume& volume) {
  return volume.persistent_volume_claim || volume.ephemeral || !InTreePluginOf(volume).empty();
}

Status ReadVolumes(CycleContext& cycle) {
  if (!std::ranges::any_of(cycle.pod.volumes(), MayCount)) return Status::Skip();
  cycle.state.Write(NewVolumes(cycle));
  return Status::Success();
}

bool HasGrown(const api::CsiNode& before, const api::CsiNode& after) {
  const auto limit_of = [](const api::CsiNodeDriver& driver) {
    return driver.allocatable ? driver.allocatable->count.value_or(0) : 0;
  };
  std::map<std::string_view, int32_t> limits;
  for (const api::CsiNodeDriver& driver : before.spec.drivers) {
    limits[driver.name] = limit_of(driver);
  }
  return std::ranges::any_of(after.spec.drivers, [&](const api::CsiNodeDriver& driver) {
    return limit_of(driver) > limits[driver.name];
  });
}

bool MayBeAttachedBy(const PendingPod& pod, const std::string& attacher) {
  return std::ranges::any_of(pod.volumes(), [&attacher](const api::Volume& volume) {
    if (volume.persistent_volume_claim) return true;
    const std::string_view driver = CsiDriverOf(InTreePluginOf(volume));
    return !driver.empty() && driver == attacher;
  });
}

}  // namespace

PluginDescriptor NodeVolumeLimits::Descriptor() {
  return Describe<NodeVolumeLimits>({
      .name = "NodeVolumeLimits",
      .summary = "Rejects nodes where a CSI driver cannot attach the pod's volumes because of its "
                 "volume limit, or because it is missing.",
      .depends_on = {Epoch::kNodePods, Epoch::kNodeVolumes},
      .events = {{Resource::kCsiNode, action::kAdd | action::kUpdate,
                  "a node's CSI drivers were registered, or their limits were raised"},
                 {Resource::kAssignedPod, action::kDelete, "a pod with attached volumes is gone"},
                 {Resource::kPersistentVolumeClaim, action::kAdd,
                  "a claim that the pod uses was created"},
                 {Resource::kVolumeAttachment, action::kDelete, "a volume was detached"}},
      .reads = {ObjectKind::kPersistentVolume, ObjectKind::kPersistentVolumeClaim,
                ObjectKind::kStorageClass, ObjectKind::kCsiNode, ObjectKind::kCsiDriver,
                ObjectKind::kVolumeAttachment},
      .example = R"(# For a cluster with CSI drivers that have no limits.
plugins:
  multiPoint: {disabled: [{name: NodeVolumeLimits}]})",
  });
}

ResultKey NodeVolumeLimits::KeyOf(const CycleContext& cycle) const {
  const Prepared<NewVolumes> volumes(cycle, ReadVolumes);
  if (volumes.get() == nullptr) return ResultKey::Of("");
  KeyText key;
  volumes.get()->AddTo(key);
  return ResultKey::Of(key.Take());
}

PreFilterResult NodeVolumeLimits::PreFilter(CycleContext& cycle) const {
  return PreFilterResult::Of(ReadVolumes(cycle));
}

Verdict NodeVolumeLimits::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<NewVolumes> volumes(cycle, ReadVolumes);
  return volumes.get() == nullptr ? Verdict::Fits() : volumes.get()->Check(cycle, node);
}

void NodeVolumeLimits::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                   std::span<Verdict> out) const {
  const Prepared<NewVolumes> volumes(cycle, ReadVolumes);
  std::ranges::transform(slots, out.begin(), [&](Slot slot) {
    return volumes.get() == nullptr ? Verdict::Fits()
                                    : volumes.get()->Check(cycle, cycle.snapshot.View(slot));
  });
}

ResultKey NodeVolumeLimits::HintKeyOf(const PendingPod& pod) const {
  KeyText key;
  AddClaimNames(pod, ClaimVolumes::kAll, key);
  std::set<std::string> drivers;
  bool has_claim = false;
  for (const api::Volume& volume : pod.volumes()) {
    has_claim |= volume.persistent_volume_claim.has_value();
    if (const auto plugin = InTreePluginOf(volume); !plugin.empty()) drivers.emplace(plugin);
  }
  key.Add(has_claim).AddCount(drivers);
  for (const std::string& driver : drivers) key.Add(driver);
  return ResultKey::Of(key.Take());
}

QueueingHint NodeVolumeLimits::Hint(const PendingPod& pod, const ClusterEvent& event,
                                    const EventObjects& objects) const {
  switch (event.resource) {
    case Resource::kCsiNode: {
      const auto* before = objects.volumes.Before<api::CsiNode>();
      return QueueIf(before == nullptr ||
                     HasGrown(*before, *objects.volumes.After<api::CsiNode>()));
    }
    case Resource::kPersistentVolumeClaim:
      return QueueIf(
          UsesClaim(pod, ClaimVolumes::kAll, *objects.volumes.After<api::PersistentVolumeClaim>()));
    case Resource::kVolumeAttachment:
      return QueueIf(
          MayBeAttachedBy(pod, objects.volumes.Before<api::VolumeAttachment>()->spec.attacher));
    default:
      return QueueIf(HoldsPlace(*objects.old_pod) &&
                     std::ranges::any_of(objects.old_pod->volumes(), MayCount));
  }
}

}  // namespace berth::scheduler
