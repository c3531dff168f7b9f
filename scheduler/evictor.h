// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_owner.h"
#include "scheduler/binding_cycle.h"
#include "scheduler/cache/cache.h"
#include "scheduler/failure_handler.h"
#include "scheduler/framework/evictions.h"
#include "scheduler/framework/ports.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/waiting_pods.h"

namespace berth::scheduler {

// Evictor removes the victims of preemptions. Nothing blocks: each step that waits for the API
// server registers a callback, which starts the next step on the scheduling thread.
//
//     Start ── Proceed ──► all but the last victim at once ──► last victim ──► preemptor released
//                          (one by one if budgets are respected)
//
// A victim that waits for Permit or is in PreBind is rejected in memory and requeued. Other victims
// get the condition DisruptionTarget and are deleted; if budgets are to be respected, they are
// evicted. Victims that are gone or terminating are skipped.
//
// The preemptor is gated (IsPreempting) until the last victim terminates, so that it does not
// choose more victims for the same resources. Checking the last victim is enough: by then the other
// deletions have been accepted, and its event may arrive before the response. Source:
// kube-scheduler pkg/scheduler/framework/preemption/executor.go, prepareCandidateAsync and
// PreemptPod.
//
// If the last victim was rejected in memory and has left its node, no event about it follows, and
// the preemptor becomes active at once.
//
// After a failure no further victim is removed, and the preemptor is retried after its backoff. No
// further victim is removed either if the preemptor needs no node any more. Owned by the scheduling
// thread.
class Evictor final : public Evictions {
 public:
  // Dependencies; all must outlive the evictor.
  struct Parts {
    const Clock& clock;
    ApiPort& api;
    SchedulerObserver& observer;
    const Cache& cache;
    SchedulingQueue& queue;
    WaitingPods& waiting;
    BindingCycle::Table& bindings;
    const PendingPods& pending;
  };
  explicit Evictor(const Parts& parts) : parts_(parts) {}

  // Records the request for Proceed. Called in a cycle, during which the cache must not change.
  void Start(EvictionRequest request) override;
  bool IsPreempting(const std::string& uid) const override;

  // Called when a pod is gone, before the queue gets the event: opens the gate of preemptors that
  // only wait for this pod.
  void OnGone(const std::string& uid);
  // Starts the recorded requests. Called after the cycle, when the preemptor is back in the queue.
  void Proceed();

 private:
  // Eviction is the state of one request.
  struct Eviction {
    EvictionRequest request;
    SteadyTime began;
    size_t next = 0;     // index of the next victim
    size_t awaited = 0;  // victims that are not handled yet
    size_t taken = 0;    // victims removed by it
    bool at_last = false;
    bool last_in_memory = false;  // the last victim was rejected without a call
    bool failed = false;
    std::string rejection = {};  // by a budget
  };
  using EvictionPtr = std::shared_ptr<Eviction>;
  using PodPtr = std::shared_ptr<const PodInfo>;

  void Begin(const EvictionPtr& eviction);
  void ClearNominations(const Eviction& eviction);
  void ClearNomination(const PendingPod& pod);
  void TakeMore(const EvictionPtr& eviction);
  void Take(const EvictionPtr& eviction, const PodPtr& victim);
  void Delete(const EvictionPtr& eviction, const PodPtr& victim);
  bool StopBinding(const std::string& uid);
  void OnAnswer(const EvictionPtr& eviction, const PodPtr& victim, const Result<void>& result);
  void RecordDone(const EvictionPtr& eviction);
  void Finish(const EvictionPtr& eviction);
  void ReleaseNode(const Eviction& eviction);
  bool ShouldContinue(const Eviction& eviction) const;
  bool IsGone(const PodInfo& pod) const;
  bool IsTerminating(const std::string& uid) const;
  void RecordPreempted(const Eviction& eviction, const PodInfo& victim, std::string_view how);

  ThreadOwner owner_;
  const Parts parts_;
  std::unordered_map<std::string, EvictionPtr> evictions_;  // by the preemptor's UID: the newest
  // UIDs of preemptors by the UID of their last victim, after the other deletions.
  std::unordered_multimap<std::string, std::string> held_back_by_;
  std::vector<EvictionPtr> begun_;
};

}  // namespace berth::scheduler
