// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_cycle.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace berth::scheduler {
namespace {

// A member is requeued in some microseconds, so the clock is read once for several.
constexpr size_t kRequeuedPerLook = 16;

// PlannedEvictions collects the evictions of a simulated preemption.
class PlannedEvictions final : public Evictions {
 public:
  explicit PlannedEvictions(const Evictions& evictions) : evictions_(evictions) {}

  void Start(EvictionRequest request) override { requests_.push_back(std::move(request)); }
  bool IsPreempting(const std::string& uid) const override { return evictions_.IsPreempting(uid); }

  std::vector<EvictionRequest> Take() { return std::move(requests_); }

 private:
  const Evictions& evictions_;
  std::vector<EvictionRequest> requests_;
};

// Returns the failure of an attempt that ends without a decision. Nothing is written about it. The
// gang's plugin counts as the one that rejected it, so it is no error.
AttemptFailure RequeuedFailure(const Attempt& attempt) {
  AttemptFailure failure;
  failure.status = Status::Unschedulable("the attempt of its gang was given up");
  failure.unschedulable_plugins.Add(attempt.profile->gang_plugin()->index);
  failure.nominating = NominatingMode::kNoop;
  failure.gang = attempt.queued.gang;
  return failure;
}

}  // namespace

void GangCycle::Start(const AttemptPtr& first) {
  const Profile& profile = *first->profile;
  policy_ = profile.gang_plugin()->plugin->gang_policy();
  const Status check =
      profile.RunCheckGang(*first->queued.pod, *gang_, history().attempts, parts_.cache);
  if (!check.ok()) return Reject(first, check);
  TakeAll(first);
  missing_ = gang_->terms() != nullptr ? Missing() : waiting_.size();
}

bool GangCycle::Proceed(SteadyTime deadline) {
  if (is_suspended_) {
    gang_ = parts_.cache.gangs().Find(key_);
    is_suspended_ = false;
    if (!is_decided_ && !Resume()) RequeueAll();
  }
  bool is_late = false;
  while (!is_decided_) {
    if (waiting_.empty() || !CanBeWhole()) {
      Decide();
    } else if (is_late) {
      Suspend();
      return false;
    } else {
      const AttemptPtr next = std::move(waiting_.back());
      waiting_.pop_back();
      Try(next);
      is_late = parts_.clock.Now() >= deadline;
    }
  }
  is_suspended_ = !FailAll(deadline);
  return !is_suspended_;
}

void GangCycle::Abort() {
  gang_ = parts_.cache.gangs().Find(key_);
  is_suspended_ = false;
  if (!is_decided_) RequeueAll();
  FailAll(SteadyTime::max());
}

// Fails the attempt of the first member; the other members stay in the queue.
void GangCycle::Reject(const AttemptPtr& first, const Status& rejection) {
  PlannedEvictions none(parts_.host.evictions());
  const Outcome outcome = parts_.host.FindNode(*first, none, &rejection, nullptr);
  if (history().attempts.is_binding) parts_.histories.WaitForBinding(*gang_);
  failed_.push_back({first, parts_.host.FailureOf(*first, outcome)});
  is_decided_ = true;
}

// Takes the other members out of the queue. Members in backoff stay there unless the gang cannot be
// whole without them: otherwise each new member would retry all those that were just rejected. At
// equal priority larger pods are tried first, because
// they fit on fewer nodes. The order does not depend on earlier attempts, so in the same cluster
// the same member is rejected for the same reason, and no event is repeated.
void GangCycle::TakeAll(const AttemptPtr& first) {
  waiting_.push_back(first);
  const std::string& name = first->profile->scheduler_name();
  std::vector<std::string> in_backoff;
  gang_->AnyUnplaced([&](const std::string& uid, const std::string& scheduler_name) {
    if (uid == first->uid() || scheduler_name != name) return false;
    parts_.host.IsInBackoff(uid) ? in_backoff.push_back(uid) : TakeOther(uid);
    return false;
  });
  const bool are_enough = gang_->terms() != nullptr && waiting_.size() >= gang_->Missing();
  if (!are_enough) std::ranges::for_each(in_backoff, [this](const auto& uid) { TakeOther(uid); });
  std::ranges::sort(waiting_, std::greater(), [](const AttemptPtr& each) {
    const PendingPod& pod = *each->queued.pod;
    const Resources& requests = pod.requests();
    int64_t scalars = 0;
    for (const auto& [resource, amount] : requests.scalars) {
      scalars = SaturatingAdd(scalars, amount);
    }
    return std::tuple<int64_t, int64_t, int64_t, int64_t, std::string_view>(
        -int64_t{pod.priority()}, -scalars, -requests.milli_cpu, -requests.memory, pod.name());
  });
}

void GangCycle::TakeOther(const std::string& uid) {
  if (AttemptPtr attempt = parts_.host.PopMember(uid)) waiting_.push_back(std::move(attempt));
}

// Returns the number of members to place, including those that are held already. Requires: the
// gang has terms.
size_t GangCycle::Missing() const {
  const size_t others = gang_->placed() - std::min(gang_->placed(), holding_.size());
  return gang_->Needed() - std::min(gang_->Needed(), others);
}

void GangCycle::Try(const AttemptPtr& attempt) {
  attempt->started = parts_.clock.Now();
  PlannedEvictions planned(parts_.host.evictions());
  // A rejection that ends the cycle is of no use to other members.
  const bool goes_on = !waiting_.empty() && CanBeWhole();
  const Outcome outcome =
      parts_.host.FindNode(*attempt, planned, nullptr, goes_on ? &known_rejections_ : nullptr);
  if (outcome.kind == Outcome::Kind::kPlaced) {
    Hold(attempt, outcome.node, nullptr);
  } else if (!MakeRoom(attempt, outcome, planned.Take())) {
    AttemptFailure failure = parts_.host.FailureOf(*attempt, outcome);
    failure.nominated_node.clear();
    rejected_.push_back({attempt, std::move(failure)});
  }
}

// Takes the victims off their nodes and holds the chosen node. Returns false if preemption does not
// help the pod.
bool GangCycle::MakeRoom(const AttemptPtr& attempt, const Outcome& outcome,
                         std::vector<EvictionRequest> requests) {
  const PostFilterResult& result = outcome.post_filter;
  if (!result.preemption || result.nominated_node.empty()) return false;
  const auto& candidates = result.preemption->candidates;
  const auto chosen = std::ranges::find(candidates, result.nominated_node,
                                        [](const Candidate& each) { return each.node.name(); });
  if (chosen == candidates.end()) return false;
  const size_t victims_before = victims_.size();
  const auto set_aside = [this](const PodList& victims) {
    for (const auto& victim : victims) {
      if (parts_.cache.FindPod(victim->uid()) == nullptr) continue;
      victims_.push_back(parts_.cache.SetAside(victim->uid()));
    }
  };
  set_aside(chosen->victims);
  for (const EvictionRequest& request : requests) set_aside(request.victims);
  if (Hold(attempt, chosen->node, &outcome)) {
    std::ranges::move(requests, std::back_inserter(evictions_));
    return true;
  }
  for (; victims_.size() > victims_before; victims_.pop_back()) {
    parts_.cache.PutBack(std::move(victims_.back()));
  }
  return true;
}

// Assumes the pod on the node. Returns false if a plugin rejects it there; it is then in rejected_.
bool GangCycle::Hold(const AttemptPtr& attempt, const NodeRef& node, const Outcome* makes_room) {
  const auto reject = [&](const Status& status) {
    rejected_.push_back({attempt, FailureAfterChoice(*attempt, status)});
    return false;
  };
  known_rejections_.Clear();
  auto reserved = parts_.host.AssumeAndReserve(attempt, node);
  if (const auto* status = std::get_if<Status>(&reserved)) return reject(*status);
  CycleContext cycle = attempt->Cycle(parts_.cache);
  Profile::PermitOutcome permit = attempt->profile->RunPermit(cycle, node);
  if (!permit.status.ok() && permit.status.code != Code::kWait) {
    std::get<Assumption>(reserved).Undo();
    return reject(permit.status);
  }
  holding_.push_back({attempt, std::move(std::get<Assumption>(reserved)), std::move(permit)});
  if (makes_room == nullptr) return true;
  holding_.back().makes_room = FitErrorText(*makes_room);
  holding_.back().rejected_by = makes_room->unschedulable_plugins;
  return true;
}

void GangCycle::Suspend() {
  terms_.reset();
  if (gang_->terms() != nullptr) terms_ = *gang_->terms();
  for (; !victims_.empty(); victims_.pop_back()) {
    put_back_.push_back(victims_.back().pod->uid());
    parts_.cache.PutBack(std::move(victims_.back()));
  }
  is_suspended_ = true;
}

// Adapts the cycle to the changes since Suspend. Returns false if it has to end.
bool GangCycle::Resume() {
  known_rejections_.Clear();
  if (gang_ == nullptr || terms_.has_value() != (gang_->terms() != nullptr)) return false;
  if (terms_) {
    // Members that succeed need no node, which Missing takes into account.
    terms_->succeeded = gang_->terms()->succeeded;
    if (*terms_ != *gang_->terms()) return false;
  }
  if (DropChanged() && !put_back_.empty()) return false;
  SetAsideAgain();
  if (terms_) missing_ = Missing();
  return true;
}

// Returns the newest state of the attempt's pod; null if it is no pending member of the gang.
std::shared_ptr<const PendingPod> GangCycle::FindMember(const Attempt& attempt) const {
  if (parts_.cache.gangs().OfMember(attempt.uid()) != gang_) return nullptr;
  return parts_.host.FindPending(attempt.uid());
}

// Drops the members that left. Members whose node is gone have to be tried again. Returns whether
// members no longer hold a node.
bool GangCycle::DropChanged() {
  const auto drop = [this](const AttemptPtr& attempt) {
    parts_.host.Fail(*attempt, RequeuedFailure(*attempt));
    parts_.host.Retry(attempt->uid());
  };
  for (const AttemptPtr& attempt : std::exchange(waiting_, {})) {
    if (auto pod = FindMember(*attempt)) {
      attempt->queued.pod = std::move(pod);
      waiting_.push_back(attempt);
    } else {
      drop(attempt);
    }
  }
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    if (FindMember(*rejected.attempt) != nullptr) {
      rejected_.push_back(std::move(rejected));
    } else {
      drop(rejected.attempt);
    }
  }
  const size_t held = holding_.size();
  for (Holding& holding : std::exchange(holding_, {})) {
    const AttemptPtr& attempt = holding.attempt;
    auto pod = FindMember(*attempt);
    const bool is_held = pod != nullptr && parts_.cache.IsAssumed(attempt->uid());
    if (is_held && attempt->node.In(parts_.cache) != nullptr) {
      holding_.push_back(std::move(holding));
      continue;
    }
    holding.assumption.Undo();
    if (!is_held) {
      drop(attempt);
      continue;
    }
    const auto again = std::make_shared<Attempt>();
    again->profile = attempt->profile;
    again->queued = attempt->queued;
    again->queued.pod = std::move(pod);
    waiting_.push_back(again);
  }
  return holding_.size() < held;
}

// Takes the victims off their nodes again. Victims that are gone need no eviction.
void GangCycle::SetAsideAgain() {
  const auto is_gone = [this](const std::string& uid) {
    return parts_.cache.FindPod(uid) == nullptr;
  };
  for (EvictionRequest& request : evictions_) {
    std::erase_if(request.victims, [&](const auto& victim) { return is_gone(victim->uid()); });
  }
  std::erase_if(evictions_, [](const EvictionRequest& each) { return each.victims.empty(); });
  for (; !put_back_.empty(); put_back_.pop_back()) {
    if (is_gone(put_back_.back())) continue;
    victims_.push_back(parts_.cache.SetAside(put_back_.back()));
  }
}

void GangCycle::Decide() {
  is_decided_ = true;
  if (!IsWhole()) return RejectAll();
  if (evictions_.empty() && victims_.empty()) return BindAll();
  MakeRoomForAll();
}

// Starts binding all placed members. Surplus members are requeued as single pods.
void GangCycle::BindAll() {
  parts_.histories.RecordSuccess(*gang_);
  if (gang_->placed() == holding_.size()) parts_.cache.gangs().RecordPlacedHere(*gang_);
  std::shared_ptr<GangBindBarrier> barrier;
  if (missing_ > 0) {
    barrier = std::make_shared<GangBindBarrier>(
        key_, holding_.size(), missing_,
        [&host = parts_.host, key = key_](const std::string& why) { host.OnGangFailure(key, why); },
        [&host = parts_.host, key = key_] { host.OnGangBindingEnd(key); });
    parts_.histories.StartBinding(*gang_);
  }
  std::ranges::move(std::exchange(rejected_, {}), std::back_inserter(failed_));
  for (Holding& holding : std::exchange(holding_, {})) {
    parts_.host.Bind(holding.attempt, std::move(holding.assumption), holding.permit, barrier);
  }
}

// Starts the evictions of all members and nominates all members. They are retried once the victims
// are gone.
void GangCycle::MakeRoomForAll() {
  const std::string waits = "PodGroup " + key_ + " waits for the room that preemption makes";
  PluginIndexSet rejected_by;
  for (const Holding& holding : holding_) rejected_by = rejected_by | holding.rejected_by;
  const size_t first = failed_.size();
  for (const Holding& holding : holding_) {
    const bool makes_room = !holding.makes_room.empty();
    AttemptFailure failure;
    failure.message = makes_room ? holding.makes_room : waits;
    failure.status = Status::Unschedulable(failure.message);
    failure.unschedulable_plugins = rejected_by;
    failure.unschedulable_plugins.Add(holding.attempt->profile->gang_plugin()->index);
    failure.nominated_node = holding.attempt->node.name();
    failure.is_caused_by_other_member = !makes_room;
    failed_.push_back({holding.attempt, std::move(failure)});
  }
  UndoAll();
  parts_.host.OnGangFailure(key_, waits);
  for (EvictionRequest& request : std::exchange(evictions_, {})) {
    parts_.host.Evict(std::move(request));
  }
  for (size_t i = first; i < failed_.size(); ++i) failed_[i].failure.gang = history().turn;
  std::ranges::move(std::exchange(rejected_, {}), std::back_inserter(failed_));
}

// Requeues all members: the rejected ones with their own reasons, the others with these reasons.
void GangCycle::RejectAll() {
  std::string why;
  AttemptFailure of_others;
  for (const Rejected& rejected : rejected_) {
    of_others.unschedulable_plugins = of_others.unschedulable_plugins |
                                      rejected.failure.unschedulable_plugins |
                                      rejected.failure.pending_plugins;
    // A member that waits for its victims keeps its nomination, and so do all members.
    if (rejected.failure.nominating == NominatingMode::kNoop) {
      of_others.nominating = NominatingMode::kNoop;
    }
    if (why.empty()) {
      why = "PodGroup " + key_ + " gets rejected due to Pod " +
            rejected.attempt->queued.pod->name() +
            " is unschedulable even after PostFilter: " + rejected.failure.message;
    }
  }
  if (why.empty()) {
    why = "PodGroup " + key_ + " gets rejected since only " +
          std::to_string(holding_.size() + waiting_.size()) + " of the " +
          std::to_string(missing_) + " pods that it needs can be tried";
  }
  of_others.message = why;
  of_others.status = Status::Unschedulable(why);
  of_others.is_caused_by_other_member = true;

  std::vector<AttemptPtr> others = std::exchange(waiting_, {});
  for (const Holding& holding : holding_) others.push_back(holding.attempt);
  UndoAll();
  evictions_.clear();
  if (missing_ > 0) parts_.host.OnGangFailure(key_, why);
  of_others.gang = history().turn;
  of_others.not_before = parts_.clock.Now() + policy_.backoff;
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    rejected.failure.gang = of_others.gang;
    rejected.failure.not_before = of_others.not_before;
    failed_.push_back(std::move(rejected));
  }
  failed_with_others_ = std::move(others);
  of_others_ = std::move(of_others);
}

// Requeues all members for a new cycle.
void GangCycle::RequeueAll() {
  is_decided_ = true;
  retries_ = true;
  std::vector<AttemptPtr> all = std::exchange(waiting_, {});
  for (const Holding& holding : holding_) all.push_back(holding.attempt);
  for (const Rejected& rejected : std::exchange(rejected_, {})) all.push_back(rejected.attempt);
  UndoAll();
  put_back_.clear();
  evictions_.clear();
  for (const AttemptPtr& attempt : all) failed_.push_back({attempt, RequeuedFailure(*attempt)});
}

void GangCycle::UndoAll() {
  while (!holding_.empty()) holding_.pop_back();
  for (; !victims_.empty(); victims_.pop_back()) {
    parts_.cache.PutBack(std::move(victims_.back()));
  }
}

// Requeues the failed members. Returns false if `deadline` passed before the last one.
bool GangCycle::FailAll(SteadyTime deadline) {
  const size_t all = failed_.size() + failed_with_others_.size();
  while (requeued_ < all) {
    const size_t next = requeued_++;
    if (next < failed_.size()) {
      Requeue(*failed_[next].attempt, std::move(failed_[next].failure));
    } else {
      const Attempt& other = *failed_with_others_[next - failed_.size()];
      AttemptFailure failure = of_others_;
      failure.unschedulable_plugins.Add(other.profile->gang_plugin()->index);
      Requeue(other, std::move(failure));
    }
    if (requeued_ % kRequeuedPerLook == 0 && parts_.clock.Now() >= deadline) break;
  }
  return requeued_ == all;
}

void GangCycle::Requeue(const Attempt& attempt, AttemptFailure failure) {
  parts_.host.Fail(attempt, std::move(failure));
  if (retries_) parts_.host.Retry(attempt.uid());
}

}  // namespace berth::scheduler
