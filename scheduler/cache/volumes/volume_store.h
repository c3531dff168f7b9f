// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "scheduler/cache/change_log.h"
#include "scheduler/cache/volumes/assumed_objects.h"
#include "scheduler/cache/volumes/capacity_index.h"
#include "scheduler/cache/volumes/label_nodes.h"
#include "scheduler/cache/volumes/object_table.h"
#include "scheduler/cache/volumes/pin_changes.h"
#include "scheduler/cache/volumes/volume_index.h"
#include "scheduler/model/object_types.h"

namespace berth::scheduler {

// AssumableVolumeObject holds for the kinds that we write: a volume's claim, and the node that was
// chosen for a claim.
template <class T>
concept AssumableVolumeObject =
    std::same_as<T, api::PersistentVolume> || std::same_as<T, api::PersistentVolumeClaim>;

// VolumeStore is all that plugins ask about volumes: the objects as the API server last showed them,
// those of them that we are about to change as they will be, and where they are found by. A kind that
// no plugin reads is empty. Owned by the cache, on the scheduling thread.
//
// Invariants: Volumes() has the rows of All<PersistentVolume>, as they are assumed where they are,
// because Refresh follows each change of either; Capacities() those of All<CsiStorageCapacity>.
class VolumeStore {
 public:
  // Requires: all outlive the store.
  VolumeStore(ChangeLog& changes, Vocabulary& words, const std::deque<NodeInfo>& nodes)
      : changes_(changes),
        nodes_(words, nodes),
        pins_(changes, nodes_),
        volumes_(words, pins_),
        capacities_(words, pins_) {}
  VolumeStore(const VolumeStore&) = delete;
  VolumeStore& operator=(const VolumeStore&) = delete;

  template <VolumeObject T>
  const ObjectTable<T>& All() const {
    return std::get<ObjectTable<T>>(tables_);
  }
  // Find gives an object by its key, "name" or "namespace/name", or null: as the API server showed it.
  template <VolumeObject T>
  const T* Find(std::string_view key) const {
    return All<T>().Find(key).get();
  }
  // View gives it as it is assumed, where it is.
  template <AssumableVolumeObject T>
  std::shared_ptr<const T> View(std::string_view key) const {
    auto assumed = std::get<AssumedObjects<T>>(assumed_).Find(key);
    return assumed != nullptr ? assumed : All<T>().Find(key);
  }
  template <AssumableVolumeObject T>
  const AssumedObjects<T>& Assumed() const {
    return std::get<AssumedObjects<T>>(assumed_);
  }
  // As View shows them.
  const VolumeIndex& Volumes() const { return volumes_; }
  const CapacityIndex& Capacities() const { return capacities_; }

  // Put takes the newest state of an object and gives the one before, or null. Remove gives the
  // last one, or null; Clear forgets all of a kind.
  template <VolumeObject T>
  std::shared_ptr<const T> Put(std::shared_ptr<const T> object);
  template <VolumeObject T>
  std::shared_ptr<const T> Remove(const std::string& uid);
  void Clear(ObjectKind kind);  // Requires: IsVolumeKind

  // Assume shows an object as it is about to be written, until the API server shows another version
  // of it or everyone who assumed it restores it. Errors: AssumedObjects::Assume.
  template <AssumableVolumeObject T>
  Result<void> Assume(std::shared_ptr<const T> object);
  template <AssumableVolumeObject T>
  void Restore(const T& object);

  // MoveNode says that a slot has other labels, or another node, or none.
  void MoveNode(const NodeInfo& node) { nodes_.Move(node); }

 private:
  template <VolumeObject T>
  void Refresh(const std::string& key);  // after each change of what there is under a key

  ChangeLog& changes_;
  LabelNodes nodes_;
  PinChanges pins_;
  std::tuple<ObjectTable<api::PersistentVolume>, ObjectTable<api::PersistentVolumeClaim>,
             ObjectTable<api::StorageClass>, ObjectTable<api::CsiNode>, ObjectTable<api::CsiDriver>,
             ObjectTable<api::CsiStorageCapacity>, ObjectTable<api::VolumeAttachment>>
      tables_;
  std::tuple<AssumedObjects<api::PersistentVolume>, AssumedObjects<api::PersistentVolumeClaim>>
      assumed_;
  VolumeIndex volumes_;
  CapacityIndex capacities_;
};

template <VolumeObject T>
std::shared_ptr<const T> VolumeStore::Put(std::shared_ptr<const T> object) {
  changes_.Touch(Epoch::kVolumes);
  const std::string key = api::KeyOf(object->metadata);
  auto before = std::get<ObjectTable<T>>(tables_).Put(std::move(object));
  Refresh<T>(key);
  return before;
}

template <VolumeObject T>
std::shared_ptr<const T> VolumeStore::Remove(const std::string& uid) {
  changes_.Touch(Epoch::kVolumes);
  auto last = std::get<ObjectTable<T>>(tables_).Remove(uid);
  if (last != nullptr) Refresh<T>(api::KeyOf(last->metadata));
  return last;
}

template <AssumableVolumeObject T>
Result<void> VolumeStore::Assume(std::shared_ptr<const T> object) {
  const std::string key = api::KeyOf(object->metadata);
  BERTH_TRY_VOID(std::get<AssumedObjects<T>>(assumed_).Assume(std::move(object), Find<T>(key)));
  Refresh<T>(key);
  return {};
}

template <AssumableVolumeObject T>
void VolumeStore::Restore(const T& object) {
  std::get<AssumedObjects<T>>(assumed_).Restore(object);
  Refresh<T>(api::KeyOf(object.metadata));
}

template <VolumeObject T>
void VolumeStore::Refresh(const std::string& key) {
  if constexpr (AssumableVolumeObject<T>) {
    std::get<AssumedObjects<T>>(assumed_).Expire(key, Find<T>(key));
  }
  if constexpr (std::same_as<T, api::PersistentVolume>) volumes_.Replace(key, View<T>(key));
  if constexpr (std::same_as<T, api::CsiStorageCapacity>) {
    capacities_.Replace(key, All<T>().Find(key));
  }
}

}  // namespace berth::scheduler
