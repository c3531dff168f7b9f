// SPDX-License-Identifier: Apache-2.0
// Routing of changes from the API server. Source: kube-scheduler pkg/scheduler/eventhandlers.go,
// addAllEventHandlers.
//
//   change                          cache         queue     requeues, by event
//   Pod
//     on a node, new there          AddPod        Delete    AssignedPodAdd
//     on a node, changed            UpdatePod     -         PodUpdateEvents
//     ours and pending, new         -             Add       -
//     ours and pending, changed     -             Update    AssignedPodDelete (1)
//     deleted, was on a node        RemovePod     Delete    AssignedPodDelete
//     deleted, was assumed          Forget        Delete    AssignedPodDelete
//     deleted, was pending          -             Delete    AssignedPodDelete (1)
//   Node
//     new                           AddNode       -         NodeAdd
//     changed                       UpdateNode    -         NodeUpdateEvents
//     another of the same name      UpdateNode    -         NodeDelete before, NodeAdd after
//     deleted                       RemoveNode    -         NodeDelete before: hints still find it
//   PersistentVolume and its claim, StorageClass, CSINode, CSIDriver, CSIStorageCapacity,
//   VolumeAttachment
//     new, changed                  PutVolume..   -         its Add, Update
//     deleted                       Remove        -         its Delete
//   PodDisruptionBudget
//     new                           PutBudget     -         nothing
//     changed                       PutBudget     -         its Update, unless it allows less (2)
//     deleted                       Remove        -         its Delete (2)
//   PodGroup
//     new, changed                  PutPodGroup   -         its members, or one (3)
//     deleted                       RemovePodGr.. -         its members
//     of scheduling.k8s.io, ready   -             -         its gated members (4)
//   Namespace
//     new, labels changed           Put           -         its Add, Update (2)
//     deleted                       Remove        -         nothing
//   Services, owners
//     new, changed                  Put           -         nothing: upstream has no handler
//     deleted                       Remove        -         nothing
//
// A pending pod of any scheduler may be a member of a gang, which PutPending and DropPending track.
// One member, which brings the others, is retried when a member leaves, because that member may
// have been the one that did not fit, and when a pod joins by a label change or with a node that
// this scheduler did not choose. A pod that is no longer in a gang is retried, too.
//
// (1) Only if its nomination ended, and only pods of the same or a lower priority.
// (2) Upstream has no handler: budgets never prevent a preemption there, and a pod that waits for
//     the label of a namespace is not retried (kubernetes/kubernetes#141953).
// (3) One if only the number of succeeded pods changed.
// (4) Also if a pod made it ready (Gang::IsReady).
#include <utility>

#include "scheduler/scheduler.h"

namespace berth::scheduler {

namespace {

constexpr ClusterEvent kAssignedPodAdd{Resource::kAssignedPod, action::kAdd, {}};
constexpr ClusterEvent kAssignedPodDelete{Resource::kAssignedPod, action::kDelete, {}};
constexpr ClusterEvent kNodeAdd{Resource::kNode, action::kAdd, {}};
constexpr ClusterEvent kNodeDelete{Resource::kNode, action::kDelete, {}};

bool IsAssigned(const api::Pod& pod) { return !pod.spec.node_name.empty(); }

bool IsSameVersion(const PodInfo& known, const api::Pod& pod) {
  return !known.resource_version().empty() &&
         known.resource_version() == pod.metadata.resource_version;
}

}  // namespace

bool Scheduler::Serves(const api::Pod& pod) const {
  return profiles_.contains(pod.spec.scheduler_name);
}

// Returns a pod that the API server showed on a node; null for an assumed pod.
std::shared_ptr<const PodInfo> Scheduler::FindConfirmed(const std::string& uid) const {
  return cache_.IsAssumed(uid) ? nullptr : cache_.FindPod(uid);
}

void Scheduler::On(const api::Change<api::Pod>& change) {
  owner_.AssertHeld();
  change.type == api::ChangeType::kDeleted ? RemovePod(change.uid()) : PutPod(change.after);
  OpenGates();
}

// Stores the newest state of a pod.
void Scheduler::PutPod(const std::shared_ptr<const api::Pod>& pod) {
  const std::string& uid = pod->metadata.uid;
  const auto confirmed = FindConfirmed(uid);
  if (IsAssigned(*pod)) {
    return confirmed == nullptr ? AddAssigned(*pod) : UpdateAssigned(confirmed, *pod);
  }
  // A pod cannot lose its node, except when the API server was restored from a backup.
  if (confirmed != nullptr) DeleteAssigned(confirmed);
  const bool moves = cache_.gangs().Moves(*pod);
  if (moves) LeaveGang(uid);
  cache_.PutPending(*pod);
  if (Serves(*pod)) {
    const auto pending = pending_.find(uid);
    if (pending == pending_.end()) return AddPending(pod);
    const std::shared_ptr<const PendingPod> known = pending->second;
    UpdatePending(known, pod);
  }
  if (!moves) return;
  const Gang* gang = cache_.gangs().OfMember(uid);
  gang != nullptr ? RetryGang(*gang, {}) : queue_.Retry(uid);
}

void Scheduler::RemovePod(const std::string& uid) {
  const auto pending = pending_.extract(uid);
  queue_.Delete(uid);
  LeaveGang(uid);
  volume_binder_.OnPodGone(uid);
  if (const auto cached = cache_.FindPod(uid)) {
    member_ends_.OnRemoved(*cached);
    return cache_.IsAssumed(uid) ? DeleteAssumed(cached) : DeleteAssigned(cached);
  }
  if (!pending.empty() && !pending.mapped()->nominated_node_name().empty()) {
    OnNominationEnded(pending.mapped());
  }
}

void Scheduler::AddAssigned(const api::Pod& pod) {
  const std::string& uid = pod.metadata.uid;
  pending_.erase(uid);
  queue_.Delete(uid);
  const bool counted_for_gang = cache_.IsAssumed(uid);
  const auto info = cache_.AddPod(pod);
  cache_.DropPending(uid);
  StopWaiting(uid);
  queue_.MoveAll(kAssignedPodAdd, {.new_pod = info});
  if (counted_for_gang) return;
  if (const Gang* gang = cache_.GangOf(*info)) RetryGang(*gang, {});
}

void Scheduler::UpdateAssigned(const std::shared_ptr<const PodInfo>& old_pod, const api::Pod& pod) {
  if (IsSameVersion(*old_pod, pod)) return;
  const auto gang_key = [this, &old_pod] {
    const Gang* gang = cache_.gangs().OfMember(old_pod->uid());
    return gang != nullptr ? gang->Key() : std::string();
  };
  const std::string gang_before = gang_key();
  const auto new_pod = cache_.UpdatePod(pod);
  for (const ClusterEvent& event : PodUpdateEvents(*old_pod, *new_pod)) {
    queue_.MoveAll(event, {.old_pod = old_pod, .new_pod = new_pod});
  }
  const std::string gang_after = gang_key();
  if (gang_before == gang_after) return;
  for (const std::string& key : {gang_before, gang_after}) {
    if (const Gang* gang = cache_.gangs().Find(key)) RetryGang(*gang, {});
  }
}

void Scheduler::DeleteAssigned(const std::shared_ptr<const PodInfo>& pod) {
  cache_.RemovePod(pod->uid());
  StopWaiting(pod->uid());
  evictor_.OnGone(pod->uid());
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = pod});
}

void Scheduler::AddPending(const std::shared_ptr<const api::Pod>& pod) {
  const auto info = PendingPod::Create(pod, words_);
  pending_.emplace(info->uid(), info);
  if (cache_.IsAssumed(info->uid())) return;
  queue_.Add(info, TurnOf(*info));
}

void Scheduler::UpdatePending(const std::shared_ptr<const PendingPod>& old_pod,
                              const std::shared_ptr<const api::Pod>& pod) {
  if (IsSameVersion(*old_pod, *pod)) return;
  const auto new_pod = PendingPod::Create(pod, words_);
  pending_[new_pod->uid()] = new_pod;
  if (cache_.IsAssumed(new_pod->uid())) {
    const bool deleted_now = new_pod->terminating() && !old_pod->terminating();
    if (deleted_now) DeleteAssumed(cache_.FindPod(new_pod->uid()));
    return;
  }
  queue_.Update(old_pod, new_pod, TurnOf(*new_pod));
  const std::string& nominated = old_pod->nominated_node_name();
  if (!nominated.empty() && nominated != new_pod->nominated_node_name()) {
    OnNominationEnded(old_pod);
  }
}

// Drops a pod that is being bound. Its plugins are unreserved when its binding ends; this is
// immediate if it waits for Permit or for its gang.
void Scheduler::DeleteAssumed(const std::shared_ptr<const PodInfo>& pod) {
  if (waiting_.Has(pod->uid())) {
    StopWaiting(pod->uid());
  } else if (const auto forgotten = cache_.Forget(pod->uid()); !forgotten) {
    return;
  } else {
    bindings_.CancelPreBind(pod->uid(), "the pod was removed");
  }
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = pod});
}

// Requeues the pods that the nomination may have blocked: pods of the same or a lower priority.
void Scheduler::OnNominationEnded(const std::shared_ptr<const PendingPod>& pod) {
  queue_.MoveAll(kAssignedPodDelete, {.old_pod = pod},
                 [&pod](const PendingPod& other) { return other.priority() <= pod->priority(); });
}

// Returns null for a pod without a gang.
std::shared_ptr<const GangTurn> Scheduler::TurnOf(const PendingPod& pod) {
  const Gang* gang = cache_.GangOf(pod);
  return gang != nullptr ? gang_histories_.TurnOf(*gang, clock_.Now()) : nullptr;
}

// Removes a pod that is gone or joined another gang from its gang, if it has no node.
void Scheduler::LeaveGang(const std::string& uid) {
  if (const Gang* gang = cache_.gangs().OfMember(uid)) RetryGang(*gang, uid);
  cache_.DropPending(uid);
}

// Requeues one member; its gang cycle includes the others.
void Scheduler::RetryGang(const Gang& gang, const std::string& except) {
  RetryInFlight(gang);
  gang.AnyUnplaced([&](const std::string& uid, const std::string&) {
    const auto where = queue_.WhereIs(uid);
    if (uid == except || !where || where == QueueName::kGated) return false;
    queue_.Retry(uid);
    return true;
  });
}

// Retries the members of a suspended cycle after its end.
void Scheduler::RetryInFlight(const Gang& gang) {
  if (gang_cycle_ != nullptr && gang_cycle_->gang_key() == gang.Key()) gang_cycle_->RetryLater();
}

// Requeues all members, so that each gets the reason that holds now.
void Scheduler::RetryMembers(const Gang& gang) {
  RetryInFlight(gang);
  gang.AnyUnplaced([this](const std::string& uid, const std::string&) {
    if (queue_.WhereIs(uid) != QueueName::kGated) queue_.Retry(uid);
    return false;
  });
}

void Scheduler::StopWaiting(const std::string& uid) { waiting_.Reject(uid, "", "removed"); }

void Scheduler::On(const api::Change<api::Node>& change) {
  owner_.AssertHeld();
  switch (change.type) {
    case api::ChangeType::kAdded:
      cache_.AddNode(change.after);
      return queue_.MoveAll(kNodeAdd, {.new_node = change.after});
    case api::ChangeType::kModified:
      UpdateNode(change.before, change.after);
      return volume_binder_.OnChange(*change.after);
    case api::ChangeType::kDeleted:
      queue_.MoveAll(kNodeDelete, {.old_node = change.before});
      cache_.RemoveNode(change.before->metadata.name);
      return volume_binder_.OnChange(*change.before);
  }
}

void Scheduler::UpdateNode(const std::shared_ptr<const api::Node>& old_node,
                           const std::shared_ptr<const api::Node>& new_node) {
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

void Scheduler::On(const api::Change<api::PodGroup>& change) {
  owner_.AssertHeld();
  if (change.type == api::ChangeType::kDeleted) return RemoveGroup(change.uid());
  const api::ObjectMeta& metadata = change.after->metadata;
  const Gang* known =
      cache_.gangs().Find(Gang::KeyOf(GangApi::kCoscheduling, metadata.namespace_, metadata.name));
  const GangTerms before =
      known != nullptr && known->terms() != nullptr ? *known->terms() : GangTerms();
  const Gang* gang = cache_.PutPodGroup(*change.after);
  if (gang == nullptr) return;
  // The status changes often. It may complete the gang, but its members keep their reasons.
  GangTerms same = *gang->terms();
  same.succeeded = before.succeeded;
  before == same ? RetryGang(*gang, {}) : RetryMembers(*gang);
}

void Scheduler::On(const api::Change<api::NativePodGroup>& change) {
  owner_.AssertHeld();
  if (change.type == api::ChangeType::kDeleted) return RemoveGroup(change.uid());
  if (const Gang* gang = cache_.PutPodGroup(change.after)) RetryMembers(*gang);
  OpenGates();
}

void Scheduler::RemoveGroup(const std::string& uid) {
  if (const Gang* gang = cache_.RemovePodGroup(uid)) RetryMembers(*gang);
}

// Requeues the gated members of gangs that became ready.
void Scheduler::OpenGates() {
  for (const std::string& key : cache_.gangs().TakeReady()) {
    const Gang* gang = cache_.gangs().Find(key);
    if (gang == nullptr) continue;
    gang->AnyUnplaced([this](const std::string& uid, const std::string&) {
      queue_.Retry(uid);
      return false;
    });
  }
}

void Scheduler::On(const api::Change<api::Namespace>& change) {
  owner_.AssertHeld();
  if (change.type == api::ChangeType::kDeleted) {
    return cache_.Remove(ObjectKind::kNamespace, change.uid());
  }
  if (!cache_.Put(*change.after)) return;
  const ActionMask what = change.type == api::ChangeType::kAdded ? action::kAdd : action::kUpdate;
  queue_.MoveAll({Resource::kNamespace, what, {}}, {.new_namespace = change.after});
}

void Scheduler::On(const api::Change<api::PodDisruptionBudget>& change) {
  owner_.AssertHeld();
  if (change.type == api::ChangeType::kDeleted) {
    cache_.Remove(ObjectKind::kPodDisruptionBudget, change.uid());
    return queue_.MoveAll({Resource::kPodDisruptionBudget, action::kDelete, {}}, {});
  }
  if (!cache_.PutBudget(*change.after)) return;
  queue_.MoveAll({Resource::kPodDisruptionBudget, action::kUpdate, {}}, {});
}

}  // namespace berth::scheduler
