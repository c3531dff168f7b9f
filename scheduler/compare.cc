// SPDX-License-Identifier: Apache-2.0
// How the scheduler differs from what the API server said, as the informers' stores have it, and how
// it is put right.
#include <set>

#include "scheduler/scheduler.h"

namespace berth::scheduler {

// A pending pod is in one place. One that is being deleted leaves the queue for good.
std::string_view Scheduler::MisplacementOf(const api::Pod& pod) const {
  const std::string& uid = pod.metadata.uid;
  const bool is_queued = queue_.WhereIs(uid).has_value();
  const bool is_tried = cache_.IsAssumed(uid) || queue_.IsInFlight(uid);
  if (is_queued && is_tried) return "is in two places";
  const bool may_be_nowhere = pod.metadata.deletion_timestamp.has_value();
  return is_queued || is_tried || may_be_nowhere ? "" : "is nowhere";
}

std::string_view Scheduler::MismatchOf(const StoredPod& pod) const {
  owner_.AssertHeld();
  const auto pending = pending_.find(pod.uid);
  if (pod.waiting == nullptr) {
    if (pending != pending_.end()) return "waits, in the store it is assigned";
    return cache_.MismatchOf(pod.uid, pod.resource_version);
  }
  if (FindConfirmed(pod.uid) != nullptr) return "has no node in the store";
  if (!Serves(*pod.waiting)) return "";
  if (pending == pending_.end()) return "is missing";
  if (pending->second->resource_version() != pod.resource_version) {
    return "is not the version of the store";
  }
  return MisplacementOf(*pod.waiting);
}

std::shared_ptr<const PodInfo> Scheduler::Find(const std::string& uid) const {
  owner_.AssertHeld();
  const auto pending = pending_.find(uid);
  return pending != pending_.end() ? pending->second : cache_.FindPod(uid);
}

bool Scheduler::VisitPods(PodPieces& pieces, size_t count,
                          const std::function<void(const PodInfo&)>& visit) const {
  owner_.AssertHeld();
  if (!pieces.is_through_placed) {
    pieces.is_through_placed = cache_.VisitPods(pieces.placed, count, visit);
    return false;
  }
  const bool is_last =
      pieces.pending.Step(pending_, count, [&](const auto& entry) { visit(*entry.second); });
  pieces.is_through_placed = !is_last;
  return is_last;
}

void Scheduler::Repair(const std::shared_ptr<const api::Pod>& pod) {
  owner_.AssertHeld();
  const StoredPod stored = StoredPod::Of(*pod);
  PutPod(pod);
  if (MismatchOf(stored).empty()) return;
  // What it holds of the pod does not fit together: nothing of it is kept.
  RemovePod(stored.uid);
  PutPod(pod);
}

void Scheduler::Repair(const std::shared_ptr<const api::Node>& node) {
  owner_.AssertHeld();
  const Slot slot = cache_.Find(node->metadata.name);
  On(slot == kNoSlot ? api::Added(node) : api::Modified(cache_.At(slot).node, node));
}

std::vector<std::string> Scheduler::CompareWith(
    std::span<const std::shared_ptr<const api::Node>> nodes,
    std::span<const std::shared_ptr<const api::Pod>> pods) const {
  std::vector<std::string> differences = cache_.CompareWith(nodes, pods);
  std::set<std::string_view> stored;
  for (const auto& pod : pods) {
    const StoredPod in_store = StoredPod::Of(*pod);
    if (in_store.waiting == nullptr || !Serves(*pod)) continue;
    stored.insert(in_store.uid);
    const std::string mismatch(MismatchOf(in_store));
    if (!mismatch.empty()) differences.push_back("pending pod " + in_store.uid + " " + mismatch);
  }
  for (const auto& [uid, pod] : pending_) {
    if (!stored.contains(uid)) differences.push_back("pending pod " + uid + " is not in the store");
  }
  for (const std::string& uid : queue_.Uids()) {
    if (!pending_.contains(uid)) differences.push_back("queued pod " + uid + " is not pending");
  }
  return differences;
}

}  // namespace berth::scheduler
