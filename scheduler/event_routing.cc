// SPDX-License-Identifier: Apache-2.0
// Where each event of the API server goes. Source: kube-scheduler-core 2.2 to 2.4.
#include <set>
#include <utility>

#include "scheduler/scheduler.h"

namespace berth::scheduler {

namespace {

constexpr ClusterEvent kAssignedPodAdd{Resource::kAssignedPod, action::kAdd, {}};
constexpr ClusterEvent kAssignedPodDelete{Resource::kAssignedPod, action::kDelete, {}};
constexpr ClusterEvent kNodeAdd{Resource::kNode, action::kAdd, {}};
constexpr ClusterEvent kNodeDelete{Resource::kNode, action::kDelete, {}};

bool IsAssigned(const api::Pod& pod) { return !pod.spec.node_name.empty(); }

bool IsSameVersion(const api::Pod& a, const api::Pod& b) {
  return !a.metadata.resource_version.empty() &&
         a.metadata.resource_version == b.metadata.resource_version;
}

}  // namespace

bool Scheduler::Serves(const api::Pod& pod) const {
  return profiles_.contains(pod.spec.scheduler_name);
}

void Scheduler::OnPodAdd(const std::shared_ptr<const api::Pod>& pod) {
  owner_.AssertHeld();
  if (IsAssigned(*pod)) return AddAssigned(pod);
  if (Serves(*pod)) AddPending(pod);
}

void Scheduler::OnPodUpdate(const std::shared_ptr<const api::Pod>& old_pod,
                            const std::shared_ptr<const api::Pod>& new_pod) {
  owner_.AssertHeld();
  if (old_pod->metadata.uid != new_pod->metadata.uid) {
    OnPodDelete(old_pod);
    return OnPodAdd(new_pod);
  }
  if (IsAssigned(*new_pod)) {
    return IsAssigned(*old_pod) ? UpdateAssigned(old_pod, new_pod) : AddAssigned(new_pod);
  }
  // A pod cannot lose its node, but a store that was refilled from an older server may say so for a
  // while.
  if (IsAssigned(*old_pod)) DeleteAssigned(old_pod);
  if (!Serves(*new_pod)) return;
  pending_.contains(new_pod->metadata.uid) ? UpdatePending(old_pod, new_pod) : AddPending(new_pod);
}

void Scheduler::OnPodDelete(const std::shared_ptr<const api::Pod>& pod) {
  owner_.AssertHeld();
  const std::string& uid = pod->metadata.uid;
  const bool was_pending = pending_.erase(uid) > 0;
  queue_.Delete(uid);
  if (IsAssigned(*pod)) return DeleteAssigned(pod);
  if (cache_.IsAssumed(uid)) return DeleteAssumed(uid);
  // The last state the store had may be older than ours.
  if (const auto cached = cache_.FindPod(uid)) return DeleteAssigned(cached->shared_pod());
  if (was_pending && !pod->status.nominated_node_name.empty()) OnNominationEnded(pod);
}

void Scheduler::AddAssigned(const std::shared_ptr<const api::Pod>& pod) {
  const std::string& uid = pod->metadata.uid;
  pending_.erase(uid);
  queue_.Delete(uid);
  cache_.AddPod(pod);
  StopWaiting(uid);
  queue_.MoveAll(kAssignedPodAdd, {.new_pod = pod});
}

void Scheduler::UpdateAssigned(const std::shared_ptr<const api::Pod>& old_pod,
                               const std::shared_ptr<const api::Pod>& new_pod) {
  cache_.UpdatePod(new_pod);
  for (const ClusterEvent& event : PodUpdateEvents(*old_pod, *new_pod)) {
    queue_.MoveAll(event, {.old_pod = old_pod, .new_pod = new_pod});
  }
}

void Scheduler::DeleteAssigned(const std::shared_ptr<const api::Pod>& pod) {
  cache_.RemovePod(pod->metadata.uid);
  StopWaiting(pod->metadata.uid);
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = pod});
}

void Scheduler::AddPending(const std::shared_ptr<const api::Pod>& pod) {
  const std::string& uid = pod->metadata.uid;
  if (const auto known = pending_.find(uid); known != pending_.end()) {
    return UpdatePending(std::shared_ptr<const api::Pod>(known->second->shared_pod()), pod);
  }
  const auto info = PodInfo::Create(pod, words_);
  pending_.emplace(uid, info);
  if (!cache_.IsAssumed(uid)) queue_.Add(info);
}

void Scheduler::UpdatePending(const std::shared_ptr<const api::Pod>& old_pod,
                              const std::shared_ptr<const api::Pod>& new_pod) {
  if (IsSameVersion(*old_pod, *new_pod)) return;
  const std::string& uid = new_pod->metadata.uid;
  const auto info = PodInfo::Create(new_pod, words_);
  pending_[uid] = info;
  if (cache_.IsAssumed(uid)) {
    const bool deleted_now = info->terminating() && !old_pod->metadata.deletion_timestamp;
    if (deleted_now) DeleteAssumed(uid);
    return;
  }
  queue_.Update(old_pod, info);
  const std::string& nominated = old_pod->status.nominated_node_name;
  if (!nominated.empty() && nominated != new_pod->status.nominated_node_name) {
    OnNominationEnded(old_pod);
  }
}

// DeleteAssumed gives up a pod that is on its way to a node. What its plugins reserved is given
// back when its binding ends, at once if it waits for Permit.
void Scheduler::DeleteAssumed(const std::string& uid) {
  const auto assumed = cache_.FindPod(uid);
  if (waiting_.Has(uid)) {
    StopWaiting(uid);
  } else if (const auto forgotten = cache_.Forget(uid); !forgotten) {
    return;
  }
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = assumed->shared_pod()});
}

// OnNominationEnded wakes those that the nominated pod kept out: pods of its priority and below.
void Scheduler::OnNominationEnded(const std::shared_ptr<const api::Pod>& pod) {
  const int32_t priority = pod->spec.priority.value_or(0);
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = pod},
                 [priority](const PodInfo& other) { return other.priority() <= priority; });
}

void Scheduler::StopWaiting(const std::string& uid) { waiting_.Reject(uid, "", "removed"); }

void Scheduler::OnNodeAdd(const std::shared_ptr<const api::Node>& node) {
  owner_.AssertHeld();
  cache_.AddNode(node);
  queue_.MoveAll(kNodeAdd, {.new_node = node});
}

void Scheduler::OnNodeUpdate(const std::shared_ptr<const api::Node>& old_node,
                             const std::shared_ptr<const api::Node>& new_node) {
  owner_.AssertHeld();
  if (old_node->metadata.uid != new_node->metadata.uid) {
    queue_.MoveAll(kNodeDelete, {.old_node = old_node});
    cache_.UpdateNode(new_node);
    return queue_.MoveAll(kNodeAdd, {.new_node = new_node});
  }
  cache_.UpdateNode(new_node);
  for (const ClusterEvent& event : NodeUpdateEvents(*old_node, *new_node)) {
    queue_.MoveAll(event, {.old_node = old_node, .new_node = new_node});
  }
}

void Scheduler::OnNodeDelete(const std::shared_ptr<const api::Node>& node) {
  owner_.AssertHeld();
  // The event goes first: hints still find the node.
  queue_.MoveAll(kNodeDelete, {.old_node = node});
  cache_.RemoveNode(node->metadata.name);
}

std::vector<std::string> Scheduler::CompareWith(
    std::span<const std::shared_ptr<const api::Node>> nodes,
    std::span<const std::shared_ptr<const api::Pod>> pods) const {
  std::vector<std::string> differences = cache_.CompareWith(nodes, pods);
  std::set<std::string_view> stored;
  for (const auto& pod : pods) {
    if (IsAssigned(*pod) || !Serves(*pod)) continue;
    const std::string& uid = pod->metadata.uid;
    stored.insert(uid);
    if (!pending_.contains(uid)) differences.push_back("pending pod " + uid + " is missing");
    const int places =
        (queue_.WhereIs(uid) ? 1 : 0) + (cache_.IsAssumed(uid) || queue_.IsInFlight(uid) ? 1 : 0);
    // A pod that is being deleted leaves the queue for good.
    const bool may_be_nowhere = pod->metadata.deletion_timestamp.has_value();
    if (places == 1 || (places == 0 && may_be_nowhere)) continue;
    differences.push_back("pending pod " + uid + " is in " + std::to_string(places) + " places");
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
