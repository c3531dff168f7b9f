// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "scheduler/attempt/assumption.h"
#include "scheduler/attempt/attempt.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/evictions.h"
#include "scheduler/framework/known_rejections.h"
#include "scheduler/gangs/gang_bind_barrier.h"
#include "scheduler/gangs/gang_history.h"

namespace berth::scheduler {

// GangHost is the part of the scheduler that a GangCycle calls.
class GangHost {
 public:
  virtual ~GangHost() = default;

  // Reports whether the backoff of a member that is not ready has not ended.
  virtual bool IsInBackoff(const std::string& uid) const = 0;
  // Takes a member out of the queue. Returns null if it is not queued or needs no attempt.
  virtual std::shared_ptr<Attempt> PopMember(const std::string& uid) = 0;
  // Returns the newest state of a pod that needs a node, or null.
  virtual std::shared_ptr<const PendingPod> FindPending(const std::string& uid) const = 0;
  // Searches a node. Null `evictions`: without PostFilter. A non-null `gang_rejection`, a rejection
  // or an error, takes the place of PreFilter and Filter. `known`: AlgorithmInput::known_rejections.
  virtual Outcome FindNode(Attempt& attempt, Evictions* evictions, const Status* gang_rejection,
                           KnownRejections* known) = 0;
  virtual std::variant<Assumption, Status> AssumeAndReserve(const std::shared_ptr<Attempt>& attempt,
                                                            const NodeRef& node) = 0;
  virtual void Bind(const std::shared_ptr<Attempt>& attempt, Assumption assumption,
                    const Profile::PermitOutcome& permit,
                    std::shared_ptr<GangBindBarrier> barrier) = 0;
  virtual AttemptFailure FailureOf(const Attempt& attempt, const Outcome& outcome) const = 0;
  // Ends a failed attempt.
  virtual void Fail(const Attempt& attempt, AttemptFailure failure) = 0;
  // Requeues a member that failed, after its backoff.
  virtual void Retry(const std::string& uid) = 0;
  virtual void Evict(EvictionRequest request) = 0;
  virtual const Evictions& evictions() const = 0;
  // Called when the gang cannot be placed or bound, with a rejection or error; and when its bindings
  // have begun (`binds`) or were all given up. Both also after the cycle. `key`: of the gang.
  virtual void OnGangFailure(const std::string& key, const Status& why) = 0;
  virtual void OnGangBindingEnd(const std::string& key, bool binds) = 0;
};

// GangCycle is one attempt to place the pending members of a gang: enough of them for the gang, or
// none.
//
//     first member ── CheckGang ── rejected ──► the first member alone is rejected
//                         │
//          the other pending members leave the queue; those in backoff only if needed
//                         │
//          each, by priority, size and name: fits and is assumed; or fits after preemption, its
//          victims leave their nodes and it is assumed; or is rejected
//                         │
//        too few, and members preempt last (GangPolicy) ─► undo; each again, with preemption
//                         │
//        enough fit ──────────────────► bind them together (GangBindBarrier)
//        enough fit after preemption ─► undo; start the evictions; nominate all members
//        too few ─────────────────────► undo; requeue all members with the rejecting plugins
//
// No other attempt reads the cluster during the cycle, so two gangs never hold a part of the same
// room. Preemption is simulated with the victims off their nodes, so every plugin sees the room.
//
// A long cycle is suspended, so that the scheduling thread can apply changes of the cluster.
// Meanwhile the victims are on their nodes, and the members that were placed so far stay assumed.
// When it continues:
// - a PodGroup that changed or is gone ends the cycle, and all members are requeued;
// - members that left the gang, ended or got a node elsewhere are dropped;
// - a member whose node is gone is tried again;
// - victims that are gone need no eviction. If a member is dropped or tried again while others
//   depend on victims, the cycle ends and all members are requeued, because the other members may
//   use the room of its victims;
// - the other placed members keep their nodes, like pods that wait for Permit.
class GangCycle {
 public:
  // All of these outlive the cycle, and `host` the callbacks of its barrier.
  struct Parts {
    GangHost& host;
    const Clock& clock;
    Cache& cache;
    GangHistories& histories;
  };
  // `plugin`: of the gang's API in the profile of the members.
  GangCycle(const Parts& parts, const Gang& gang, const Profile::Entry<GangPlugin>& plugin)
      : parts_(parts), plugin_(plugin), key_(gang.Key()), gang_(&gang) {}
  ~GangCycle() { UndoAll(); }
  GangCycle(const GangCycle&) = delete;
  GangCycle& operator=(const GangCycle&) = delete;

  // Begins the cycle. `first` is the member that came first in the queue.
  void Start(const std::shared_ptr<Attempt>& first);
  // Continues the cycle. Returns false if `deadline` passed before its end; it is then suspended.
  // Does at least one step. Requires: Start.
  bool Proceed(SteadyTime deadline);
  // Ends the cycle without a decision: undoes all and requeues the members.
  void Abort();

  const std::string& gang_key() const { return key_; }
  // Called if a change between two parts may help the gang: members that this cycle rejects are
  // retried.
  void RetryLater() { retries_ = true; }

 private:
  using AttemptPtr = std::shared_ptr<Attempt>;

  // Holding is a member that is assumed on a node.
  struct Holding {
    AttemptPtr attempt;
    Assumption assumption;
    Profile::PermitOutcome permit;
    std::string makes_room = {};  // why it fits only after preemption; empty: it fits
    PluginIndexSet rejected_by = {};
  };
  struct Rejected {
    AttemptPtr attempt;
    AttemptFailure failure;
  };
  // Alike is members that fail for the same reason.
  struct Alike {
    std::vector<AttemptPtr> attempts;
    AttemptFailure failure;
  };

  void Reject(const AttemptPtr& first, const Status& rejection);
  void TakeAll(const AttemptPtr& first);
  void TakeOther(const std::string& uid);
  void Try(const AttemptPtr& attempt);
  bool Hold(const AttemptPtr& attempt, const NodeRef& node, const Outcome* makes_room);
  bool MakeRoom(const AttemptPtr& attempt, const Outcome& outcome,
                std::vector<EvictionRequest> requests);
  void Sort();
  size_t Missing() const;
  bool CanBeWhole() const { return holding_.size() + waiting_.size() >= missing_; }
  bool IsWhole() const { return !holding_.empty() && holding_.size() >= missing_; }

  void Suspend();
  bool Resume();
  std::shared_ptr<const PendingPod> FindMember(const Attempt& attempt) const;
  bool DropChanged();
  void SetAsideAgain();

  void Decide();
  IncompleteAttempt Result() const;
  std::optional<GangPreemption> WhyNoPreemption() const;
  void BeginPreemption(IncompleteAttempt result);
  IncompleteAttempt EndPreemption(const IncompleteAttempt::Counts& with_preemption);
  std::string OwnReason(const Holding& holding) const;
  void BindAll();
  void MakeRoomForAll(IncompleteAttempt result);
  void RejectAll(const IncompleteAttempt& result);
  void RequeueAll();
  std::vector<AttemptPtr> ReleaseMembers();
  void UndoAll();
  bool FailAll(SteadyTime deadline);
  void Requeue(const Attempt& attempt, AttemptFailure failure);
  AttemptFailure RequeuedFailure(const Attempt& attempt) const;

  const GangHistory& history() const { return parts_.histories.Of(*gang_); }

  const Parts parts_;
  const Profile::Entry<GangPlugin> plugin_;
  const std::string key_;
  const Gang* gang_;                // null: it ended; not valid while suspended
  std::optional<GangTerms> terms_;  // at the last Suspend
  size_t missing_ = 0;              // members that have to be placed
  bool is_decided_ = false;
  bool is_suspended_ = false;
  bool retries_ = false;
  bool preempts_ = false;                        // members that fit nowhere may preempt
  bool can_make_room_ = false;                   // the profile has a PostFilter plugin
  std::shared_ptr<const PendingPod> preemptor_;  // the first member
  std::vector<AttemptPtr> waiting_;              // not tried yet; the last is next
  std::vector<Holding> holding_;
  std::vector<Rejected> rejected_;
  std::vector<AttemptPtr> fitting_;  // members of a rejected gang that would fit
  // Of a gang whose members preempt last: the first pass, without preemption.
  struct FirstPass {
    IncompleteAttempt result;
    std::map<std::string, AttemptFailure> failures;  // by the UID of the member
    std::set<std::string> untried;                   // UIDs
  };
  std::optional<FirstPass> first_pass_;
  KnownRejections known_rejections_;        // since the last member was held
  std::vector<Cache::AsidePod> victims_;    // off their nodes
  std::vector<std::string> put_back_;       // UIDs of the victims while suspended
  std::vector<EvictionRequest> evictions_;  // started if the gang is placed
  // Of the decided cycle, the members to requeue: those with a failure of their own, then those that
  // fail like others.
  std::vector<Rejected> failed_;
  std::array<Alike, 2> alike_;  // those that would fit, those that were not tried
  size_t requeued_ = 0;         // the first of them that are requeued already
};

}  // namespace berth::scheduler
