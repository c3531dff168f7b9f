// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "scheduler/cache/change_log.h"
#include "scheduler/cache/volumes/object_table.h"
#include "scheduler/cache/volumes/volume_usage.h"
#include "scheduler/model/object_types.h"

namespace berth::scheduler {

// VolumeStore is all that plugins ask about volumes: the objects as the API server last showed them,
// and what placed pods do with them.
// A kind that no plugin reads is empty. Owned by the cache, on the scheduling thread.
class VolumeStore {
 public:
  // Requires: `changes` outlives the store.
  explicit VolumeStore(ChangeLog& changes) : changes_(changes), usage_(*this, changes) {}
  VolumeStore(const VolumeStore&) = delete;
  VolumeStore& operator=(const VolumeStore&) = delete;

  template <VolumeObject T>
  const ObjectTable<T>& All() const {
    return std::get<ObjectTable<T>>(tables_);
  }
  // Find gives an object by its key, "name" or "namespace/name", or null.
  template <VolumeObject T>
  const T* Find(std::string_view key) const {
    return All<T>().Find(key).get();
  }

  const VolumeUsage& Usage() const { return usage_; }
  // Usage is told of pods and nodes by the cache.
  VolumeUsage& Usage() { return usage_; }

  // Put takes the newest state of an object and gives the one before, or null. Remove gives the
  // last one, or null; Clear forgets all of a kind.
  template <VolumeObject T>
  std::shared_ptr<const T> Put(std::shared_ptr<const T> object);
  template <VolumeObject T>
  std::shared_ptr<const T> Remove(const std::string& uid);
  void Clear(ObjectKind kind);  // Requires: IsVolumeKind

 private:
  template <VolumeObject T>
  void Refresh(const std::string& key);  // after each change of what there is under a key

  ChangeLog& changes_;
  std::tuple<ObjectTable<api::PersistentVolume>, ObjectTable<api::PersistentVolumeClaim>,
             ObjectTable<api::StorageClass>, ObjectTable<api::CsiNode>, ObjectTable<api::CsiDriver>,
             ObjectTable<api::CsiStorageCapacity>, ObjectTable<api::VolumeAttachment>>
      tables_;
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

template <VolumeObject T>
void VolumeStore::Refresh(const std::string& key) {
  if constexpr (std::same_as<T, api::PersistentVolumeClaim>) usage_.OnClaim(key);
  if constexpr (std::same_as<T, api::PersistentVolume>) usage_.OnVolume(key);
  if constexpr (std::same_as<T, api::StorageClass>) usage_.OnStorageClass(key);
  if constexpr (std::same_as<T, api::CsiNode>) usage_.OnCsiNode(key);
  if constexpr (std::same_as<T, api::VolumeAttachment>) usage_.OnAttachment(key);
}

}  // namespace berth::scheduler
