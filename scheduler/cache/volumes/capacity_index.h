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
#include "scheduler/cache/volumes/class_members.h"
#include "scheduler/cache/volumes/object_table.h"
#include "scheduler/cache/volumes/pin_changes.h"
#include "scheduler/model/label_matcher.h"

namespace berth::scheduler {

// LimitOf is the largest volume that a CSIStorageCapacity still has room for, in bytes; nothing: it
// is not known, so none.
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

// CapacityIndex finds CSIStorageCapacities by class and node. What becomes stale with a change is said
// as in VolumeIndex. Owned by the VolumeStore. Invariant: each object has one row, under its class.
class CapacityIndex {
 public:
  struct ByKey {
    bool operator()(const IndexedCapacity* a, const IndexedCapacity* b) const {
      const api::ObjectMeta &left = a->object->metadata, &right = b->object->metadata;
      return std::tie(left.namespace_, left.name) < std::tie(right.namespace_, right.name);
    }
  };
  using OfNodes = ClassMembers<IndexedCapacity, ByKey>;

  // Requires: both outlive this.
  CapacityIndex(Vocabulary& words, PinChanges& changes) : words_(words), changes_(changes) {}
  CapacityIndex(const CapacityIndex&) = delete;
  CapacityIndex& operator=(const CapacityIndex&) = delete;

  // Replace says what an object is now; null: it is gone.
  void Replace(const std::string& key, std::shared_ptr<const api::CsiStorageCapacity> capacity);
  void Clear();

  // FindRoom gives an object that has room for so much on the node, or null.
  std::shared_ptr<const api::CsiStorageCapacity> FindRoom(std::string_view storage_class,
                                                          int64_t bytes,
                                                          const NodeInfo& node) const;
  // VersionOf is another one after each change of a class that touched no node.
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
