// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "api/change.h"
#include "base/clock.h"
#include "base/incremental_visitor.h"
#include "base/random.h"
#include "base/thread_owner.h"
#include "scheduler/attempt/attempt.h"
#include "scheduler/binding_cycle.h"
#include "scheduler/cache/cache.h"
#include "scheduler/evictor.h"
#include "scheduler/failure_handler.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/profile.h"
#include "scheduler/gangs/gang_cycle.h"
#include "scheduler/gangs/gang_watch.h"
#include "scheduler/gangs/member_ends.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/volume_binder.h"
#include "scheduler/waiting_pods.h"

namespace berth::scheduler {

// StoredPod is the part of a pod in the informer's store that MismatchOf needs: its version, and
// the object if the pod is pending.
struct StoredPod {
  const std::string& uid;
  const std::string& resource_version;
  const api::Pod* waiting;  // null: it has a node

  static StoredPod Of(const api::Pod& pod) {
    return {pod.metadata.uid, pod.metadata.resource_version,
            pod.spec.node_name.empty() ? &pod : nullptr};
  }
};

// PodPieces is the position of VisitPods.
struct PodPieces {
  IncrementalVisitor placed, pending;
  bool is_through_placed = false;
};

// Scheduler is the scheduling core: it consumes events and produces decisions and API calls. It has
// no thread, socket or timer of its own. Its caller owns one thread, which repeats:
//
//     1. apply the messages that arrived: On, completions of ApiPort
//     2. ScheduleOne, until no pod is ready or a message arrived
//     3. Tick
//     4. sleep until a message arrives or NextWakeUp
//
//                   On               Pop
//     API server ─────────► queue ─────────► ScheduleOne ──► BindingCycle ──► bound (On sees it)
//                             ▲                   │           │      ▲
//                             │                   │           ▼      │ allowed
//                             │                   │          WaitingPods
//                             │                   ▼           │
//                             └──────────── FailureHandler ◄──┘ rejected, failed
//
// Events of a pod arrive in the order of the API server. A pod that becomes terminal arrives as a
// deletion; a recreated pod arrives as the deletion of the old one first. Start when all informers
// have delivered their initial list.
//
// The scheduler keeps the previous state of each pod in cache and queue and derives the changes, so
// the caller stores no pods. A pod with a node is stored in compact form (PodInfo), not as an
// object. Pending pods of other schedulers are not stored.
//
// Invariants, between two calls: a pending pod of a served name is either queued, in flight, or
// assumed, because each attempt ends in Assume, FailureHandler or Done. When no pod is in flight,
// no state of an ended attempt remains, because an Attempt lives only in its BindingCycle after
// ScheduleOne, or in the suspended GangCycle. Owned by the scheduling thread. Source: kube-scheduler pkg/scheduler/scheduler.go
// and schedule_one.go.
class Scheduler : private GangHost {
 public:
  // All references must outlive the scheduler, and no completion of `api` may arrive after its
  // destruction. `random` returns values in [0, 1), for random choices.
  Scheduler(const Clock& clock, ApiPort& api, Vocabulary& words, SchedulerObserver& observer,
            QueueOptions options = {}, std::function<double()> random = UniformRandom());
  ~Scheduler() override;  // abandons the bindings under way
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Replaces the profiles from the next cycle on. Cache, waiting pods and running bindings stay;
  // bindings end with their former profile. Queued pods are retried, because the plugin that
  // rejected them may be gone. Pods of a name that is no longer served leave the queue. Returns the
  // new scheduler names: the caller must pass their unassigned pods to On again.
  std::vector<std::string> SetProfiles(ProfileMap profiles);

  // Applies to backoffs that start from now on.
  void SetQueueOptions(QueueOptions options) { queue_.SetOptions(options); }

  // Limits the memory of the result cache; 0 disables it. Does not affect decisions.
  void SetResultCacheBytes(size_t bytes);

  // Applies a change of the cluster; there is an overload for each kind.
  //
  // Pods: the scheduler knows the previous state, so a change needs only the new state, and a
  // deletion only the UID. A pod that is known in this version is ignored, and so is the deletion
  // of an unknown pod.
  void On(const api::Change<api::Pod>& change);
  // Nodes: previous and new state.
  void On(const api::Change<api::Node>& change);
  // Volume objects: the new state, or the UID of a deleted object.
  template <VolumeObject T>
  void On(const api::Change<T>& change);
  void On(const api::Change<api::PodDisruptionBudget>& change);
  void On(const api::Change<api::PodGroup>& change);
  void On(const api::Change<api::NativePodGroup>& change);
  void On(const api::Change<api::Namespace>& change);
  // Other objects that plugins read: the same. They requeue no pods.
  template <ReadObject T>
  void On(const api::Change<T>& change) {
    owner_.AssertHeld();
    if (change.type == api::ChangeType::kDeleted) return cache_.Remove(kKindOf<T>, change.uid());
    cache_.Put(*change.after);
  }
  // Deletes all objects of a kind: no plugin reads it any more, and its watch has ended.
  void Forget(ObjectKind kind) {
    owner_.AssertHeld();
    cache_.Clear(kind);
  }

  // Makes one attempt for the next pod, or continues that of a gang. An attempt for a gang is
  // suspended after kGangPart, and no other attempt begins before its end. Returns false if no pod
  // is ready.
  bool ScheduleOne();
  static constexpr std::chrono::milliseconds kGangPart{50};

  // Handles everything that is due: expired backoffs, pods that were unschedulable for too long,
  // deadlines of Permit and of volume bindings, and incomplete gangs.
  void Tick();
  // Returns the time at which Tick is due next; nullopt: not before the next event.
  std::optional<SteadyTime> NextWakeUp() const;

  // For approvals and rejections from outside, by the pod's UID; see WaitingPods.
  WaitingPods& waiting() { return waiting_; }
  // The running binding cycles; see BindingCycle::Table::CancelPreBind.
  BindingCycle::Table& bindings() { return bindings_; }

  // Removes the victims of preemptions; see Evictor.
  Evictor& evictor() { return evictor_; }

  // Returns the number of pods in PreBind and Bind. It is unbounded: the port limits concurrent API
  // calls, and a waiting PreBind costs nothing.
  size_t BindingsInFlight() const { return bindings_.size() - waiting_.size(); }

  const Cache& cache() const { return cache_; }
  // Returns the cluster state for a caller that makes its own decisions. Valid until the cluster
  // changes or the next call of View.
  const Snapshot& View() {
    owner_.AssertHeld();
    cache_.BeginCycle();
    return cache_;
  }
  const SchedulingQueue& queue() const { return queue_; }
  const ResultCache* result_cache() const { return result_cache_.get(); }  // null: disabled
  SchedulerStatistics Statistics() const;

  // Reports whether a profile has the pod's scheduler name.
  bool Serves(const api::Pod& pod) const;
  // Describes how the known state of an object differs from the stored one, or returns "". Only
  // meaningful when exactly the changes in the store have been applied. No difference: a pod that
  // is assumed, in flight, or dropped because it is being deleted.
  std::string_view MismatchOf(const StoredPod& pod) const;
  std::string_view MismatchOf(const api::Node& node) const { return cache_.MismatchOf(node); }
  // Returns a pod, placed or pending, or null.
  std::shared_ptr<const PodInfo> Find(const std::string& uid) const;
  size_t pending_count() const { return pending_.size(); }  // including assumed pods
  // Visits the known pods, placed and pending; see IncrementalVisitor.
  bool VisitPods(PodPieces& pieces, size_t count,
                 const std::function<void(const PodInfo&)>& visit) const;

  // Corrects the known state of an object by applying the missed change. If the state of a pod is
  // inconsistent (in two places or none), it is deleted first.
  void Repair(const std::shared_ptr<const api::Pod>& pod);
  void Repair(const std::shared_ptr<const api::Node>& node);

 private:
  // event_routing.cc
  void PutPod(const std::shared_ptr<const api::Pod>& pod);
  void RemovePod(const std::string& uid);
  void AddAssigned(const api::Pod& pod);
  void UpdateAssigned(const std::shared_ptr<const PodInfo>& old_pod, const api::Pod& pod);
  void AddPending(const std::shared_ptr<const api::Pod>& pod);
  void UpdatePending(const std::shared_ptr<const PendingPod>& old_pod,
                     const std::shared_ptr<const api::Pod>& pod);
  void DeleteAssigned(const std::shared_ptr<const PodInfo>& pod);
  void DeleteAssumed(const std::shared_ptr<const PodInfo>& pod);
  void OnNominationEnded(const std::shared_ptr<const PendingPod>& pod);
  std::shared_ptr<const PodInfo> FindConfirmed(const std::string& uid) const;
  void StopWaiting(const std::string& uid);
  std::shared_ptr<const GangTurn> TurnOf(const PendingPod& pod);
  void LeaveGang(const std::string& uid);
  void RetryGang(const Gang& gang, const std::string& except);
  void RetryInFlight(const Gang& gang);
  void RetryMembers(const Gang& gang);
  void RemoveGroup(const std::string& uid);
  void OpenGates();
  void UpdateNode(const std::shared_ptr<const api::Node>& old_node,
                  const std::shared_ptr<const api::Node>& new_node);
  std::string_view MisplacementOf(const api::Pod& pod) const;  // compare.cc

  // scheduler.cc: the steps of ScheduleOne
  std::shared_ptr<Attempt> NewAttempt(QueuedPod queued) const;
  bool IsToBeSkipped(const Attempt& attempt);
  void PlaceOn(const std::shared_ptr<Attempt>& attempt, const NodeRef& node);
  void ContinueGang();
  void EndGang();
  void RecordPreemption(const Outcome& outcome);

  // GangHost. FindNode to Bind are steps of ScheduleOne, too.
  Outcome FindNode(Attempt& attempt, Evictions* evictions, const Status* gang_rejection,
                   KnownRejections* known) override;
  AttemptFailure FailureOf(const Attempt& attempt, const Outcome& outcome) const override;
  // Assumes the pod on the node and runs the Reserve plugins.
  std::variant<Assumption, Status> AssumeAndReserve(const std::shared_ptr<Attempt>& attempt,
                                                    const NodeRef& node) override;
  void Bind(const std::shared_ptr<Attempt>& attempt, Assumption assumption,
            const Profile::PermitOutcome& permit,
            std::shared_ptr<GangBindBarrier> barrier) override;
  bool IsInBackoff(const std::string& uid) const override { return queue_.IsInBackoff(uid); }
  std::shared_ptr<Attempt> PopMember(const std::string& uid) override;
  std::shared_ptr<const PendingPod> FindPending(const std::string& uid) const override;
  void Fail(const Attempt& attempt, AttemptFailure failure) override {
    failures_.Handle(attempt, std::move(failure));
  }
  void Retry(const std::string& uid) override { queue_.Retry(uid); }
  void Evict(EvictionRequest request) override;
  const Evictions& evictions() const override { return evictor_; }
  void OnGangFailure(const std::string& key, const Status& why) override;
  void OnGangBindingEnd(const std::string& key, bool binds) override;

  BindingCycle::Parts BindingParts();

  ThreadOwner owner_;
  const Clock& clock_;
  ApiPort& api_;
  Vocabulary& words_;
  SchedulerObserver& observer_;
  ProfileMap profiles_;
  Cache cache_;
  SchedulingQueue queue_;
  WaitingPods waiting_;
  PendingPods pending_;
  FailureHandler failures_;
  BindingCycle::Table bindings_;  // by UID
  Evictor evictor_;
  VolumeBinder volume_binder_;
  GangHistories gang_histories_;
  MemberEnds member_ends_;
  GangWatch gang_watch_;
  std::unique_ptr<ResultCache> result_cache_ = std::make_unique<ResultCache>();  // null: disabled
  std::function<double()> random_;
  size_t next_start_node_ = 0;  // shared by all profiles
  // The suspended cycle; null: there is none. The last member, because it uses the others.
  std::unique_ptr<GangCycle> gang_cycle_;
};

template <VolumeObject T>
void Scheduler::On(const api::Change<T>& change) {
  owner_.AssertHeld();
  if (change.type == api::ChangeType::kDeleted) {
    auto last = cache_.Remove<T>(change.uid());
    if (last == nullptr) return;
    queue_.MoveAll({kResourceOfType<T>, action::kDelete, {}}, {.volumes = VolumeObjects(last, {})});
    return volume_binder_.OnChange(*last);
  }
  auto before = cache_.PutVolumeObject(change.after);
  const ActionMask what = before == nullptr ? action::kAdd : action::kUpdate;
  queue_.MoveAll({kResourceOfType<T>, what, {}},
                 {.volumes = VolumeObjects(std::move(before), change.after)});
  volume_binder_.OnChange(*change.after);
}

}  // namespace berth::scheduler
