// SPDX-License-Identifier: Apache-2.0
// Comparison of the scheduler's state with the informers' stores, and its correction.
#include "scheduler/scheduler.h"

namespace berth::scheduler {

// A pending pod is in exactly one place, except that a terminating pod leaves the queue for good.
std::string_view Scheduler::MisplacementOf(const api::Pod& pod) const {
  const std::string& uid = pod.metadata.uid;
  const bool is_queued = queue_.WhereIs(uid).has_value();
  const bool is_tried = cache_.IsAssumed(uid) || queue_.IsInFlight(uid);
  if (is_queued && is_tried) return "is queued and in flight or assumed at the same time";
  const bool may_be_nowhere = pod.metadata.deletion_timestamp.has_value();
  return is_queued || is_tried || may_be_nowhere ? ""
                                                 : "is neither queued nor in flight nor assumed";
}

std::string_view Scheduler::MismatchOf(const StoredPod& pod) const {
  owner_.AssertHeld();
  const auto pending = pending_.find(pod.uid);
  if (pod.waiting == nullptr) {
    if (pending != pending_.end()) return "is pending, but assigned in the store";
    return cache_.MismatchOf(pod.uid, pod.resource_version);
  }
  if (FindConfirmed(pod.uid) != nullptr) return "has no node in the store";
  if (!Serves(*pod.waiting)) return "";
  if (pending == pending_.end()) return "is missing";
  if (pending->second->resource_version() != pod.resource_version) {
    return "has another version than in the store";
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
  // The state of the pod is inconsistent: delete it and add the pod again.
  RemovePod(stored.uid);
  PutPod(pod);
}

void Scheduler::Repair(const std::shared_ptr<const api::Node>& node) {
  owner_.AssertHeld();
  const Slot slot = cache_.Find(node->metadata.name);
  On(slot == kNoSlot ? api::Added(node) : api::Modified(cache_.At(slot).node, node));
}

}  // namespace berth::scheduler
