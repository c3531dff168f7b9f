// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_restrictions.h"

#include <algorithm>
#include <map>
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

// Calls `visit` with the name of each disk of the pod, its monitors, and whether others may read it
// meanwhile. Two RBD volumes are the same disk if they have the same image and a monitor in common;
// other disks count as if they had one monitor.
template <class Visit>
void ForEachDisk(const PodInfo& pod, const Visit& visit) {
  static const std::vector<std::string> kNone(1);
  for (const api::Volume& volume : pod.volumes()) {
    if (const auto& disk = volume.gce_persistent_disk) {
      visit(KeyText().Add("gce").Add(disk->pd_name).Take(), kNone, disk->read_only);
    }
    if (const auto& disk = volume.aws_elastic_block_store) {
      visit(KeyText().Add("aws").Add(disk->volume_id).Take(), kNone, false);
    }
    if (const auto& disk = volume.iscsi) {
      visit(KeyText().Add("iscsi").Add(disk->iqn).Take(), kNone, disk->read_only);
    }
    if (const auto& disk = volume.rbd) {
      visit(KeyText().Add("rbd").Add(disk->pool).Add(disk->image).Take(), disk->monitors,
            disk->read_only);
    }
  }
}

// Disks holds the disks of a pod, to find a conflict without comparing each pair of volumes.
class Disks {
 public:
  explicit Disks(const PodInfo& pod) {
    ForEachDisk(pod, [this](std::string name, const auto& monitors, bool is_shared) {
      Monitors& known = disks_[std::move(name)];
      for (const std::string& monitor : monitors) {
        bool& all_shared = known.try_emplace(monitor, true).first->second;
        all_shared = all_shared && is_shared;
      }
    });
  }

  bool IsEmpty() const { return disks_.empty(); }

  // Reports whether both pods have a disk and one of them does not share it.
  bool ConflictWith(const PodInfo& other) const {
    bool conflict = false;
    ForEachDisk(other, [&](const std::string& name, const auto& monitors, bool is_shared) {
      const auto disk = disks_.find(name);
      if (disk == disks_.end()) return;
      for (const std::string& monitor : monitors) {
        const auto own = disk->second.find(monitor);
        conflict |= own != disk->second.end() && !(own->second && is_shared);
      }
    });
    return conflict;
  }

 private:
  using Monitors = std::map<std::string, bool>;  // whether all volumes of the disk share it
  std::map<std::string, Monitors> disks_;
};

// Adds to a key all that Disks reads of a pod.
void AddDisks(const PodInfo& pod, KeyText& key) {
  ForEachDisk(pod, [&key](const std::string& name, const auto& monitors, bool is_shared) {
    key.Add(name).Add(monitors).Add(is_shared);
  });
}

// ---- Claims of one pod

// ExclusiveVolumes holds the pod's ReadWriteOncePod claims and its disks.
struct ExclusiveVolumes {
  std::set<std::string> names;
  int64_t in_use = 0;  // number of these claims that pods on any node use
  Disks disks;
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

Status ReadExclusiveVolumes(CycleContext& cycle) {
  ExclusiveVolumes claims{.names = {}, .disks = Disks(cycle.pod)};
  for (PodClaim& named : ClaimsOf(cycle.pod, ClaimVolumes::kNamed)) {
    const std::string key = named.KeyIn(cycle.pod.namespace_());
    const auto* claim = cycle.snapshot.Volumes().Find<api::PersistentVolumeClaim>(key);
    if (claim == nullptr) return Status::UnschedulableAndUnresolvable(ClaimNotFound(named.name));
    if (!IsExclusive(*claim)) continue;
    claims.names.insert(std::move(named.name));
    claims.in_use += IsInUse(cycle, key) ? 1 : 0;
  }
  if (claims.in_use == 0 && claims.disks.IsEmpty()) return Status::Skip();
  cycle.state.Write(std::move(claims));
  return Status::Success();
}

// Returns how many volumes of a pod have the name of one of the claims.
int64_t UsesOf(const ExclusiveVolumes& claims, const PodInfo& pod) {
  return std::ranges::count_if(pod.volumes(), [&claims](const api::Volume& volume) {
    return volume.persistent_volume_claim &&
           claims.names.contains(volume.persistent_volume_claim->claim_name);
  });
}

bool ShareClaim(const PodInfo& a, const PodInfo& b) {
  std::set<std::string> names;
  for (PodClaim& claim : ClaimsOf(a, ClaimVolumes::kNamed)) names.insert(std::move(claim.name));
  return std::ranges::any_of(ClaimsOf(b, ClaimVolumes::kNamed), [&names](const PodClaim& claim) {
    return names.contains(claim.name);
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
  const Prepared<ExclusiveVolumes> claims(cycle, ReadExclusiveVolumes);
  if (claims.get() == nullptr) return ResultKey::Of(claims.status().Message());
  KeyText key;
  key.Add(claims.get()->in_use > 0);
  AddDisks(cycle.pod, key);
  return ResultKey::Of(key.Take());
}

PreFilterResult VolumeRestrictions::PreFilter(CycleContext& cycle) const {
  return PreFilterResult::Of(ReadExclusiveVolumes(cycle));
}

Verdict VolumeRestrictions::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kDisk = VerdictReason::Intern("node(s) had no available disk");
  static const VerdictReason kClaim = VerdictReason::Intern(
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
      "in-use by another pod");
  const Prepared<ExclusiveVolumes> claims(cycle, ReadExclusiveVolumes);
  if (claims.get() == nullptr) return claims.VerdictWithout();
  if (!claims.get()->disks.IsEmpty()) {
    bool conflicts = false;
    node.ForEachPod(
        [&](const PodInfo& other) { conflicts |= claims.get()->disks.ConflictWith(other); });
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
  return QueueIf(Disks(pod).ConflictWith(gone) || ShareClaim(pod, gone));
}

}  // namespace berth::scheduler
