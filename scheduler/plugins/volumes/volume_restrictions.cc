// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_restrictions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_claims.h"
#include "scheduler/model/volumes/volume_store.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/volumes/pod_claims.h"

namespace berth::scheduler {
namespace {

// ---- Disks

bool IsDisk(const api::Volume& volume) {
  return volume.gce_persistent_disk || volume.aws_elastic_block_store || volume.rbd || volume.iscsi;
}

bool HasDisk(const PodInfo& pod) { return std::ranges::any_of(pod.volumes(), IsDisk); }

bool IsSameImage(const api::RbdVolumeSource& a, const api::RbdVolumeSource& b) {
  return a.pool == b.pool && a.image == b.image &&
         std::ranges::any_of(a.monitors, [&b](const std::string& monitor) {
           return std::ranges::find(b.monitors, monitor) != b.monitors.end();
         });
}

// Reports whether two volumes are the same disk and cannot both be mounted.
bool Conflict(const api::Volume& a, const api::Volume& b) {
  const auto may_share = [](const auto& one, const auto& other) {
    return one->read_only && other->read_only;
  };
  if (a.gce_persistent_disk && b.gce_persistent_disk &&
      a.gce_persistent_disk->pd_name == b.gce_persistent_disk->pd_name) {
    return !may_share(a.gce_persistent_disk, b.gce_persistent_disk);
  }
  if (a.aws_elastic_block_store && b.aws_elastic_block_store) {
    return a.aws_elastic_block_store->volume_id == b.aws_elastic_block_store->volume_id;
  }
  if (a.iscsi && b.iscsi && a.iscsi->iqn == b.iscsi->iqn) return !may_share(a.iscsi, b.iscsi);
  return a.rbd && b.rbd && IsSameImage(*a.rbd, *b.rbd) && !may_share(a.rbd, b.rbd);
}

bool DisksConflict(const PodInfo& pod, const PodInfo& other) {
  return std::ranges::any_of(pod.volumes(), [&other](const api::Volume& volume) {
    return std::ranges::any_of(other.volumes(), [&volume](const api::Volume& existing) {
      return Conflict(volume, existing);
    });
  });
}

// Adds to a key all that Conflict reads of a pod.
void AddDisks(const PodInfo& pod, KeyText& key) {
  for (const api::Volume& volume : pod.volumes()) {
    if (volume.gce_persistent_disk) {
      key.Add("gce").Add(volume.gce_persistent_disk->pd_name);
      key.Add(volume.gce_persistent_disk->read_only);
    }
    if (volume.aws_elastic_block_store) {
      key.Add("aws").Add(volume.aws_elastic_block_store->volume_id);
    }
    if (volume.iscsi) key.Add("iscsi").Add(volume.iscsi->iqn).Add(volume.iscsi->read_only);
    if (volume.rbd) {
      key.Add("rbd").Add(volume.rbd->monitors).Add(volume.rbd->pool).Add(volume.rbd->image);
      key.Add(volume.rbd->read_only);
    }
  }
}

// ---- Claims of one pod

// ExclusiveClaims holds the pod's ReadWriteOncePod claims.
struct ExclusiveClaims {
  std::set<std::string> names;
  int64_t in_use = 0;  // number of these claims that pods on any node use
};

bool IsExclusive(const api::PersistentVolumeClaim& claim) {
  const auto& modes = claim.spec.access_modes;
  return std::ranges::find(modes, "ReadWriteOncePod") != modes.end();
}

// Pods on unknown or deleted nodes are ignored.
bool IsInUse(const CycleContext& cycle, const std::string& key) {
  const auto& users = cycle.snapshot.Volumes().Usage().UsersOf(key);
  return std::ranges::any_of(
      users, [&cycle](const auto& user) { return cycle.snapshot.At(user.first).node != nullptr; });
}

Status ReadExclusiveClaims(CycleContext& cycle) {
  ExclusiveClaims claims;
  for (PodClaim& named : ClaimsOf(cycle.pod, ClaimVolumes::kNamed)) {
    const std::string key = named.KeyIn(cycle.pod.namespace_());
    const auto* claim = cycle.snapshot.Volumes().Find<api::PersistentVolumeClaim>(key);
    if (claim == nullptr) return Status::UnschedulableAndUnresolvable(ClaimNotFound(named.name));
    if (!IsExclusive(*claim)) continue;
    claims.names.insert(std::move(named.name));
    claims.in_use += IsInUse(cycle, key) ? 1 : 0;
  }
  if (claims.in_use == 0 && !HasDisk(cycle.pod)) return Status::Skip();
  cycle.state.Write(std::move(claims));
  return Status::Success();
}

// Returns how many volumes of a pod have the name of one of the claims.
int64_t UsesOf(const ExclusiveClaims& claims, const PodInfo& pod) {
  return std::ranges::count_if(pod.volumes(), [&claims](const api::Volume& volume) {
    return volume.persistent_volume_claim &&
           claims.names.contains(volume.persistent_volume_claim->claim_name);
  });
}

bool ShareClaim(const PodInfo& a, const PodInfo& b) {
  const std::vector<PodClaim> claims = ClaimsOf(a, ClaimVolumes::kNamed);
  return std::ranges::any_of(ClaimsOf(b, ClaimVolumes::kNamed), [&claims](const PodClaim& claim) {
    return std::ranges::find(claims, claim.name, &PodClaim::name) != claims.end();
  });
}

}  // namespace

PluginDescriptor VolumeRestrictions::Descriptor() {
  return Describe<VolumeRestrictions>({
      .name = "VolumeRestrictions",
      .summary = "Rejects nodes where another pod uses a disk of the pod, and all nodes while "
                 "another pod uses its ReadWriteOncePod claim.",
      .depends_on = {Epoch::kNodePods},
      .events = {{Resource::kAssignedPod, action::kDelete,
                  "a pod that used the disk or claim is gone"},
                 {Resource::kNode, action::kAdd, "a node without such pods appeared"},
                 {Resource::kPersistentVolumeClaim, action::kAdd,
                  "a claim that the pod uses was created"}},
      .reads = {ObjectKind::kPersistentVolumeClaim},
      .example =
          R"(# Runs before all other filters, for pods with disks that only one pod may mount.
plugins:
  filter: {enabled: [{name: VolumeRestrictions}]})",
  });
}

ResultKey VolumeRestrictions::KeyOf(const CycleContext& cycle) const {
  const Prepared<ExclusiveClaims> claims(cycle, ReadExclusiveClaims);
  if (claims.get() == nullptr) return ResultKey::Of(claims.status().Message());
  KeyText key;
  key.Add(claims.get()->in_use > 0);
  AddDisks(cycle.pod, key);
  return ResultKey::Of(key.Take());
}

PreFilterResult VolumeRestrictions::PreFilter(CycleContext& cycle) const {
  return PreFilterResult::Of(ReadExclusiveClaims(cycle));
}

Verdict VolumeRestrictions::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kDisk = VerdictReason::Intern("node(s) had no available disk");
  static const VerdictReason kClaim = VerdictReason::Intern(
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
      "in-use by another pod");
  const Prepared<ExclusiveClaims> claims(cycle, ReadExclusiveClaims);
  if (claims.get() == nullptr) return claims.VerdictWithout();
  if (HasDisk(cycle.pod)) {
    bool conflicts = false;
    node.ForEachPod([&](const PodInfo& other) { conflicts |= DisksConflict(cycle.pod, other); });
    if (conflicts) return Verdict::Unschedulable(kDisk);
  }
  int64_t in_use = claims.get()->in_use;
  if (node.simulated()) {
    node.delta()->ForEach(
        [&](const PodInfo& other, int sign) { in_use += sign * UsesOf(*claims.get(), other); });
  }
  return in_use > 0 ? Verdict::Unschedulable(kClaim) : Verdict::Fits();
}

ResultKey VolumeRestrictions::HintKeyOf(const PendingPod& pod) const {
  KeyText key;
  AddClaimNames(pod, ClaimVolumes::kNamed, key);
  AddDisks(pod, key);
  return ResultKey::Of(key.Take());
}

QueueingHint VolumeRestrictions::Hint(const PendingPod& pod, const ClusterEvent& event,
                                      const EventObjects& objects) const {
  if (event.resource == Resource::kNode) return QueueingHint::kQueue;
  if (event.resource == Resource::kPersistentVolumeClaim) {
    return QueueIf(
        UsesClaim(pod, ClaimVolumes::kNamed, *objects.volumes.After<api::PersistentVolumeClaim>()));
  }
  const PodInfo& gone = *objects.old_pod;
  if (gone.namespace_() != pod.namespace_()) return QueueingHint::kSkip;
  return QueueIf(DisksConflict(pod, gone) || ShareClaim(pod, gone));
}

}  // namespace berth::scheduler
