// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/capacity_index.h"

#include <utility>

#include "api/labels.h"

namespace berth::scheduler {
namespace {

// Returns a selector for no node if the topology is missing or does not parse.
api::Selector NodesOf(const api::CsiStorageCapacity& capacity) {
  const auto& topology = capacity.node_topology;
  return api::Selector::Create(topology ? &*topology : nullptr).value_or(api::Selector::Nothing());
}

bool ReadsAlike(const api::CsiStorageCapacity& a, const api::CsiStorageCapacity& b) {
  return a.node_topology == b.node_topology && a.storage_class_name == b.storage_class_name &&
         a.capacity == b.capacity && a.maximum_volume_size == b.maximum_volume_size;
}

}  // namespace

std::optional<int64_t> LimitOf(const api::CsiStorageCapacity& capacity) {
  const auto& limit =
      capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
  if (!limit) return std::nullopt;
  return limit->Value();
}

void CapacityIndex::Replace(const std::string& key,
                            std::shared_ptr<const api::CsiStorageCapacity> capacity) {
  const auto known = rows_.find(key);
  if (known != rows_.end()) {
    if (capacity != nullptr && ReadsAlike(*known->second.object, *capacity)) {
      known->second.object = std::move(capacity);  // same key: it keeps its position
      return;
    }
    Erase(key);
  }
  if (capacity != nullptr) Insert(key, std::move(capacity));
}

void CapacityIndex::Insert(const std::string& key,
                           std::shared_ptr<const api::CsiStorageCapacity> capacity) {
  const api::Selector nodes = NodesOf(*capacity);
  const auto limit = LimitOf(*capacity);
  const IndexedCapacity& row =
      rows_
          .emplace(key,
                   IndexedCapacity{std::move(capacity), limit, LabelMatcher::Lasting(nodes, words_),
                                   PinOf(nodes.requirements())})
          .first->second;
  if (row.pin) changes_.nodes().Track(row.pin->key);
  OfClass& of_class = classes_[row.object->storage_class_name];
  of_class.members.Add(row, row.pin, words_);
  Changed(of_class, row.pin);
}

void CapacityIndex::Erase(const std::string& key) {
  const auto row = rows_.find(key);
  const IndexedCapacity& capacity = row->second;
  const auto of_class = classes_.find(capacity.object->storage_class_name);
  of_class->second.members.Remove(capacity, capacity.pin, words_);
  Changed(of_class->second, capacity.pin);
  if (of_class->second.members.empty()) classes_.erase(of_class);
  if (capacity.pin) changes_.nodes().Untrack(capacity.pin->key);
  rows_.erase(row);
}

void CapacityIndex::Changed(OfClass& of_class, const std::optional<LabelPin>& pin) {
  if (!changes_.Touch(pin)) of_class.version = changes_.NextVersion();
}

void CapacityIndex::Clear() {
  while (!rows_.empty()) Erase(std::string(rows_.begin()->first));
}

std::shared_ptr<const api::CsiStorageCapacity> CapacityIndex::FindRoom(
    std::string_view storage_class, int64_t bytes, const NodeInfo& node) const {
  const auto of_class = classes_.find(storage_class);
  if (of_class == classes_.end()) return nullptr;
  const IndexedCapacity* found = nullptr;
  const auto look = [&](const OfNodes::Set& capacities) {
    for (const IndexedCapacity* capacity : capacities) {
      if (found != nullptr) return;
      if (capacity->HasRoomOn(node, bytes)) found = capacity;
    }
  };
  look(of_class->second.members.wide());
  of_class->second.members.ForEachPinnedTo(node, look);
  return found == nullptr ? nullptr : found->object;
}

uint64_t CapacityIndex::VersionOf(std::string_view storage_class) const {
  const auto found = classes_.find(storage_class);
  return found == classes_.end() ? 0 : found->second.version;
}

}  // namespace berth::scheduler
