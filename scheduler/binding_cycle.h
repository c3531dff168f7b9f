// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "scheduler/attempt/assumption.h"
#include "scheduler/attempt/attempt.h"
#include "scheduler/cache/cache.h"
#include "scheduler/failure_handler.h"
#include "scheduler/framework/ports.h"
#include "scheduler/gangs/gang_bind_barrier.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/waiting_pods.h"

namespace berth::scheduler {

// BindingCycle takes one pod from the choice of its node to its binding. Nothing blocks: each step
// that waits for Permit or for the API server registers a callback, which starts the next step on
// the scheduling thread.
//
//     Start ── PreBindPreFlight ── (Nominate) ── Permit ends ── PreBind ── (gang) ── Bind ── bound
//                     │                               │            │          │       │
//                     └───────────────────────────────┴────────────┴──────────┴───────┴──► Fail
//
// A member of a gang waits until all members are ready to bind; see GangBindBarrier. Fail undoes
// the assumption, requeues pods that may use the freed resources, and requeues the pod.
//
// After Permit the pod is no longer in flight: events are not replayed to it, and a failure is an
// error, not a rejection. PreBind can be canceled until Bind starts, so preempting such a pod needs
// no call to the API server. The cycle is in a Table by the pod's UID and removes itself at its
// end. Owned by the scheduling thread. Source: kube-scheduler pkg/scheduler/schedule_one.go,
// bindingCycle and handleBindingCycleError.
class BindingCycle : public std::enable_shared_from_this<BindingCycle>,
                     public GangBindBarrier::Member {
 public:
  // Table has the running cycles, at most one for each pod UID.
  class Table {
   public:
    bool Has(const std::string& uid) const { return cycles_.contains(uid); }
    size_t size() const { return cycles_.size(); }

    // Ends a cycle in PreBind, or waiting for its gang, with an error of this text, as soon as the
    // running plugins have answered. Returns false if there is no such cycle. Must not be called
    // during a search: the cycle may end immediately, which changes cache and queue. Source:
    // kube-scheduler pkg/scheduler/framework/runtime/pods_in_prebind_map.go, CancelPod.
    bool CancelPreBind(const std::string& uid, const std::string& message) const;

    // Called when the scheduler is destroyed; see Abandon.
    void AbandonAll();

   private:
    friend class BindingCycle;
    std::unordered_map<std::string, std::shared_ptr<BindingCycle>> cycles_;
  };

  // Dependencies of a cycle; all must outlive it.
  struct Parts {
    const Clock& clock;
    ApiPort& api;
    SchedulerObserver& observer;
    Cache& cache;
    SchedulingQueue& queue;
    WaitingPods& waiting;
    FailureHandler& failures;
    Table& table;
  };

  // Starts the cycle of an attempt after Permit returned `permit`. A member of a gang binds
  // together with the other members of `barrier`. Requires: the table has no cycle of that UID.
  static void Start(const Parts& parts, std::shared_ptr<Attempt> attempt, Assumption assumption,
                    const Profile::PermitOutcome& permit,
                    std::shared_ptr<GangBindBarrier> barrier = nullptr);

  BindingCycle(const Parts& parts, std::shared_ptr<Attempt> attempt, Assumption assumption,
               std::shared_ptr<GangBindBarrier> barrier);

 private:
  // Keeps the assumption and calls nothing, because the dependencies are about to be destroyed. A
  // binding request that was sent cannot be undone.
  void Abandon() {
    assumption_.Commit();
    barrier_.reset();
  }
  void Run(const Profile::PermitOutcome& permit);
  void Nominate();
  void PermitEnded(const Status& verdict);
  void PreBind();
  void PreBindEnded(const Status& status);
  void Bind() override;
  // Ends the cycle before Bind, because its gang cannot be complete.
  void GiveUp(const std::string& why) override;
  const std::string& pod_name() const override { return attempt_->queued.pod->name(); }
  void Bound();
  void Fail(const Status& status);
  // Requeues pods that may use the freed resources, with or without this pod.
  void WakeOthers(bool except_this_pod);

  const Parts parts_;
  const std::shared_ptr<Attempt> attempt_;
  Assumption assumption_;
  CycleContext context_;  // plugins use it until they answer
  Profile::PreFlightOutcome flight_;
  std::shared_ptr<GangBindBarrier> barrier_;  // until Bind; null: single pod
  bool in_pre_bind_ = false;                  // with work for a plugin: can be canceled
  bool waits_for_gang_ = false;
  Cancellation cancellation_;
};

}  // namespace berth::scheduler
