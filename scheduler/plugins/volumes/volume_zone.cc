// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_zone.h"

#include <algorithm>

#include "base/strings.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/volumes/volume_store.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/volumes/pod_claims.h"
#include "scheduler/plugins/volumes/volume_zones.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kLateBinding = "WaitForFirstConsumer";

Status ZoneRejection(std::string why) {
  return Status::UnschedulableAndUnresolvable(std::move(why));
}

Status NoSuch(std::string_view kind, const std::string& name) {
  return ZoneRejection(std::string(kind) + " " + Quote(name) + " not found");
}

// Returns the status for a claim that is not bound to a volume.
Status WithoutVolume(const api::PersistentVolumeClaim& claim, const VolumeStore& volumes) {
  const std::string name = api::StorageClassOf(claim);
  if (name.empty())
    return ZoneRejection("PersistentVolumeClaim had no pv name and storageClass name");
  const auto* storage_class = volumes.Find<api::StorageClass>(name);
  if (storage_class == nullptr) return NoSuch("storageclass.storage.k8s.io", name);
  if (!storage_class->volume_binding_mode) {
    return ZoneRejection("VolumeBindingMode not set for StorageClass " + Quote(name));
  }
  if (storage_class->volume_binding_mode == kLateBinding) return Status::Success();
  return ZoneRejection("PersistentVolume had no name");
}

// Adds the zones of the volume that the claim is bound to.
Status AddZones(const PendingPod& pod, const PodClaim& named, const VolumeStore& volumes,
                std::vector<VolumeZones>& zones) {
  if (named.name.empty()) return ZoneRejection("PersistentVolumeClaim had no name");
  const auto* claim = volumes.Find<api::PersistentVolumeClaim>(named.KeyIn(pod.namespace_()));
  if (claim == nullptr) return NoSuch("persistentvolumeclaim", named.name);
  if (claim->spec.volume_name.empty()) return WithoutVolume(*claim, volumes);
  const auto* volume = volumes.Find<api::PersistentVolume>(claim->spec.volume_name);
  if (volume == nullptr) return NoSuch("persistentvolume", claim->spec.volume_name);
  for (VolumeZones& found : ZonesOf(*volume)) zones.push_back(std::move(found));
  return Status::Success();
}

// PodZones is PreFilter's state for Filter: a node's labels must satisfy every entry.
struct PodZones {
  std::vector<VolumeZones> entries;  // sorted, without duplicates
  ZoneMatcher matcher;

  Verdict Check(const NodeInfo& node) const {
    static const VerdictReason kReason =
        VerdictReason::Intern("node(s) had no available volume zone");
    if (matcher.Matches(node.labels)) return Verdict::Fits();
    return Verdict::UnschedulableAndUnresolvable(kReason);
  }
};

Status FindZones(CycleContext& cycle) {
  std::vector<VolumeZones> entries;
  for (const PodClaim& claim : ClaimsOf(cycle.pod, ClaimVolumes::kNamed)) {
    Status status = AddZones(cycle.pod, claim, cycle.snapshot.Volumes(), entries);
    if (!status.ok()) return status;
  }
  if (entries.empty()) return Status::Skip();
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  ZoneMatcher matcher(entries, cycle.snapshot.Words());
  cycle.state.Write(PodZones{std::move(entries), std::move(matcher)});
  return Status::Success();
}

}  // namespace

PluginDescriptor VolumeZone::Descriptor() {
  return Describe<VolumeZone>({
      .name = "VolumeZone",
      .summary = "Rejects nodes in another zone or region than the pod's volumes.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kStorageClass, action::kAdd,
                  "a StorageClass with WaitForFirstConsumer appeared"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node in the volumes' zone appeared, or its labels match now"},
                 {Resource::kPersistentVolumeClaim, action::kAdd | action::kUpdate,
                  "a claim of the pod was created or bound"},
                 {Resource::kPersistentVolume, action::kAdd | action::kUpdate,
                  "a volume appeared, or its zone changed"}},
      .reads = {ObjectKind::kPersistentVolume, ObjectKind::kPersistentVolumeClaim,
                ObjectKind::kStorageClass},
      .example = R"(# For volumes that are reachable from every zone.
plugins:
  multiPoint: {disabled: [{name: VolumeZone}]})",
  });
}

ResultKey VolumeZone::KeyOf(const CycleContext& cycle) const {
  const Prepared<PodZones> zones(cycle, FindZones);
  if (zones.get() == nullptr) return ResultKey::Of(zones.status().Message());
  KeyText text;
  for (const VolumeZones& entry : zones.get()->entries) text.Add(entry.key).Add(entry.values);
  return ResultKey::Of(text.Take());
}

PreFilterResult VolumeZone::PreFilter(CycleContext& cycle) const {
  return PreFilterResult::Of(FindZones(cycle));
}

Verdict VolumeZone::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<PodZones> zones(cycle, FindZones);
  return zones.get() != nullptr ? zones.get()->Check(node.info()) : zones.VerdictWithout();
}

void VolumeZone::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                             std::span<Verdict> out) const {
  const Prepared<PodZones> zones(cycle, FindZones);
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = zones.get() != nullptr ? zones.get()->Check(cycle.snapshot.At(slots[i]))
                                    : zones.VerdictWithout();
  }
}

ResultKey VolumeZone::HintKeyOf(const PendingPod& pod) const {
  KeyText text;
  AddClaimNames(pod, ClaimVolumes::kNamed, text);
  return ResultKey::Of(text.Take());
}

QueueingHint VolumeZone::Hint(const PendingPod& pod, const ClusterEvent&,
                              const EventObjects& objects) const {
  if (const auto* added = objects.volumes.After<api::StorageClass>()) {
    return QueueIf(added->volume_binding_mode == kLateBinding);
  }
  if (const auto* claim = objects.volumes.After<api::PersistentVolumeClaim>()) {
    return QueueIf(UsesClaim(pod, ClaimVolumes::kNamed, *claim));
  }
  const auto* before = objects.volumes.Before<api::PersistentVolume>();
  if (before == nullptr) return QueueingHint::kQueue;
  return QueueIf(ZonesOf(*before) != ZonesOf(*objects.volumes.After<api::PersistentVolume>()));
}

}  // namespace berth::scheduler
