// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/new_volumes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "scheduler/model/pod_claims.h"

namespace berth::scheduler {
namespace {

Verdict VerdictOf(const CycleContext& cycle, const Status& status) {
  return Verdict::Of(status.code, cycle.state.reasons().Add(status.Message()));
}

int64_t UsesNow(const AttachedVolumes::Volume* volume, Slot slot, AttachedBy by) {
  return volume == nullptr ? 0 : volume->Uses(slot, by);
}

// Returns an error if the volume's claim is missing or does not belong to the pod; Success for a
// volume without a claim.
Status CheckClaim(const CycleContext& cycle, const api::Volume& volume) {
  if (!volume.persistent_volume_claim && !volume.ephemeral) return Status::Success();
  const PendingPod& pod = cycle.pod;
  const std::string name = ClaimNameOf(pod, volume);
  if (name.empty()) return Status::Failed("PersistentVolumeClaim had no name");
  const std::string key = pod.namespace_() + "/" + name;
  const auto* claim = cycle.snapshot.Volumes().Find<api::PersistentVolumeClaim>(key);
  if (claim == nullptr) {
    return Status::UnschedulableAndUnresolvable("looking up PVC " + key + ": " +
                                                ClaimNotFound(name));
  }
  if (volume.ephemeral && !IsCreatedFor(pod.uid(), *claim)) {
    return Status::Failed(NotCreatedFor(pod, name));
  }
  return Status::Success();
}

// Returns the first error that upstream finds when it counts the volumes of the node's pods.
Status ErrorAmong(const VolumeStore& objects, const NodeView& node) {
  Status status;
  node.ForEachPod([&](const PodInfo& pod) {
    if (!status.ok()) return;
    if (std::string error = CountingErrorOf(objects, pod); !error.empty()) {
      status = Status::Failed(std::move(error));
    }
  });
  return status;
}

}  // namespace

// Change computes how a node's delta changes the uses of volumes.
class NewVolumes::Change {
 public:
  Change(const VolumeStore& objects, const NodeDelta& delta)
      : attached_(objects.Usage().Attached()) {
    delta.ForEach([&](const PodInfo& pod, int sign) {
      may_be_broken_ |= !CountingErrorOf(objects, pod).empty();
      for (const api::Volume& volume : pod.volumes()) {
        const auto source = CountVolume(objects, pod, volume);
        if (!source || !*source) continue;
        Entry& entry = by_name_[UniqueNameOf(**source)];
        entry.source = **source;
        entry.uses += sign;
      }
    });
  }

  bool may_be_broken() const { return may_be_broken_; }
  // Returns the number of pods that use a volume after the change, given the number now.
  int64_t Uses(const CsiSource& source, int64_t now) const {
    const auto found = by_name_.find(UniqueNameOf(source));
    return found == by_name_.end() ? now : now + found->second.uses;
  }
  // Returns how many more volumes of a driver are attached after the change.
  int64_t MoreOf(const std::string& driver, Slot slot) const {
    int64_t more = 0;
    for (const auto& [name, entry] : by_name_) {
      if (entry.source.driver != driver) continue;
      if (UsesNow(attached_.Find(entry.source), slot, AttachedBy::kAttachment) > 0) continue;
      const int64_t now = UsesNow(attached_.Find(entry.source), slot, AttachedBy::kPod);
      more += (now + entry.uses > 0 ? 1 : 0) - (now > 0 ? 1 : 0);
    }
    return more;
  }

 private:
  struct Entry {
    CsiSource source;
    int64_t uses = 0;
  };
  const AttachedVolumes& attached_;
  std::map<std::string, Entry> by_name_;
  bool may_be_broken_ = false;
};

NewVolumes::NewVolumes(const CycleContext& cycle) {
  const VolumeStore& objects = cycle.snapshot.Volumes();
  std::set<std::string> known;
  for (const api::Volume& volume : cycle.pod.volumes()) {
    if (Status status = CheckClaim(cycle, volume); !status.ok()) {
      anywhere_ = status;
      if (counting_.ok()) counting_ = std::move(status);
      return;
    }
    auto counted = CountVolume(objects, cycle.pod, volume);
    if (!counted) {
      if (counting_.ok()) counting_ = Status::Failed(counted.error().message());
      continue;
    }
    if (*counted && known.insert(UniqueNameOf(**counted)).second) Add(cycle, **counted);
  }
}

void NewVolumes::Add(const CycleContext& cycle, const CsiSource& source) {
  const VolumeStore& objects = cycle.snapshot.Volumes();
  const AttachedVolumes& attached = objects.Usage().Attached();
  OfDriver& driver = drivers_[source.driver];
  driver.columns = attached.FindDriver(source.driver);
  const AttachedVolumes::Volume* found = attached.Find(source);
  driver.volumes.push_back({source, found != nullptr && found->HasPods() ? found : nullptr});
  const auto* object = objects.Find<api::CsiDriver>(source.driver);
  if (object == nullptr || object->spec.prevent_pod_scheduling_if_missing != true) return;
  need_presence_ = true;
  driver.presence = std::max(driver.presence,
                             source.is_migrated ? Presence::kWithCsiNode : Presence::kEverywhere);
}

Verdict NewVolumes::Check(const CycleContext& cycle, const NodeView& node) const {
  const VolumeStore& objects = cycle.snapshot.Volumes();
  const VolumeUsage& usage = objects.Usage();
  const Slot slot = node.slot();
  const Status& own = usage.Attached().HasNode(slot) ? counting_ : anywhere_;
  if (!own.ok()) return VerdictOf(cycle, own);
  if (drivers_.empty()) return Verdict::Fits();
  if (const std::string* missing = FindMissing(objects, node)) {
    return Verdict::Unschedulable(
        cycle.state.reasons().AddRecurring(*missing + " CSI driver is not installed on the node"));
  }
  if (!usage.Attached().HasLimits(slot)) return Verdict::Fits();
  std::optional<Change> change;
  if (node.simulated()) change.emplace(objects, *node.delta());
  if (usage.HasBroken(slot) || (change && change->may_be_broken())) {
    if (const Status error = ErrorAmong(objects, node); !error.ok()) return VerdictOf(cycle, error);
  }
  if (HasRoom(slot, change ? &*change : nullptr)) return Verdict::Fits();
  static const VerdictReason kFull = VerdictReason::Intern("node(s) exceed max volume count");
  return Verdict::Unschedulable(kFull);
}

const std::string* NewVolumes::FindMissing(const VolumeStore& objects, const NodeView& node) const {
  if (!need_presence_) return nullptr;
  const auto* csi_node = objects.Find<api::CsiNode>(node.name());
  const auto is_missing = [csi_node](const auto& entry) {
    const auto& [name, driver] = entry;
    if (driver.presence == Presence::kOptional) return false;
    if (csi_node == nullptr) return driver.presence == Presence::kEverywhere;
    return std::ranges::find(csi_node->spec.drivers, name, &api::CsiNodeDriver::name) ==
           csi_node->spec.drivers.end();
  };
  const auto found = std::ranges::find_if(drivers_, is_missing);
  return found == drivers_.end() ? nullptr : &found->first;
}

bool NewVolumes::HasRoom(Slot slot, const Change* change) const {
  return std::ranges::all_of(drivers_, [&](const auto& entry) {
    const auto& [name, driver] = entry;
    if (driver.columns == nullptr) return true;
    const int64_t limit = driver.columns->limit(slot);
    if (limit == AttachedVolumes::kNoLimit) return true;
    const int64_t more = std::ranges::count_if(driver.volumes, [&](const Volume& volume) {
      const int64_t now = UsesNow(volume.used, slot, AttachedBy::kPod);
      return (change == nullptr ? now : change->Uses(volume.source, now)) == 0;
    });
    const int64_t used =
        driver.columns->used(slot) + (change == nullptr ? 0 : change->MoreOf(name, slot));
    return more == 0 || used + more <= limit;
  });
}

void NewVolumes::AddTo(KeyText& key) const {
  key.Add(anywhere_.Message()).Add(counting_.Message()).AddCount(drivers_);
  for (const auto& [name, driver] : drivers_) {
    std::vector<std::string> used;
    for (const Volume& volume : driver.volumes) {
      if (volume.used != nullptr) used.push_back(volume.source.volume_handle);
    }
    std::ranges::sort(used);
    key.Add(name).Add(static_cast<int>(driver.presence)).Add(driver.volumes.size()).Add(used);
  }
}

}  // namespace berth::scheduler
