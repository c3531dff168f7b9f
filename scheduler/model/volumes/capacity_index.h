// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "api/storage.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/volumes/class_members.h"
#include "scheduler/model/volumes/object_table.h"
#include "scheduler/model/volumes/pin_changes.h"

namespace berth::scheduler {

// Returns the largest volume that still fits the CSIStorageCapacity, in bytes; nullopt if it is
// unknown, which means no room.
std::optional<int64_t> LimitOf(const api::CsiStorageCapacity& capacity);

// IndexedCapacity is a CSIStorageCapacity with its nodeTopology compiled.
struct IndexedCapacity {
  std::shared_ptr<const api::CsiStorageCapacity> object;
  std::optional<int64_t> limit;
  LabelMatcher nodes;
  std::optional<LabelPin> pin;

  bool HasRoomOn(const NodeInfo& node, int64_t bytes) const {
    return limit && *limit >= bytes && nodes.Matches(node.labels);
  }
};

// CapacityIndex finds CSIStorageCapacities by class and node. It reports changes the same way as
// VolumeIndex. Owned by the VolumeStore. Invariant: each object has one row, under its class.
class CapacityIndex {
 public:
  struct ByKey {
    bool operator()(const IndexedCapacity* a, const IndexedCapacity* b) const {
      const api::ObjectMeta &left = a->object->metadata, &right = b->object->metadata;
      return std::tie(left.namespace_, left.name) < std::tie(right.namespace_, right.name);
    }
  };
  using OfNodes = ClassMembers<IndexedCapacity, ByKey>;

  // Requires: both outlive this object.
  CapacityIndex(Vocabulary& words, PinChanges& changes) : words_(words), changes_(changes) {}
  CapacityIndex(const CapacityIndex&) = delete;
  CapacityIndex& operator=(const CapacityIndex&) = delete;

  // Replaces the state of an object; null: it is deleted.
  void Replace(const std::string& key, std::shared_ptr<const api::CsiStorageCapacity> capacity);
  void Clear();

  // Returns an object with at least `bytes` free that the node can reach, or null.
  std::shared_ptr<const api::CsiStorageCapacity> FindRoom(std::string_view storage_class,
                                                          int64_t bytes,
                                                          const NodeInfo& node) const;
  // Returns a version that changes with each change of the class that touched no node.
  uint64_t VersionOf(std::string_view storage_class) const;

 private:
  struct OfClass {
    OfNodes members;
    uint64_t version = 0;
  };

  void Insert(const std::string& key, std::shared_ptr<const api::CsiStorageCapacity> capacity);
  void Erase(const std::string& key);
  void Changed(OfClass& of_class, const std::optional<LabelPin>& pin);

  Vocabulary& words_;
  PinChanges& changes_;
  std::unordered_map<std::string, IndexedCapacity> rows_;  // addresses are stable
  std::unordered_map<std::string, OfClass, StringHash, std::equal_to<>> classes_;
};

}  // namespace berth::scheduler
