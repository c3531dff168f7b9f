// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/thread_owner.h"
#include "scheduler/framework/evictions.h"
#include "scheduler/framework/no_evictions.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/queued_pod.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/in_flight.h"
#include "scheduler/queue/nominator.h"
#include "scheduler/queue/queue_item.h"
#include "scheduler/queue/unschedulable_pods.h"

namespace berth::scheduler {

// QueueName is a part of the queue, as named in metrics. Gated pods are stored with the
// unschedulable ones but counted separately.
enum class QueueName : uint8_t { kActive, kBackoff, kUnschedulable, kGated };
std::string_view ToString(QueueName name);  // "active", "backoff", "unschedulable", "gated"

// QueueObserver is notified of moves in the queue. Called on the scheduling thread; must return
// immediately and must not call the queue.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  // A pod entered another part of the queue. `event` is the label of the cause:
  // "UnscheduledPodAdd", "NodeAdd", "ScheduleAttemptFailure", … Source:
  // scheduler_queue_incoming_pods_total.
  virtual void OnQueueIncoming(QueueName /*queue*/, std::string_view /*event*/) {}
};

// RejectedPods is the number of queued pods by rejecting plugin and scheduler name. A pod counts
// once for each of its plugins. Entries stay when they reach 0.
using RejectedPods = std::map<std::pair<std::string, std::string>, size_t>;

// QueueStatistics are the values of gauges.
struct QueueStatistics {
  size_t active = 0, backoff = 0, unschedulable = 0, gated = 0;
  size_t in_flight_pods = 0, in_flight_events = 0;
  RejectedPods by_plugin;
};

// SchedulingQueue holds the pending pods.
//
//              Add                         Pop
//     new pod ─────► active ◄──────────┐ ──────► in flight ──► Done
//               │      ▲               │             │
//        gated  │      │ backoff ends  │ event       │ AddUnschedulable
//               ▼      │               │             ▼
//        unschedulable │   backoff ◄───┴──────── (replay of missed events)
//        (with gated)  └── after rejection: popped early if active is empty
//                      └── after an error: never early
//
// Pods are identified by UID: a recreated pod of the same name is another pod. An event requeues an
// unschedulable pod if a plugin that rejected it reports, by its queueing hint, that the event may
// help. There is one thread, so Pop does not block: it returns nullopt if no pod is ready.
//
// Invariants:
// - A pod is in one part only, because Insert is only called for new items and for items that Take
//   removed.
// - A pod in flight is in no part, because Pop removes its item until AddUnschedulableIfNotPresent.
// - A gated pod is with the unschedulable ones, because each way into the other parts calls Gate,
//   which runs PreEnqueue.
// - Each pod's scheduler name has a profile, because SetProfiles drops the other pods.
// - A queued pod has the plugin indices of its current profile, because SetProfiles and
//   AddUnschedulableIfNotPresent translate them (Adopt).
//
// Owned by the scheduling thread. Source: kube-scheduler
// pkg/scheduler/backend/queue/scheduling_queue.go.
class SchedulingQueue {
 public:
  SchedulingQueue(const Clock& clock, QueueObserver& observer, QueueOptions options)
      : clock_(clock),
        observer_(observer),
        options_(options),
        active_(Order{this}),
        backoff_(Order{this}),
        error_backoff_(Order{this}) {}
  SchedulingQueue(const SchedulingQueue&) = delete;
  SchedulingQueue& operator=(const SchedulingQueue&) = delete;

  // Replaces the profiles: sorts the pods again, runs PreEnqueue of gated pods again, requeues
  // unschedulable pods, and drops pods of removed profiles.
  void SetProfiles(ProfileMap profiles);

  // Sets what PreEnqueue plugins may know: the preemptors with evictions under way and the gangs;
  // without it there are none. Both must outlive the queue.
  void SetClusterState(const Evictions& evictions, const Snapshot& cluster) {
    evictions_ = &evictions;
    cluster_ = &cluster;
  }

  // Takes effect at the next failure; a running backoff keeps its expiry.
  void SetOptions(QueueOptions options) {
    owner_.AssertHeld();
    options_ = options;
  }

  // Adds a new pending pod, with the turn of its gang if it has one. Updates a known pod. Requires:
  // a served scheduler name.
  void Add(std::shared_ptr<const PendingPod> pod, std::shared_ptr<const GangTurn> gang = nullptr);
  void Update(const std::shared_ptr<const PendingPod>& old_pod,
              const std::shared_ptr<const PendingPod>& new_pod,
              std::shared_ptr<const GangTurn> gang = nullptr);
  // Removes a pod and its nomination. A pod in flight stays until Done.
  void Delete(const std::string& uid);

  // Returns the next pod to schedule, which is then in flight; nullopt if no pod is ready.
  std::optional<QueuedPod> Pop();
  // Returns this pod for scheduling, even during backoff or if it is unschedulable; nullopt if it
  // is gated, in flight or unknown.
  std::optional<QueuedPod> PopPod(const std::string& uid);
  // Ends the flight of a pod that is not requeued.
  void Done(const std::string& uid) { in_flight_.Done(uid); }
  // Requeues a pod after a failed attempt, by the plugins that rejected it. Ends its flight.
  void AddUnschedulableIfNotPresent(QueuedPod queued);

  // Requeues the unschedulable pods that the event may help. With `concerns`, only the pods for
  // which it returns true.
  using Concerns = std::function<bool(const PendingPod&)>;
  void MoveAll(const ClusterEvent& event, const EventObjects& objects,
               const Concerns& concerns = nullptr);

  // Runs PreEnqueue of a gated pod again, when its gate has opened. From then on events requeue it.
  void RerunPreEnqueue(const std::string& uid);
  // Requeues one unschedulable pod, after its backoff. No effect in the other parts: that pod is
  // retried anyway.
  void Retry(const std::string& uid);
  // Like Retry, after an error of a follow-up operation: the pod never leaves backoff early, even
  // if the active part is empty.
  void RetryAfterError(const std::string& uid);
  // Moves pods, by UID, to the active part, unless they are gated. A pod in flight is retried after
  // its backoff if its attempt fails. Source: kube-scheduler
  // pkg/scheduler/backend/queue/scheduling_queue.go, Activate.
  void Activate(const std::set<std::string>& uids);

  // Moves the pods with an expired backoff, and those that have been unschedulable for
  // max_in_unschedulable.
  void Flush();
  // Returns the time at which Flush is due next.
  std::optional<SteadyTime> NextWakeUp() const;

  const Nominator& nominator() const { return nominator_; }
  // Nominate is called after a failed attempt, ReleaseNomination when a node is chosen.
  void Nominate(std::shared_ptr<const PendingPod> pod, std::string node) {
    nominator_.Nominate(std::move(pod), std::move(node));
  }
  void ReleaseNomination(const std::string& uid) { nominator_.Delete(uid); }

  // Runs in constant time: the values are counted incrementally.
  QueueStatistics Statistics() const;
  // Returns the part of a pod; nullopt if it is unknown or in flight.
  std::optional<QueueName> WhereIs(const std::string& uid) const;
  // Reports whether the pod is queued, not ready, and its backoff has not ended.
  bool IsInBackoff(const std::string& uid) const;
  bool IsInFlight(const std::string& uid) const { return in_flight_.Has(uid); }
  const QueuedPod* Find(const std::string& uid) const;
  // Returns the UIDs of all pods in it, except those in flight.
  std::vector<std::string> Uids() const;

 private:
  using Part = QueuePart;
  using Item = QueueItem;
  enum class Strategy : uint8_t { kSkip, kAfterErrorBackoff, kAfterBackoff, kImmediately };
  // By expiry in backoff, then by the profile's Less, then by sequence.
  struct Order {
    const SchedulingQueue* queue;
    bool operator()(const Item* a, const Item* b) const;
  };
  using Sorted = std::set<Item*, Order>;

  // moves.cc
  Item* FindItem(const std::string& uid);
  Item& NewItem(QueuedPod queued);
  void Insert(Item& item, Part part);
  void Take(Item& item);  // from its part
  std::unique_ptr<Item> Extract(Item& item);
  QueuedPod TakeOff(Item& item);  // into flight
  Sorted& SortedOf(Part part);
  void MoveToActive(Item& item, std::string_view label);
  void MoveToBackoff(Item& item, Part part, std::string_view label);
  void RetryWith(Strategy strategy, const std::string& uid);
  void MoveToUnschedulable(Item& item, std::string_view label);
  void Requeue(Item& item, Strategy strategy, std::string_view label);
  void Gate(Item& item);  // runs PreEnqueue
  void RecordGate(Item& item, std::optional<size_t> plugin);
  enum class Counted : uint8_t { kIn, kOut };
  void CountRejections(const Item& item, Counted counted);
  void CountRejection(const Item& item, size_t plugin, Counted counted);
  void FlushBackoff(Sorted& part, SteadyTime now);
  void FlushLeftovers(SteadyTime now);

  // hints.cc
  bool IsOfInterest(const ClusterEvent& event) const;
  Strategy WorthRequeueing(const QueuedPod& pod, const ClusterEvent& event,
                           const EventObjects& objects) const;
  Strategy ReplayMissed(const QueuedPod& pod) const;

  void AddNew(const std::shared_ptr<const PendingPod>& pod, std::shared_ptr<const GangTurn> gang);
  QueuedPod NewPod(std::shared_ptr<const PendingPod> pod) const;
  void Adopt(QueuedPod& queued) const;  // translates its plugins to the current profile
  void Exchange(Item& item, const std::shared_ptr<const PendingPod>& new_pod,
                std::shared_ptr<const GangTurn> gang);

  ThreadOwner owner_;
  const Clock& clock_;
  QueueObserver& observer_;
  QueueOptions options_;
  NoEvictions no_evictions_;
  const Evictions* evictions_ = &no_evictions_;
  const Snapshot* cluster_ = nullptr;
  ProfileMap profiles_;
  const Profile* sorter_ = nullptr;                               // all profiles sort the same way
  std::unordered_map<std::string, std::unique_ptr<Item>> items_;  // by UID; all parts
  Sorted active_, backoff_, error_backoff_;
  UnschedulablePods unschedulable_;
  RejectedPods rejected_;
  InFlight in_flight_;
  Nominator nominator_;
  uint64_t next_sequence_ = 0;
  SteadyTime next_leftover_flush_{};
};

}  // namespace berth::scheduler
