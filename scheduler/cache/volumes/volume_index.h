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
#include "scheduler/cache/volumes/class_members.h"
#include "scheduler/cache/volumes/object_table.h"
#include "scheduler/cache/volumes/pin_changes.h"
#include "scheduler/cache/volumes/volume_affinity.h"

namespace berth::scheduler {

// IndexedVolume is a PersistentVolume, as it is or as it is assumed, with what is asked of it often.
struct IndexedVolume {
  std::shared_ptr<const api::PersistentVolume> object;
  Quantity capacity;
  std::string storage_class;
  std::string claim;  // the key of the claim that it names; empty: none
  // Volumes of equal affinity share one.
  std::shared_ptr<const VolumeAffinity> affinity;

  const std::string& name() const { return object->metadata.name; }
  // IsFree says that a claim may take it which it does not name.
  bool IsFree() const;
};

// Smallest orders volumes as a claim takes them. Upstream takes any of those of equal size; here it
// is the first by name.
struct Smallest {
  bool operator()(const IndexedVolume* a, const IndexedVolume* b) const {
    if (const auto order = a->capacity <=> b->capacity; order != 0) return order < 0;
    return a->name() < b->name();
  }
};

// VolumeIndex finds PersistentVolumes: by name, by the claim they name, and the free ones by class
// and node. Owned by the VolumeStore.
//
// What becomes stale with a change of a free volume is said once: a volume that few nodes can reach
// touches these nodes, any other gives its class another version. A volume that names a claim
// concerns that claim alone.
//
// Invariants: each volume has one row; it is under its claim if it names one, and among the free ones
// of its class if IsFree, because Replace alone adds and takes away.
class VolumeIndex {
 public:
  using Free = ClassMembers<IndexedVolume, Smallest>;

  // Requires: both outlive this.
  VolumeIndex(Vocabulary& words, PinChanges& changes) : words_(words), changes_(changes) {}
  VolumeIndex(const VolumeIndex&) = delete;
  VolumeIndex& operator=(const VolumeIndex&) = delete;

  // Replace says what a volume is now; null: it is gone.
  void Replace(const std::string& name, std::shared_ptr<const api::PersistentVolume> volume);
  void Clear();

  const IndexedVolume* Find(std::string_view name) const;  // or null
  // NamedBy gives the volumes that name a claim, in any order.
  std::span<const IndexedVolume* const> Naming(std::string_view claim_key) const;
  const Free* FreeOf(std::string_view storage_class) const;  // null: there are none
  // VersionOf is another one after each change of the free volumes of a class that touched no node.
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
