// SPDX-License-Identifier: Apache-2.0
// Comparison of the cache with objects of a store.

#include "scheduler/cache/cache.h"

namespace berth::scheduler {

std::string_view Cache::MismatchOf(const api::Node& stored) const {
  owner_.AssertHeld();
  const Slot slot = Find(stored.metadata.name);
  if (slot == kNoSlot) return "is missing";
  const api::ObjectMeta& known = nodes_[slot].node->metadata;
  const bool is_same = known.uid == stored.metadata.uid &&
                       known.resource_version == stored.metadata.resource_version;
  return is_same ? "" : "differs from the store in UID or version";
}

std::string_view Cache::MismatchOf(const std::string& uid,
                                   const std::string& resource_version) const {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return "is missing";
  if (found->second.assumed) return "is only assumed, but assigned in the store";
  const bool is_same = found->second.pod->resource_version() == resource_version;
  return is_same ? "" : "has another version than in the store";
}

bool Cache::VisitNodes(IncrementalVisitor& pieces, size_t count,
                       const std::function<void(const api::Node&)>& visit) const {
  owner_.AssertHeld();
  return pieces.Step(slots_, count, [&](const auto& entry) {
    const auto& node = nodes_[entry.second].node;
    if (node != nullptr) visit(*node);
  });
}

bool Cache::VisitPods(IncrementalVisitor& pieces, size_t count,
                      const std::function<void(const PodInfo&)>& visit) const {
  owner_.AssertHeld();
  return pieces.Step(pods_, count, [&](const auto& entry) { visit(*entry.second.pod); });
}

const CountedPod* Cache::FindCounted(const std::string& uid) const {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second.counted;
}

}  // namespace berth::scheduler
