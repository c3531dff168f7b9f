// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "scheduler/assumption.h"
#include "scheduler/attempt.h"
#include "scheduler/cache/cache.h"
#include "scheduler/failure_handler.h"
#include "scheduler/framework/ports.h"
#include "scheduler/gang_bind_barrier.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/waiting_pods.h"

namespace berth::scheduler {

// BindingCycle carries one pod from its chosen node to its binding. Nothing blocks: each step that
// waits for Permit or for the API server ends, and the next begins when the answer comes, on the
// scheduling thread.
//
//     Start ── PreBindPreFlight ── (Nominate) ── Permit ends ── PreBind ── (gang) ── Bind ── bound
//                     │                               │            │          │       │
//                     └───────────────────────────────┴────────────┴──────────┴───────┴──► Fail
//
// A member of a gang waits with the others until all of them are so far; see GangBindBarrier. Fail
// undoes the assumption, wakes the pods that the freed room may help, and requeues the pod.
//
// From the end of Permit on the pod is no longer in flight: events are not replayed to it, and a
// failure is an error, not a refusal. Until Bind begins its PreBind can be canceled, so that a pod
// whose room another one needs costs no call to the API server. It lives in a Table by the pod's UID
// and takes itself out when it ends. Owned by the scheduling thread. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, bindingCycle and handleBindingCycleError.
class BindingCycle : public std::enable_shared_from_this<BindingCycle> {
 public:
  // Table has the cycles under way by the pod's UID, one each.
  class Table {
   public:
    bool Has(const std::string& uid) const { return cycles_.contains(uid); }
    size_t size() const { return cycles_.size(); }

    // CancelPreBind ends a cycle that is in PreBind, or waits for its gang, with an error of this
    // text, as soon as the plugins that are at work have answered. False: it is not there, or not
    // any more. Not while a search runs: the end may come at once, and changes cache and queue.
    // Source: kube-scheduler pkg/scheduler/framework/runtime/pods_in_prebind_map.go, CancelPod.
    bool CancelPreBind(const std::string& uid, const std::string& message) const;

    // AbandonAll is for the end of the scheduler; see Abandon.
    void AbandonAll();

   private:
    friend class BindingCycle;
    std::unordered_map<std::string, std::shared_ptr<BindingCycle>> cycles_;
  };

  // What a cycle works with; all outlive it.
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

  // Start begins the cycle of an attempt whose Permit is `permit`; a member of a gang is bound with
  // the others of `departure`. Requires: the table has no cycle of that UID.
  static void Start(const Parts& parts, std::shared_ptr<Attempt> attempt, Assumption assumption,
                    const Profile::PermitOutcome& permit,
                    std::shared_ptr<GangBindBarrier> barrier = nullptr);

  BindingCycle(const Parts& parts, std::shared_ptr<Attempt> attempt, Assumption assumption,
               std::shared_ptr<GangBindBarrier> barrier);

 private:
  friend class GangBindBarrier;

  // Abandon leaves everything as it is, because the parts are about to go: a binding that was sent
  // cannot be called back.
  void Abandon() {
    assumption_.Commit();
    barrier_.reset();
  }
  void Run(const Profile::PermitOutcome& permit);
  void Nominate();
  void PermitEnded(const Status& verdict);
  void PreBind();
  void PreBindEnded(const Status& status);
  void Bind();
  // GiveUp ends it before Bind, because its gang cannot be whole.
  void GiveUp(const std::string& why);
  void Bound();
  void Fail(const Status& status);
  // WakeOthers tells waiting pods that room became free, all of them or all but the pod itself.
  void WakeOthers(bool except_this_pod);

  const Parts parts_;
  const std::shared_ptr<Attempt> attempt_;
  Assumption assumption_;
  CycleContext context_;  // plugins hold on to it until they answer
  Profile::PreFlightOutcome flight_;
  std::shared_ptr<GangBindBarrier> barrier_;  // until it binds; null: it is alone
  bool in_pre_bind_ = false;                  // and a PreBind plugin has work: it can be canceled
  bool waits_for_gang_ = false;
  Cancellation cancellation_;
};

}  // namespace berth::scheduler
