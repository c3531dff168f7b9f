// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volume_zone.h"

#include <algorithm>

#include "base/strings.h"
#include "scheduler/cache/volumes/volume_store.h"
#include "scheduler/model/key_text.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/volume_zones.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kLateBinding = "WaitForFirstConsumer";

template <class Visit>
void ForEachClaimName(const api::PodSpec& spec, Visit&& visit) {
  for (const api::Volume& volume : spec.volumes) {
    if (volume.persistent_volume_claim.has_value()) {
      visit(volume.persistent_volume_claim->claim_name);
    }
  }
}

Status ZoneRefusal(std::string why) { return Status::UnschedulableAndUnresolvable(std::move(why)); }

Status NoSuch(std::string_view kind, const std::string& name) {
  return ZoneRefusal(std::string(kind) + " " + Quote(name) + " not found");
}

// WithoutVolume is what a claim that is bound to nothing means.
Status WithoutVolume(const api::PersistentVolumeClaim& claim, const VolumeStore& volumes) {
  const std::string name = api::StorageClassOf(claim);
  if (name.empty())
    return ZoneRefusal("PersistentVolumeClaim had no pv name and storageClass name");
  const auto* storage_class = volumes.Find<api::StorageClass>(name);
  if (storage_class == nullptr) return NoSuch("storageclass.storage.k8s.io", name);
  if (!storage_class->volume_binding_mode) {
    return ZoneRefusal("VolumeBindingMode not set for StorageClass " + Quote(name));
  }
  if (storage_class->volume_binding_mode == kLateBinding) return Status::Success();
  return ZoneRefusal("PersistentVolume had no name");
}

// AddZones adds those of the volume that a claim is bound to.
Status AddZones(const PendingPod& pod, const std::string& claim_name, const VolumeStore& volumes,
                std::vector<VolumeZones>& zones) {
  if (claim_name.empty()) return ZoneRefusal("PersistentVolumeClaim had no name");
  const auto* claim = volumes.Find<api::PersistentVolumeClaim>(pod.namespace_() + "/" + claim_name);
  if (claim == nullptr) return NoSuch("persistentvolumeclaim", claim_name);
  if (claim->spec.volume_name.empty()) return WithoutVolume(*claim, volumes);
  const auto* volume = volumes.Find<api::PersistentVolume>(claim->spec.volume_name);
  if (volume == nullptr) return NoSuch("persistentvolume", claim->spec.volume_name);
  for (VolumeZones& found : ZonesOf(*volume)) zones.push_back(std::move(found));
  return Status::Success();
}

// PodZones is what PreFilter found: what a node's labels must satisfy, every entry.
struct PodZones {
  std::vector<VolumeZones> entries;  // sorted, each once
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
  Status status = Status::Success();
  ForEachClaimName(cycle.pod.pod().spec, [&](const std::string& claim) {
    if (status.ok()) status = AddZones(cycle.pod, claim, cycle.snapshot.Volumes(), entries);
  });
  if (!status.ok()) return status;
  if (entries.empty()) return Status::Skip();
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  ZoneMatcher matcher(entries, cycle.snapshot.Words());
  cycle.state.Write(PodZones{std::move(entries), std::move(matcher)});
  return Status::Success();
}

bool NamesClaim(const PendingPod& pod, const api::PersistentVolumeClaim& claim) {
  bool found = false;
  if (claim.metadata.namespace_ != pod.namespace_()) return false;
  ForEachClaimName(pod.pod().spec,
                   [&](const std::string& name) { found = found || name == claim.metadata.name; });
  return found;
}

}  // namespace

PluginDescriptor VolumeZone::Descriptor() {
  return Describe<VolumeZone>({
      .name = "VolumeZone",
      .summary = "Keeps a pod off nodes in another zone or region than its volumes.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kStorageClass, action::kAdd,
                  "a class appeared whose claims wait for their first consumer"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node in the zone of the volumes appeared, or its labels say so now"},
                 {Resource::kPersistentVolumeClaim, action::kAdd | action::kUpdate,
                  "a claim of the pod appeared, or was bound"},
                 {Resource::kPersistentVolume, action::kAdd | action::kUpdate,
                  "a volume appeared, or its zone is another one"}},
      .reads = {ObjectKind::kPersistentVolume, ObjectKind::kPersistentVolumeClaim,
                ObjectKind::kStorageClass},
      .example = "plugins: {filter: {enabled: [{name: VolumeZone}]}}",
  });
}

ReuseKey VolumeZone::KeyOf(const CycleContext& cycle) const {
  const Prepared<PodZones> zones(cycle, FindZones);
  if (zones.get() == nullptr) return ReuseKey::Of(zones.status().Message());
  KeyText text;
  for (const VolumeZones& entry : zones.get()->entries) text.Add(entry.key).Add(entry.values);
  return ReuseKey::Of(text.Take());
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

ReuseKey VolumeZone::HintKeyOf(const PendingPod& pod) const {
  KeyText text;
  ForEachClaimName(pod.pod().spec, [&](const std::string& claim) { text.Add(claim); });
  if (text.text().empty()) return ReuseKey::Of("");
  return ReuseKey::Of(text.Add(pod.namespace_()).Take());
}

QueueingHint VolumeZone::Hint(const PendingPod& pod, const ClusterEvent&,
                              const EventObjects& objects) const {
  if (const auto* added = objects.volumes.After<api::StorageClass>()) {
    return QueueIf(added->volume_binding_mode == kLateBinding);
  }
  if (const auto* claim = objects.volumes.After<api::PersistentVolumeClaim>()) {
    return QueueIf(NamesClaim(pod, *claim));
  }
  const auto* before = objects.volumes.Before<api::PersistentVolume>();
  if (before == nullptr) return QueueingHint::kQueue;
  return QueueIf(ZonesOf(*before) != ZonesOf(*objects.volumes.After<api::PersistentVolume>()));
}

}  // namespace berth::scheduler
