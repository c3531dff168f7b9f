// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduler/scheduler.h"

namespace berth::scheduler {

// GangCycle is one try to place the members of a gang that wait: enough of them for the gang to be
// whole, or none.
//
//     first member ── may the gang be tried? ──► the others leave the queue, wherever they lie
//                                                        │
//          each in turn, by priority and name: fits, is assumed, and waits at Permit; or fits once
//          its victims are gone, and both is assumed; or is refused
//                                                        │
//        enough fit ───────────► all of these are bound, at a time (GangBindBarrier)
//        enough, with victims ─► nothing is assumed; the victims of all go; all are nominated
//        too few ──────────────► nothing is assumed; no victim goes; all wait for what the refused
//                                ones wait for, and for their backoff
//
// Nobody sees what was assumed and undone, so two gangs that want the same room never hold a part of
// it each. Room that preemption would make is tried with the victims really off their nodes, so every
// plugin sees it. Lives for one call of ScheduleOne.
class Scheduler::GangCycle {
 public:
  GangCycle(Scheduler& scheduler, const Gang& gang) : scheduler_(scheduler), gang_(gang) {}
  ~GangCycle() { UndoAll(); }
  GangCycle(const GangCycle&) = delete;
  GangCycle& operator=(const GangCycle&) = delete;

  // Run takes the member that came first in the queue.
  void Run(const std::shared_ptr<Attempt>& first);

 private:
  using AttemptPtr = std::shared_ptr<Attempt>;

  // Holding is a member that has its place.
  struct Holding {
    AttemptPtr attempt;
    Assumption assumption;
    Profile::PermitOutcome permit;
    std::string makes_room = {};  // why it fits only once victims are gone; empty: it fits
    PluginIndexSet rejected_by = {};
  };
  struct Rejected {
    AttemptPtr attempt;
    AttemptFailure failure;
  };

  bool MayNotBeTried(const Attempt& first, const Outcome& outcome) const;
  void TakeAll(const AttemptPtr& first);
  void TakeOther(const std::string& uid);
  void Try(const AttemptPtr& attempt);
  void Judge(const AttemptPtr& attempt, const Outcome& outcome,
             std::vector<EvictionRequest> requests);
  void Hold(const AttemptPtr& attempt, const NodeRef& node, const Outcome* makes_room);
  bool MakeRoom(const AttemptPtr& attempt, const Outcome& outcome,
                const std::vector<EvictionRequest>& requests);
  bool CanBeWhole() const { return holding_.size() + waiting_.size() >= missing_; }
  bool IsWhole() const { return !holding_.empty() && holding_.size() >= missing_; }

  void BindAll();
  void MakeRoomForAll();
  void RejectAll();
  void UndoAll();

  Scheduler& scheduler_;
  const Gang& gang_;
  GangPolicy policy_;
  size_t missing_ = 0;               // members that have to be placed
  std::vector<AttemptPtr> waiting_;  // the last is next
  std::vector<Holding> holding_;
  std::vector<Rejected> rejected_;
  std::vector<Cache::AsidePod> victims_;    // off their nodes
  std::vector<EvictionRequest> evictions_;  // to be started if all goes well
};

}  // namespace berth::scheduler
