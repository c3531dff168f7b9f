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

// Reports whether some placed pod has a lower priority.
bool HasPodsBelow(int32_t priority, const Snapshot& snapshot) {
  return std::ranges::any_of(snapshot.Order(), [&](Slot slot) {
    return snapshot.At(slot).lowest_priority.value < priority;
  });
}

// Returns a new attempt for a member, in its newest state.
std::shared_ptr<Attempt> Again(const Attempt& attempt, std::shared_ptr<const PendingPod> pod) {
  auto again = std::make_shared<Attempt>();
  again->profile = attempt.profile;
  again->queued = attempt.queued;
  again->queued.pod = std::move(pod);
  return again;
}

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

}  // namespace

// Returns the failure of an attempt that ends without a decision. Nothing is written about it. The
// gang's plugin counts as the one that rejected it, so it is no error.
AttemptFailure GangCycle::RequeuedFailure(const Attempt& attempt) const {
  AttemptFailure failure;
  failure.status = Status::Unschedulable("the attempt of its gang was given up");
  failure.unschedulable_plugins.Add(plugin_.index);
  failure.nominating = NominatingMode::kNoop;
  failure.gang = attempt.queued.gang;
  return failure;
}

void GangCycle::Start(const AttemptPtr& first) {
  const Profile& profile = *first->profile;
  const Status check =
      profile.RunCheckGang(*first->queued.pod, *gang_, history().attempts, parts_.cache);
  if (!check.ok()) return Reject(first, check);
  preempts_ = !plugin_.plugin->gang_policy().preempts_last;
  can_make_room_ = profile.HasPostFilter();
  preemptor_ = first->queued.pod;
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
  const Outcome outcome = parts_.host.FindNode(
      *first, plugin_.plugin->gang_policy().preempts_last ? nullptr : &none, &rejection, nullptr);
  const bool is_on_group = gang_->native() != nullptr && !history().attempts.is_binding;
  if (!rejection.rejected() || is_on_group) parts_.host.OnGangFailure(key_, rejection);
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
  Sort();
}

void GangCycle::Sort() {
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
  const Outcome outcome = parts_.host.FindNode(*attempt, preempts_ ? &planned : nullptr, nullptr,
                                               goes_on ? &known_rejections_ : nullptr);
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
    waiting_.push_back(Again(*attempt, std::move(pod)));
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
  IncompleteAttempt result = Result();
  if (!IsWhole()) {
    if (!preempts_) {
      const std::optional<GangPreemption> why_not = WhyNoPreemption();
      if (!why_not) return BeginPreemption(std::move(result));
      result.preemption = *why_not;
    } else if (first_pass_) {
      result = EndPreemption(result.counts);
    }
    is_decided_ = true;
    return RejectAll(result);
  }
  is_decided_ = true;
  if (evictions_.empty() && victims_.empty()) return BindAll();
  result.victims = victims_.size();
  MakeRoomForAll(std::move(result));
}

// Returns the result so far.
IncompleteAttempt GangCycle::Result() const {
  IncompleteAttempt result{
      .missing = missing_,
      .counts = {
          .fitting = holding_.size(), .remaining = waiting_.size(), .placed = gang_->placed()}};
  if (!rejected_.empty()) {
    result.pod = rejected_.front().attempt->queued.pod->name();
    result.why = rejected_.front().failure.message;
  }
  return result;
}

// Returns the reason why the members may not preempt after the first pass, or nullopt.
std::optional<GangPreemption> GangCycle::WhyNoPreemption() const {
  const size_t members = waiting_.size() + holding_.size() + rejected_.size();
  if (!can_make_room_ || members < missing_) return GangPreemption::kNone;
  if (preemptor_->pod().spec.preemption_policy == "Never") return GangPreemption::kForbidden;
  if (!HasPodsBelow(preemptor_->priority(), parts_.cache)) return GangPreemption::kNoVictims;
  return std::nullopt;
}

// Tries all members again, with preemption.
void GangCycle::BeginPreemption(IncompleteAttempt result) {
  first_pass_ = FirstPass{.result = std::move(result)};
  for (const AttemptPtr& attempt : waiting_) first_pass_->untried.insert(attempt->uid());
  for (Rejected& rejected : rejected_) {
    first_pass_->failures.emplace(rejected.attempt->uid(), std::move(rejected.failure));
  }
  const std::vector<AttemptPtr> all = ReleaseMembers();
  known_rejections_.Clear();
  for (const AttemptPtr& attempt : all) waiting_.push_back(Again(*attempt, attempt->queued.pod));
  Sort();
  preempts_ = true;
}

// Returns the result of the first pass with that of the preemption, and gives the members the
// failures that they had in the first pass. A member that waits for its victims keeps its
// nomination.
IncompleteAttempt GangCycle::EndPreemption(const IncompleteAttempt::Counts& with_preemption) {
  IncompleteAttempt result = std::move(first_pass_->result);
  result.preemption = GangPreemption::kNotEnough;
  result.with_preemption = with_preemption;
  NominatingMode nominating = NominatingMode::kOverride;
  for (const Rejected& rejected : rejected_) {
    if (rejected.failure.nominating != NominatingMode::kNoop) continue;
    result.preemption = GangPreemption::kUnderWay;
    nominating = NominatingMode::kNoop;
  }
  for (AttemptPtr& attempt : ReleaseMembers()) {
    const auto failure = first_pass_->failures.find(attempt->uid());
    if (failure == first_pass_->failures.end()) {
      const bool was_tried = !first_pass_->untried.contains(attempt->uid());
      (was_tried ? fitting_ : waiting_).push_back(std::move(attempt));
    } else {
      failure->second.nominating = nominating;
      rejected_.push_back({std::move(attempt), std::move(failure->second)});
    }
  }
  return result;
}

// Starts binding all placed members. Surplus members are requeued as single pods.
void GangCycle::BindAll() {
  parts_.histories.RecordSuccess(*gang_);
  if (gang_->placed() == holding_.size()) parts_.cache.gangs().RecordPlacedHere(*gang_);
  std::shared_ptr<GangBindBarrier> barrier;
  if (missing_ > 0) {
    barrier = std::make_shared<GangBindBarrier>(
        gang_->PodGroupName(), plugin_.name, holding_.size(), missing_,
        [&host = parts_.host, key = key_](const std::string& why) {
          host.OnGangFailure(key, Status::Unschedulable(why));
        },
        [&host = parts_.host, key = key_](bool binds) { host.OnGangBindingEnd(key, binds); });
    parts_.histories.StartBinding(*gang_);
  } else {
    parts_.host.OnGangBindingEnd(key_, true);
  }
  // They may preempt when they are tried without the others.
  if (!rejected_.empty() && !preempts_) retries_ = true;
  std::ranges::move(std::exchange(rejected_, {}), std::back_inserter(failed_));
  for (Holding& holding : std::exchange(holding_, {})) {
    parts_.host.Bind(holding.attempt, std::move(holding.assumption), holding.permit, barrier);
  }
}

// Returns the reason why a member that is held fits only after preemption; empty: it fits.
std::string GangCycle::OwnReason(const Holding& holding) const {
  if (!first_pass_) return holding.makes_room;
  const auto failure = first_pass_->failures.find(holding.attempt->uid());
  return failure == first_pass_->failures.end() ? "" : failure->second.message;
}

// Starts the evictions of all members and nominates all members. They are retried once the victims
// are gone.
void GangCycle::MakeRoomForAll(IncompleteAttempt result) {
  if (first_pass_) {
    const size_t victims = result.victims;
    result = first_pass_->result;
    result.preemption = GangPreemption::kFound;
    result.victims = victims;
  }
  const GangRejection waits = plugin_.plugin->WhyIncomplete(*gang_, result);
  PluginIndexSet rejected_by;
  for (const Holding& holding : holding_) rejected_by = rejected_by | holding.rejected_by;
  const size_t first = failed_.size();
  for (const Holding& holding : holding_) {
    const std::string own_reason = OwnReason(holding);
    const bool was_tried = !first_pass_ || !first_pass_->untried.contains(holding.attempt->uid());
    AttemptFailure failure;
    failure.message = !own_reason.empty() ? own_reason
                      : was_tried         ? waits.of_fitting
                                          : waits.of_untried;
    failure.status = Status::Unschedulable(failure.message);
    failure.unschedulable_plugins = rejected_by;
    failure.unschedulable_plugins.Add(plugin_.index);
    failure.nominated_node = holding.attempt->node.name();
    failure.is_caused_by_other_member = own_reason.empty();
    failed_.push_back({holding.attempt, std::move(failure)});
  }
  UndoAll();
  parts_.host.OnGangFailure(key_, Status::Unschedulable(waits.of_group));
  for (EvictionRequest& request : std::exchange(evictions_, {})) {
    if (first_pass_) request.pod_group = gang_->terms()->uid;
    parts_.host.Evict(std::move(request));
  }
  for (size_t i = first; i < failed_.size(); ++i) failed_[i].failure.gang = history().turn;
  std::ranges::move(std::exchange(rejected_, {}), std::back_inserter(failed_));
}

// Requeues all members: the rejected ones with their own reasons, the others with these reasons.
void GangCycle::RejectAll(const IncompleteAttempt& result) {
  AttemptFailure of_others;
  for (const Rejected& rejected : rejected_) {
    of_others.unschedulable_plugins = of_others.unschedulable_plugins |
                                      rejected.failure.unschedulable_plugins |
                                      rejected.failure.pending_plugins;
    // A member that waits for its victims keeps its nomination, and so do all members.
    if (rejected.failure.nominating == NominatingMode::kNoop) {
      of_others.nominating = NominatingMode::kNoop;
    }
  }
  of_others.unschedulable_plugins.Add(plugin_.index);
  of_others.is_caused_by_other_member = true;
  for (const Holding& holding : holding_) fitting_.push_back(holding.attempt);
  UndoAll();
  evictions_.clear();
  const GangRejection why = plugin_.plugin->WhyIncomplete(*gang_, result);
  if (missing_ > 0) parts_.host.OnGangFailure(key_, Status::Unschedulable(why.of_group));
  of_others.gang = history().turn;
  of_others.not_before = parts_.clock.Now() + plugin_.plugin->gang_policy().backoff;
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    rejected.failure.gang = of_others.gang;
    rejected.failure.not_before = of_others.not_before;
    failed_.push_back(std::move(rejected));
  }
  const auto with = [&of_others](const std::string& text) {
    AttemptFailure failure = of_others;
    failure.message = text;
    failure.status = Status::Unschedulable(text);
    return failure;
  };
  alike_ = {Alike{std::exchange(fitting_, {}), with(why.of_fitting)},
            Alike{std::exchange(waiting_, {}), with(why.of_untried)}};
}

// Requeues all members for a new cycle.
void GangCycle::RequeueAll() {
  is_decided_ = true;
  retries_ = true;
  const std::vector<AttemptPtr> all = ReleaseMembers();
  put_back_.clear();
  evictions_.clear();
  for (const AttemptPtr& attempt : all) failed_.push_back({attempt, RequeuedFailure(*attempt)});
}

// Undoes all, and returns all members in the cycle: not tried, held, rejected.
std::vector<GangCycle::AttemptPtr> GangCycle::ReleaseMembers() {
  std::vector<AttemptPtr> all = std::exchange(waiting_, {});
  for (const Holding& holding : holding_) all.push_back(holding.attempt);
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    all.push_back(std::move(rejected.attempt));
  }
  UndoAll();
  return all;
}

void GangCycle::UndoAll() {
  while (!holding_.empty()) holding_.pop_back();
  for (; !victims_.empty(); victims_.pop_back()) {
    parts_.cache.PutBack(std::move(victims_.back()));
  }
}

// Requeues the failed members. Returns false if `deadline` passed before the last one.
bool GangCycle::FailAll(SteadyTime deadline) {
  const size_t own = failed_.size();
  const size_t fitting = alike_.front().attempts.size();
  const size_t all = own + fitting + alike_.back().attempts.size();
  while (requeued_ < all) {
    const size_t next = requeued_++;
    if (next < own) {
      Requeue(*failed_[next].attempt, std::move(failed_[next].failure));
    } else if (next < own + fitting) {
      Requeue(*alike_.front().attempts[next - own], alike_.front().failure);
    } else {
      Requeue(*alike_.back().attempts[next - own - fitting], alike_.back().failure);
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
