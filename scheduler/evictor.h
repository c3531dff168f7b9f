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
// server ends, and the next begins when the answer comes, on the scheduling thread.
//
//     Start ── Proceed ──► all victims but one, at once ──► the last one ──► the preemptor is free
//                          (one by one where a budget may say no)
//
// A victim that waits for Permit, or whose PreBind is under way, loses its place in memory and is
// tried again; another gets the condition DisruptionTarget and is deleted, or is evicted if the
// budgets are to be respected. What has gone already, or goes, is left alone.
//
// The preemptor is held back (IsPreempting) until the last victim is on its way, so that it does not
// choose others for the same room. Only the last one's going is looked at: by then the others are on
// theirs, and it is the one whose event may come before our answer. Source: kube-scheduler
// pkg/scheduler/framework/preemption/executor.go, prepareCandidateAsync and PreemptPod.
//
// After a failure no further victim is taken, and the preemptor is tried again after its backoff.
// Nor is one taken for a preemptor that needs no room any more. Owned by the scheduling thread.
class Evictor final : public Evictions {
 public:
  // What it works with; all outlive it.
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

  // Start is called in a cycle, which must not see pods go: it notes the request for Proceed.
  void Start(EvictionRequest request) override;
  bool IsPreempting(const std::string& uid) const override;

  // OnGone is to be called when a pod is gone, before events tell the queue: whoever waits for its
  // going alone is let out of the gate.
  void OnGone(const std::string& uid);
  // Proceed takes up what was asked for. To be called after the cycle, with the preemptor back in
  // the queue.
  void Proceed();

 private:
  // Eviction is one request.
  struct Eviction {
    EvictionRequest request;
    SteadyTime began;
    size_t next = 0;     // the victim whose turn it is
    size_t awaited = 0;  // victims of which it is not known that they go
    size_t taken = 0;    // victims that go because of it
    bool at_last = false;
    bool failed = false;
    std::string rejection = {};  // of a budget
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
  void Settle(const EvictionPtr& eviction);
  void Finish(const EvictionPtr& eviction);
  void ChooseAgain(const Eviction& eviction);
  bool GoesOn(const Eviction& eviction) const;
  bool IsGoing(const std::string& uid) const;
  void Tell(const Eviction& eviction, const PodInfo& victim, std::string_view how);

  ThreadOwner owner_;
  const Parts parts_;
  std::unordered_map<std::string, EvictionPtr> evictions_;  // by the preemptor's UID: its newest
  // Preemptors by the last of their victims, both by UID, once the others are on their way.
  std::unordered_multimap<std::string, std::string> held_back_by_;
  std::vector<EvictionPtr> begun_;
};

}  // namespace berth::scheduler
