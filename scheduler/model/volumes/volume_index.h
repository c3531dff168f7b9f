// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/persistent_volume.h"
#include "base/quantity.h"
#include "scheduler/model/volumes/class_members.h"
#include "scheduler/model/volumes/object_table.h"
#include "scheduler/model/volumes/pin_changes.h"
#include "scheduler/model/volumes/volume_affinity.h"

namespace berth::scheduler {

// IndexedVolume is a PersistentVolume, stored or assumed, with its frequently used properties.
struct IndexedVolume {
  std::shared_ptr<const api::PersistentVolume> object;
  Quantity capacity;
  std::string storage_class;
  std::string claim;  // key of the claim in spec.claimRef; "": none
  // Volumes of equal affinity share it.
  std::shared_ptr<const VolumeAffinity> affinity;

  const std::string& name() const { return object->metadata.name; }
  // Reports whether a claim may take the volume without being named in spec.claimRef.
  bool IsFree() const;
};

// Smallest orders volumes by the preference of a claim. Among volumes of equal size, upstream takes
// any; Berth takes the first by name.
struct Smallest {
  bool operator()(const IndexedVolume* a, const IndexedVolume* b) const {
    if (const auto order = a->capacity <=> b->capacity; order != 0) return order < 0;
    return a->name() < b->name();
  }
};

// VolumeIndex finds PersistentVolumes by name, by the claim they name, and free ones by class and
// node. Owned by the VolumeStore.
//
// A change of a free volume is reported once. If few nodes can reach the volume, these nodes are
// touched; otherwise its class gets a new version. A volume that names a claim only affects that
// claim.
//
// Invariants: each volume has one row. The row is under its claim if it names one, and among the
// free volumes of its class if IsFree. Only Replace adds and removes rows.
class VolumeIndex {
 public:
  using Free = ClassMembers<IndexedVolume, Smallest>;

  // Requires: both outlive this object.
  VolumeIndex(Vocabulary& words, PinChanges& changes) : words_(words), changes_(changes) {}
  VolumeIndex(const VolumeIndex&) = delete;
  VolumeIndex& operator=(const VolumeIndex&) = delete;

  // Replaces the state of a volume; null: it is deleted.
  void Replace(const std::string& name, std::shared_ptr<const api::PersistentVolume> volume);
  void Clear();

  const IndexedVolume* Find(std::string_view name) const;  // or null
  // Returns the volumes that name the claim, unordered.
  std::span<const IndexedVolume* const> Naming(std::string_view claim_key) const;
  const Free* FreeOf(std::string_view storage_class) const;  // null: none
  // Returns a version that changes with each change of the free volumes that touched no node.
  uint64_t VersionOf(std::string_view storage_class) const;

  size_t size() const { return volumes_.size(); }

 private:
  struct OfClass {
    Free free;
    uint64_t version = 0;
  };

  std::shared_ptr<const VolumeAffinity> AffinityOf(const api::PersistentVolume& volume);
  void DropAffinity(std::shared_ptr<const VolumeAffinity> affinity);
  void Insert(IndexedVolume volume);
  void Erase(const std::string& name);
  void FreeChanged(OfClass& of_class, const std::optional<LabelPin>& pin);

  Vocabulary& words_;
  PinChanges& changes_;
  // Addresses of rows are stable.
  std::unordered_map<std::string, IndexedVolume, StringHash, std::equal_to<>> volumes_;
  std::unordered_map<std::string, std::vector<const IndexedVolume*>, StringHash, std::equal_to<>>
      by_claim_;
  std::unordered_map<std::string, OfClass, StringHash, std::equal_to<>> classes_;
  std::unordered_map<std::string, std::weak_ptr<const VolumeAffinity>> affinities_;  // by text
};

}  // namespace berth::scheduler
