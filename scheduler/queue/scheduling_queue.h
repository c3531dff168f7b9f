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

// QueueName is a part of the queue, in the words of the metrics. Gated pods lie with the
// unschedulable ones but are counted apart.
enum class QueueName : uint8_t { kActive, kBackoff, kUnschedulable, kGated };
std::string_view ToString(QueueName name);  // "active", "backoff", "unschedulable", "gated"

// QueueObserver hears of what moves in the queue. Called on the scheduling thread; must return at
// once and not call back.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  // A pod came into a part of the queue in which it was not before; `event` is the label of what
  // brought it: "UnschedulablePodAdd", "NodeAdd", "ScheduleAttemptFailure", … Source:
  // scheduler_queue_incoming_pods_total.
  virtual void OnQueueIncoming(QueueName /*queue*/, std::string_view /*event*/) {}
};

// RejectedPods counts queued pods by the plugin that refused them and their scheduler name; a pod
// counts for each of its plugins. What was counted once stays, with 0.
using RejectedPods = std::map<std::pair<std::string, std::string>, size_t>;

// QueueStatistics are figures for gauges.
struct QueueStatistics {
  size_t active = 0, backoff = 0, unschedulable = 0, gated = 0;
  size_t in_flight_pods = 0, in_flight_events = 0;
  RejectedPods by_plugin;
};

// SchedulingQueue holds the pods that wait for a node.
//
//              Add                         Pop
//     new pod ─────► active ◄──────────┐ ──────► in flight ──► Done
//               │      ▲               │             │
//        gated  │      │ backoff ends  │ event       │ AddUnschedulable
//               ▼      │               │             ▼
//        unschedulable │   backoff ◄───┴──────── (replay of what happened meanwhile)
//        (with gated)  └── of refusals: also popped early when nothing is active
//                      └── of errors: never early
//
// Pods are known by UID: one made again under the same name is another pod. An event wakes an
// unschedulable pod when a plugin that refused it says through its hint that the event may help.
// With one thread Pop does not block: it answers nothing when nothing is ready.
//
// Invariants: a pod is in one part only, because Insert is called for items that Take took out, or
// that are new; it is in no part while in flight, because Pop takes it out and the queue forgets
// its item until AddUnschedulableIfNotPresent; a gated pod is with the unschedulable ones, because
// every way into the other parts leads through Gate, which asks PreEnqueue; every pod's scheduler
// name has a profile, because SetProfiles drops the others; a queued pod names its plugins by their
// indices in that profile, because SetProfiles and AddUnschedulableIfNotPresent adopt it. Owned by
// the scheduling thread. Source: kube-scheduler pkg/scheduler/backend/queue/scheduling_queue.go.
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

  // SetProfiles sorts again, asks PreEnqueue of gated pods again, wakes unschedulable ones, and
  // drops those of names that are gone.
  void SetProfiles(ProfileMap profiles);

  // SetEvictions says who knows which pods wait for victims; before, none does. `evictions` outlives
  // the queue.
  void SetEvictions(const Evictions& evictions) { evictions_ = &evictions; }

  // SetOptions takes effect with the next failure; a backoff that has begun keeps its end.
  void SetOptions(QueueOptions options) {
    owner_.AssertHeld();
    options_ = options;
  }

  // Add takes a new pending pod, with the turn of its gang, if it has one. One that is known already
  // is updated. Requires: a served scheduler name.
  void Add(std::shared_ptr<const PendingPod> pod, std::shared_ptr<const GangTurn> gang = nullptr);
  void Update(const std::shared_ptr<const PendingPod>& old_pod,
              const std::shared_ptr<const PendingPod>& new_pod,
              std::shared_ptr<const GangTurn> gang = nullptr);
  // Delete forgets a pod and its nomination; in flight it stays until Done.
  void Delete(const std::string& uid);

  // Pop gives the next pod to try, which is in flight from then on; nothing when none is ready.
  std::optional<QueuedPod> Pop();
  // PopPod gives this pod to try, whatever it waits for but a gate; nothing for one that is gated, in
  // flight or unknown.
  std::optional<QueuedPod> PopPod(const std::string& uid);
  // Done ends the flight of a pod that does not come back.
  void Done(const std::string& uid) { in_flight_.Done(uid); }
  // AddUnschedulableIfNotPresent takes back a pod whose attempt failed; its plugins say why. Ends
  // its flight.
  void AddUnschedulableIfNotPresent(QueuedPod queued);

  // MoveAll wakes the unschedulable pods that the event may help. With `concerns`, only those pods
  // are asked.
  using Concerns = std::function<bool(const PendingPod&)>;
  void MoveAll(const ClusterEvent& event, const EventObjects& objects,
               const Concerns& concerns = nullptr);

  // AskGateAgain is for whoever held a pod back at a gate, at the end: from then on events wake it.
  void AskGateAgain(const std::string& uid);
  // Retry tries a pod again for a reason that only it has, after its backoff. One that is not among
  // the unschedulable ones will be tried anyhow.
  void Retry(const std::string& uid);
  // RetryAfterError does so when what was done for the pod failed: never before its backoff ended,
  // though nothing else be active.
  void RetryAfterError(const std::string& uid);
  // Activate brings pods, by UID, into the active part, whatever they wait for but a gate; one in
  // flight is tried again after its backoff, should its attempt fail. Source: kube-scheduler
  // pkg/scheduler/backend/queue/scheduling_queue.go, Activate.
  void Activate(const std::set<std::string>& uids);

  // Flush moves what has waited long enough by now: pods whose backoff has ended, and those that
  // have been unschedulable for max_in_unschedulable.
  void Flush();
  // NextWakeUp is when Flush will have something to do.
  std::optional<SteadyTime> NextWakeUp() const;

  const Nominator& nominator() const { return nominator_; }
  // Nominate is called when an attempt failed, ReleaseNomination when it chose a node.
  void Nominate(std::shared_ptr<const PendingPod> pod, std::string node) {
    nominator_.Nominate(std::move(pod), std::move(node));
  }
  void ReleaseNomination(const std::string& uid) { nominator_.Delete(uid); }

  // Statistics cost nothing: what they say is counted as it happens, however many pods wait.
  QueueStatistics Statistics() const;
  // WhereIs is the part a pod lies in; nothing for one that is unknown or in flight.
  std::optional<QueueName> WhereIs(const std::string& uid) const;
  bool IsInFlight(const std::string& uid) const { return in_flight_.Has(uid); }
  const QueuedPod* Find(const std::string& uid) const;
  // Uids of all pods in it, not those in flight.
  std::vector<std::string> Uids() const;

 private:
  using Part = QueuePart;
  using Item = QueueItem;
  enum class Strategy : uint8_t { kSkip, kAfterErrorBackoff, kAfterBackoff, kImmediately };
  // By expiry where the part has one, then by the profile's Less, then by sequence.
  struct Order {
    const SchedulingQueue* queue;
    bool operator()(const Item* a, const Item* b) const;
  };
  using Sorted = std::set<Item*, Order>;

  // moves.cc
  Item* FindItem(const std::string& uid);
  Item& NewItem(QueuedPod queued);
  void Insert(Item& item, Part part);
  void Take(Item& item);  // out of its part
  std::unique_ptr<Item> Extract(Item& item);
  QueuedPod TakeOff(Item& item);  // into flight
  Sorted& SortedOf(Part part);
  bool MoveToActive(Item& item, std::string_view label);  // false: it is gated
  void MoveToBackoff(Item& item, Part part, std::string_view label);
  void RetryWith(Strategy strategy, const std::string& uid);
  void MoveToUnschedulable(Item& item, std::string_view label);
  void Requeue(Item& item, Strategy strategy, std::string_view label);
  void Gate(Item& item);  // asks PreEnqueue
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

  QueuedPod NewPod(std::shared_ptr<const PendingPod> pod) const;
  void Adopt(QueuedPod& queued) const;  // its plugins by the indices of the profile served now
  void Exchange(Item& item, const std::shared_ptr<const PendingPod>& new_pod,
                std::shared_ptr<const GangTurn> gang);
  void NominateFromStatus(const std::shared_ptr<const PendingPod>& pod);

  ThreadOwner owner_;
  const Clock& clock_;
  QueueObserver& observer_;
  QueueOptions options_;
  NoEvictions no_evictions_;
  const Evictions* evictions_ = &no_evictions_;
  ProfileMap profiles_;
  const Profile* sorter_ = nullptr;                               // all profiles sort alike
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
