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

void GangCycle::Run(const AttemptPtr& first) {
  const Profile& profile = *first->profile;
  policy_ = profile.gang_plugin()->plugin->gang_policy();
  const Status check =
      profile.RunCheckGang(*first->queued.pod, gang_, history().attempts, parts_.cache);
  if (!check.ok()) return Reject(first, check);
  TakeAll(first);
  missing_ = gang_.terms() != nullptr ? gang_.Missing() : waiting_.size();
  while (!waiting_.empty() && CanBeWhole()) {
    const AttemptPtr next = std::move(waiting_.back());
    waiting_.pop_back();
    Try(next);
  }
  if (!IsWhole()) return RejectAll();
  if (evictions_.empty() && victims_.empty()) return BindAll();
  MakeRoomForAll();
}

// Fails the attempt of the first member; the other members stay in the queue.
void GangCycle::Reject(const AttemptPtr& first, const Status& rejection) {
  PlannedEvictions none(parts_.host.evictions());
  const Outcome outcome = parts_.host.FindNode(*first, none, &rejection, nullptr);
  if (history().attempts.is_binding) parts_.histories.WaitForBinding(gang_);
  parts_.host.Fail(*first, parts_.host.FailureOf(*first, outcome));
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
  gang_.AnyUnplaced([&](const std::string& uid, const std::string& scheduler_name) {
    if (uid == first->uid() || scheduler_name != name) return false;
    parts_.host.IsInBackoff(uid) ? in_backoff.push_back(uid) : TakeOther(uid);
    return false;
  });
  const bool are_enough = gang_.terms() != nullptr && waiting_.size() >= gang_.Missing();
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

void GangCycle::Try(const AttemptPtr& attempt) {
  PlannedEvictions planned(parts_.host.evictions());
  const Outcome outcome = parts_.host.FindNode(*attempt, planned, nullptr, &known_rejections_);
  if (outcome.kind == Outcome::Kind::kPlaced) return Hold(attempt, outcome.node, nullptr);
  std::vector<EvictionRequest> requests = planned.Take();
  if (!MakeRoom(attempt, outcome, requests)) {
    AttemptFailure failure = parts_.host.FailureOf(*attempt, outcome);
    failure.nominated_node.clear();
    return rejected_.push_back({attempt, std::move(failure)});
  }
  std::ranges::move(requests, std::back_inserter(evictions_));
}

// Takes the victims off their nodes and holds the chosen node. Returns false if preemption does not
// help the pod.
bool GangCycle::MakeRoom(const AttemptPtr& attempt, const Outcome& outcome,
                         const std::vector<EvictionRequest>& requests) {
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
  const size_t held_before = holding_.size();
  Hold(attempt, chosen->node, &outcome);
  if (holding_.size() > held_before) return true;
  for (; victims_.size() > victims_before; victims_.pop_back()) {
    parts_.cache.PutBack(std::move(victims_.back()));
  }
  return true;  // Hold rejected it
}

void GangCycle::Hold(const AttemptPtr& attempt, const NodeRef& node, const Outcome* makes_room) {
  const auto reject = [&](const Status& status) {
    rejected_.push_back({attempt, FailureAfterChoice(*attempt, status)});
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
  if (makes_room == nullptr) return;
  holding_.back().makes_room = FitErrorText(*makes_room);
  holding_.back().rejected_by = makes_room->unschedulable_plugins;
}

// Starts binding all placed members. Surplus members are requeued as single pods.
void GangCycle::BindAll() {
  parts_.histories.RecordSuccess(gang_);
  if (gang_.placed() == holding_.size()) parts_.cache.gangs().RecordPlacedHere(gang_);
  std::shared_ptr<GangBindBarrier> barrier;
  if (missing_ > 0) {
    barrier = std::make_shared<GangBindBarrier>(
        gang_.Key(), holding_.size(), missing_,
        [&host = parts_.host, key = gang_.Key()](const std::string& why) {
          host.OnGangFailure(key, why);
        },
        [&host = parts_.host, key = gang_.Key()] { host.OnGangBindingEnd(key); });
    parts_.histories.StartBinding(gang_);
  }
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    parts_.host.Fail(*rejected.attempt, std::move(rejected.failure));
  }
  for (Holding& holding : std::exchange(holding_, {})) {
    parts_.host.Bind(holding.attempt, std::move(holding.assumption), holding.permit, barrier);
  }
}

// Starts the evictions of all members and nominates all members. They are retried once the victims
// are gone.
void GangCycle::MakeRoomForAll() {
  struct Promise {
    AttemptPtr attempt;
    AttemptFailure failure;
  };
  const std::string waits = "PodGroup " + gang_.Key() + " waits for the room that preemption makes";
  PluginIndexSet rejected_by;
  for (const Holding& holding : holding_) rejected_by = rejected_by | holding.rejected_by;
  std::vector<Promise> promises;
  for (const Holding& holding : holding_) {
    const bool makes_room = !holding.makes_room.empty();
    AttemptFailure failure;
    failure.message = makes_room ? holding.makes_room : waits;
    failure.status = Status::Unschedulable(failure.message);
    failure.unschedulable_plugins = rejected_by;
    failure.unschedulable_plugins.Add(holding.attempt->profile->gang_plugin()->index);
    failure.nominated_node = holding.attempt->node.name();
    failure.is_caused_by_other_member = !makes_room;
    promises.push_back({holding.attempt, std::move(failure)});
  }
  UndoAll();
  parts_.host.OnGangFailure(gang_.Key(), waits);
  for (EvictionRequest& request : std::exchange(evictions_, {})) {
    parts_.host.Evict(std::move(request));
  }
  const std::shared_ptr<const GangTurn> turn = history().turn;
  for (Promise& promise : promises) {
    promise.failure.gang = turn;
    parts_.host.Fail(*promise.attempt, std::move(promise.failure));
  }
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    parts_.host.Fail(*rejected.attempt, std::move(rejected.failure));
  }
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
      why = "PodGroup " + gang_.Key() + " gets rejected due to Pod " +
            rejected.attempt->queued.pod->name() +
            " is unschedulable even after PostFilter: " + rejected.failure.message;
    }
  }
  if (why.empty()) {
    why = "PodGroup " + gang_.Key() + " gets rejected since only " +
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
  if (missing_ > 0) parts_.host.OnGangFailure(gang_.Key(), why);
  of_others.gang = history().turn;
  of_others.not_before = parts_.clock.Now() + policy_.backoff;
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    rejected.failure.gang = of_others.gang;
    rejected.failure.not_before = of_others.not_before;
    parts_.host.Fail(*rejected.attempt, std::move(rejected.failure));
  }
  for (const AttemptPtr& other : others) {
    AttemptFailure failure = of_others;
    failure.unschedulable_plugins.Add(other->profile->gang_plugin()->index);
    parts_.host.Fail(*other, std::move(failure));
  }
}

void GangCycle::UndoAll() {
  while (!holding_.empty()) holding_.pop_back();
  for (; !victims_.empty(); victims_.pop_back()) {
    parts_.cache.PutBack(std::move(victims_.back()));
  }
}

}  // namespace berth::scheduler
