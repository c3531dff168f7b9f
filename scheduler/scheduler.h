// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
#include "scheduler/attempt.h"
#include "scheduler/binding_cycle.h"
#include "scheduler/cache/cache.h"
#include "scheduler/evictor.h"
#include "scheduler/failure_handler.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/profile.h"
#include "scheduler/gang_watch.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/volume_binder.h"
#include "scheduler/waiting_pods.h"

namespace berth::scheduler {

// StoredPod is what the store of an informer holds of a pod: its version, and the object while it
// waits for a node.
struct StoredPod {
  const std::string& uid;
  const std::string& resource_version;
  const api::Pod* waiting;  // null: it has a node

  static StoredPod Of(const api::Pod& pod) {
    return {pod.metadata.uid, pod.metadata.resource_version,
            pod.spec.node_name.empty() ? &pod : nullptr};
  }
};

// PodPieces is how far VisitPods has come.
struct PodPieces {
  IncrementalVisitor placed, pending;
  bool is_through_placed = false;
};

// Scheduler is the core as one object: events in, decisions and API calls out. It has no thread,
// socket or timer of its own. Its caller owns one thread, which repeats:
//
//     1. apply the messages that arrived: On, completions of ApiPort
//     2. ScheduleOne, until it has no pod to try or a message waits
//     3. Tick
//     4. sleep until a message arrives or NextWakeUp
//
//                   On               Pop
//     API server ─────────► queue ─────────► ScheduleOne ──► BindingCycle ──► bound (On sees it)
//                             ▲                   │           │      ▲
//                             │                   │           ▼      │ allowed
//                             │                   │          WaitingPods
//                             │                   ▼           │
//                             └──────────── FailureHandler ◄──┘ refused, failed
//
// Events of a pod come in the order the API server made them; a pod that becomes terminal comes as
// a delete, and one that was made again under its name as a delete of the old one first. Start when
// every informer has delivered its first list.
//
// The scheduler itself remembers what each pod was, in cache and queue, and derives what changed:
// the caller keeps no pods. Of a pod that has a node only figures are kept, not the object
// (PodInfo); pending pods of other schedulers are not kept at all.
//
// Invariants, between two calls: a pending pod of a served name is in exactly one of queue, in
// flight, or assumed, because each way of an attempt ends in Assume, FailureHandler or Done; with
// nothing in flight nothing is kept for an attempt that ended, because an Attempt lives only in its
// BindingCycle after ScheduleOne. Owned by the scheduling thread. Source: kube-scheduler
// pkg/scheduler/scheduler.go and schedule_one.go.
class Scheduler {
 public:
  // All references outlive the scheduler, and no completion of `api` arrives after its end.
  // `random` gives values in [0, 1), where chance decides.
  Scheduler(const Clock& clock, ApiPort& api, Vocabulary& words, SchedulerObserver& observer,
            QueueOptions options = {}, std::function<double()> random = UniformRandom());
  ~Scheduler();  // abandons the bindings under way
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // SetProfiles serves these profiles from the next cycle on. Cache, waiting pods and bindings
  // under way stay; the latter end with the profile they began with. Queued pods are tried again,
  // since what refused them may be gone; pods of a name no longer served leave the queue.
  // Returns the names that were not served before: give their unassigned pods again by On.
  std::vector<std::string> SetProfiles(ProfileMap profiles);

  // SetQueueOptions holds for backoffs that begin from now on.
  void SetQueueOptions(QueueOptions options) { queue_.SetOptions(options); }

  // SetResultCacheBytes bounds the cache of plugins' answers; 0: there is none. It changes no decision.
  void SetResultCacheBytes(size_t bytes);

  // On is the one entrance of what changes in the cluster, a handler for each kind.
  //
  // Pods: the scheduler knows their states before, so a change needs only the one after, and a
  // deletion only the UID. A pod that is known in this version already changes nothing, and so does
  // the deletion of one that is not known.
  void On(const api::Change<api::Pod>& change);
  // Nodes: states before and after.
  void On(const api::Change<api::Node>& change);
  // Objects of volumes: the state after, and of a deletion the UID.
  template <VolumeObject T>
  void On(const api::Change<T>& change);
  void On(const api::Change<api::PodDisruptionBudget>& change);
  void On(const api::Change<api::PodGroup>& change);
  // What plugins read besides: the same. They wake no pod.
  template <ReadObject T>
  void On(const api::Change<T>& change) {
    owner_.AssertHeld();
    if (change.type == api::ChangeType::kDeleted) return cache_.Remove(kKindOf<T>, change.uid());
    cache_.Put(*change.after);
  }
  // Forget drops all objects of a kind: no plugin reads it any more, and nobody tells of changes.
  void Forget(ObjectKind kind) {
    owner_.AssertHeld();
    cache_.Clear(kind);
  }

  // ScheduleOne makes one attempt with the next pod. Says whether there was one.
  bool ScheduleOne();

  // Tick does what is due by now: ends of backoff, pods that lay too long, deadlines of Permit, of
  // volumes to be bound, and of gangs that are incomplete.
  void Tick();
  // NextWakeUp is when Tick will have something to do; nothing: only an event can change anything.
  std::optional<SteadyTime> NextWakeUp() const;

  // Permit's answers from outside, by the pod's UID; see WaitingPods.
  WaitingPods& waiting() { return waiting_; }
  // The binding cycles under way; see BindingCycle::Table::CancelPreBind.
  BindingCycle::Table& bindings() { return bindings_; }

  // The one who removes what preemption chose; see Evictor.
  Evictor& evictor() { return evictor_; }

  // BindingsInFlight counts the pods in PreBind and Bind. It has no bound: how many calls the API
  // server gets at a time is the port's to say, and a PreBind that waits costs nothing.
  size_t BindingsInFlight() const { return bindings_.size() - waiting_.size(); }

  const Cache& cache() const { return cache_; }
  // View gives the cluster to a caller who decides for itself, until it changes or View is called
  // again.
  const Snapshot& View() {
    owner_.AssertHeld();
    cache_.BeginCycle();
    return cache_;
  }
  const SchedulingQueue& queue() const { return queue_; }
  const ResultCache* result_cache() const {
    return result_cache_.get();
  }  // null: no cache of answers
  SchedulerStatistics Statistics() const;

  // MismatchOf says what is wrong with what is known of an object, if the store holds this of it;
  // empty: nothing is. That means something only once all changes were applied that the store shows,
  // and none of those after. A pod that is assumed, in flight, or given up because it is being
  // deleted is in its place.
  std::string_view MismatchOf(const StoredPod& pod) const;
  std::string_view MismatchOf(const api::Node& node) const { return cache_.MismatchOf(node); }
  // Find gives a pod, placed or pending, or null.
  std::shared_ptr<const PodInfo> Find(const std::string& uid) const;
  size_t pending_count() const { return pending_.size(); }  // with those that are assumed
  // VisitPods shows the pods that are known, placed and pending; see Piecemeal.
  bool VisitPods(PodPieces& pieces, size_t count,
                 const std::function<void(const PodInfo&)>& visit) const;

  // Repair puts right what is known of an object, as the change would have that was not heard of; of
  // a pod in two places or in none everything is forgotten first.
  void Repair(const std::shared_ptr<const api::Pod>& pod);
  void Repair(const std::shared_ptr<const api::Node>& node);

  // CompareWith says how the scheduler differs from the store, one sentence each: the cache, and
  // pending pods that are nowhere, or of which the store does not know. To be called with nothing
  // left to apply. Reads everything.
  std::vector<std::string> CompareWith(std::span<const std::shared_ptr<const api::Node>> nodes,
                                       std::span<const std::shared_ptr<const api::Pod>> pods) const;

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
  void UpdateNode(const std::shared_ptr<const api::Node>& old_node,
                  const std::shared_ptr<const api::Node>& new_node);
  bool Serves(const api::Pod& pod) const;
  std::string_view MisplacementOf(const api::Pod& pod) const;  // compare.cc

  // scheduler.cc: the steps of ScheduleOne
  std::shared_ptr<Attempt> NewAttempt(QueuedPod queued) const;
  bool IsToBeSkipped(const Attempt& attempt);
  Outcome FindNode(Attempt& attempt, Evictions& evictions);
  AttemptFailure FailureOf(const Attempt& attempt, const Outcome& outcome) const;
  void PlaceOn(const std::shared_ptr<Attempt>& attempt, const NodeRef& node);
  // Claim assumes the pod on the node and reserves what it needs there.
  std::variant<Assumption, Status> AssumeAndReserve(const std::shared_ptr<Attempt>& attempt,
                                                    const NodeRef& node);
  void Bind(const std::shared_ptr<Attempt>& attempt, Assumption assumption,
            const Profile::PermitOutcome& permit,
            std::shared_ptr<GangBindBarrier> barrier = nullptr);

  void RecordPreemption(const Outcome& outcome);
  // GangToKeep is the gang that the attempt's profile keeps together; null: it is of its own.
  const Gang* GangToKeep(const Attempt& attempt) const;
  class GangCycle;  // gang_cycle.h
  void RecordGangFailure(const std::string& key, const std::string& why);
  void EndBarrier(const std::string& key);
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
  GangWatch gang_watch_;
  std::unique_ptr<ResultCache> result_cache_ =
      std::make_unique<ResultCache>();  // null: no cache of answers
  std::function<double()> random_;
  size_t next_start_node_ = 0;  // shared by all profiles
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
  auto before = cache_.Put(change.after);
  const ActionMask what = before == nullptr ? action::kAdd : action::kUpdate;
  queue_.MoveAll({kResourceOfType<T>, what, {}},
                 {.volumes = VolumeObjects(std::move(before), change.after)});
  volume_binder_.OnChange(*change.after);
}

}  // namespace berth::scheduler
