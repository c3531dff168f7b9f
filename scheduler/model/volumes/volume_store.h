// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "scheduler/model/change_log.h"
#include "scheduler/model/object_types.h"
#include "scheduler/model/volumes/assumed_objects.h"
#include "scheduler/model/volumes/capacity_index.h"
#include "scheduler/model/volumes/label_nodes.h"
#include "scheduler/model/volumes/object_table.h"
#include "scheduler/model/volumes/pin_changes.h"
#include "scheduler/model/volumes/volume_index.h"
#include "scheduler/model/volumes/volume_usage.h"

namespace berth::scheduler {

// AssumableVolumeObject is satisfied by the kinds that we write: PersistentVolume (claimRef) and
// PersistentVolumeClaim (selected node).
template <class T>
concept AssumableVolumeObject =
    std::same_as<T, api::PersistentVolume> || std::same_as<T, api::PersistentVolumeClaim>;

// VolumeStore is the view of volumes for plugins. It has the objects of the API server, the assumed
// state of objects that we are about to write, indexes over both, and the use of volumes by placed
// pods. A kind that no plugin reads is empty. Owned by the cache, on the scheduling thread.
//
// Invariants: Volumes() has the rows of All<PersistentVolume>, in their assumed state if there is
// one. RefreshView applies each change of either. Capacities() has the rows of
// All<CsiStorageCapacity>.
class VolumeStore {
 public:
  // Requires: all arguments outlive the store.
  VolumeStore(ChangeLog& changes, Vocabulary& words, const std::deque<NodeInfo>& nodes)
      : changes_(changes),
        nodes_(words, nodes),
        pins_(changes, nodes_),
        volumes_(words, pins_),
        capacities_(words, pins_),
        usage_(*this, changes) {}
  VolumeStore(const VolumeStore&) = delete;
  VolumeStore& operator=(const VolumeStore&) = delete;

  template <VolumeObject T>
  const ObjectTable<T>& All() const {
    return std::get<ObjectTable<T>>(tables_);
  }
  // Returns an object as stored in the API server, by its key "name" or "namespace/name"; null if
  // missing.
  template <VolumeObject T>
  const T* Find(std::string_view key) const {
    return All<T>().Find(key).get();
  }
  // Returns the assumed state of an object, or the stored one if it is not assumed.
  template <AssumableVolumeObject T>
  std::shared_ptr<const T> View(std::string_view key) const {
    auto assumed = std::get<AssumedObjects<T>>(assumed_).Find(key);
    return assumed != nullptr ? assumed : All<T>().Find(key);
  }
  template <AssumableVolumeObject T>
  const AssumedObjects<T>& Assumed() const {
    return std::get<AssumedObjects<T>>(assumed_);
  }
  // Indexes over the states that View returns.
  const VolumeIndex& Volumes() const { return volumes_; }
  const CapacityIndex& Capacities() const { return capacities_; }

  const VolumeUsage& Usage() const { return usage_; }
  // The cache reports pods and nodes to it.
  VolumeUsage& Usage() { return usage_; }

  // Put stores the newest state of an object and returns the previous one, or null. Remove returns
  // the last state, or null. Clear deletes all objects of a kind.
  template <VolumeObject T>
  std::shared_ptr<const T> Put(std::shared_ptr<const T> object);
  template <VolumeObject T>
  std::shared_ptr<const T> Remove(const std::string& uid);
  void Clear(ObjectKind kind);  // Requires: IsVolumeKind

  // Assume shows an object in the state that we are about to write. This ends when the API server
  // reports another version, or when all pods that assumed it restored it. Errors: see
  // AssumedObjects::Assume.
  template <AssumableVolumeObject T>
  Result<void> Assume(std::shared_ptr<const T> object);
  template <AssumableVolumeObject T>
  void Restore(const T& object);

  // Updates a slot with new labels, another node, or no node.
  void MoveNode(const NodeInfo& node) { nodes_.Move(node); }

 private:
  template <VolumeObject T>
  void Refresh(const std::string& key);  // after each change under a key
  template <VolumeObject T>
  void RefreshView(const std::string& key);  // also after a change of the assumed state

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
  VolumeUsage usage_;
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
  RefreshView<T>(key);
  return {};
}

template <AssumableVolumeObject T>
void VolumeStore::Restore(const T& object) {
  std::get<AssumedObjects<T>>(assumed_).Restore(object);
  RefreshView<T>(api::KeyOf(object.metadata));
}

template <VolumeObject T>
void VolumeStore::RefreshView(const std::string& key) {
  if constexpr (AssumableVolumeObject<T>) {
    std::get<AssumedObjects<T>>(assumed_).Expire(key, Find<T>(key));
  }
  if constexpr (std::same_as<T, api::PersistentVolume>) volumes_.Replace(key, View<T>(key));
  if constexpr (std::same_as<T, api::CsiStorageCapacity>) {
    capacities_.Replace(key, All<T>().Find(key));
  }
}

template <VolumeObject T>
void VolumeStore::Refresh(const std::string& key) {
  RefreshView<T>(key);
  if constexpr (std::same_as<T, api::PersistentVolumeClaim>) usage_.OnClaim(key);
  if constexpr (std::same_as<T, api::PersistentVolume>) usage_.OnVolume(key);
  if constexpr (std::same_as<T, api::StorageClass>) usage_.OnStorageClass(key);
  if constexpr (std::same_as<T, api::CsiNode>) usage_.OnCsiNode(key);
  if constexpr (std::same_as<T, api::VolumeAttachment>) usage_.OnAttachment(key);
}

}  // namespace berth::scheduler
