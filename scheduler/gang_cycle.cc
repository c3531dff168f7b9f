// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gang_cycle.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "scheduler/gang_watch.h"

namespace berth::scheduler {
namespace {

// PlannedEvictions keeps what a preemption asks for, for later.
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

const Gang* Scheduler::GangToKeep(const Attempt& attempt) const {
  if (attempt.profile->gang_keeper() == nullptr) return nullptr;
  return cache_.GangOf(*attempt.queued.pod);
}

// RecordGangFailure says of the PodGroup what it did not say before.
void Scheduler::RecordGangFailure(const std::string& key, const std::string& why) {
  const Gang* gang = cache_.gangs().Find(key);
  if (gang == nullptr || !cache_.gangs().RecordFailure(*gang, clock_.Now(), why)) return;
  RecordGangEvent(api_, *gang, "FailedScheduling", why);
}

// EndBarrier has those tried that wait for it.
void Scheduler::EndBarrier(const std::string& key) {
  if (const Gang* gang = cache_.gangs().EndBarrier(key)) RetryGang(*gang, {});
}

void Scheduler::GangCycle::Run(const AttemptPtr& first) {
  policy_ = *first->profile->gang_keeper()->plugin->gang_policy();
  PlannedEvictions planned(scheduler_.evictor_);
  const Outcome outcome = scheduler_.FindNode(*first, planned);
  if (MayNotBeTried(*first, outcome)) {
    if (gang_.history().is_binding) scheduler_.cache_.gangs().RecordWaiting(gang_);
    return scheduler_.failures_.Handle(*first, scheduler_.FailureOf(*first, outcome));
  }
  TakeAll(first);
  missing_ = gang_.terms() != nullptr ? gang_.Missing() : waiting_.size();
  if (waiting_.back() == first) {
    waiting_.pop_back();
    Judge(first, outcome, planned.Take());
  } else {
    first->state = CycleState();
  }
  while (!waiting_.empty() && CanBeWhole()) {
    const AttemptPtr next = std::move(waiting_.back());
    waiting_.pop_back();
    Try(next);
  }
  if (!IsWhole()) return RejectAll();
  if (evictions_.empty() && victims_.empty()) return BindAll();
  MakeRoomForAll();
}

// MayNotBeTried holds when the keeper of gangs refused the pod: its PreFilter speaks of the gang.
bool Scheduler::GangCycle::MayNotBeTried(const Attempt& first, const Outcome& outcome) const {
  return outcome.kind == Outcome::Kind::kUnschedulable &&
         outcome.unschedulable_plugins.Has(first.profile->gang_keeper()->index);
}

// TakeAll takes the others out of the queue. Of equal priority the larger ones are tried first, which
// fit on fewer nodes. The order does not depend on what happened to them before: in the same cluster
// the same one is refused, for the same reason, and nothing of that is news.
void Scheduler::GangCycle::TakeAll(const AttemptPtr& first) {
  waiting_.push_back(first);
  const std::string& name = first->profile->scheduler_name();
  gang_.AnyUnplaced([&](const std::string& uid, const std::string& scheduler_name) {
    if (uid != first->uid() && scheduler_name == name) TakeOther(uid);
    return false;
  });
  std::ranges::sort(waiting_, std::greater(), [](const AttemptPtr& each) {
    const PendingPod& pod = *each->queued.pod;
    const Resources& requests = pod.requests();
    int64_t scalars = 0;
    for (const auto& [resource, amount] : requests.scalars) scalars += amount;
    return std::tuple<int64_t, int64_t, int64_t, int64_t, std::string_view>(
        -int64_t{pod.priority()}, -scalars, -requests.milli_cpu, -requests.memory, pod.name());
  });
}

void Scheduler::GangCycle::TakeOther(const std::string& uid) {
  std::optional<QueuedPod> queued = scheduler_.queue_.PopPod(uid);
  if (!queued) return;
  AttemptPtr attempt = scheduler_.NewAttempt(std::move(*queued));
  if (scheduler_.IsToBeSkipped(*attempt)) return scheduler_.queue_.Done(uid);
  waiting_.push_back(std::move(attempt));
}

void Scheduler::GangCycle::Try(const AttemptPtr& attempt) {
  PlannedEvictions planned(scheduler_.evictor_);
  const Outcome outcome = scheduler_.FindNode(*attempt, planned);
  Judge(attempt, outcome, planned.Take());
}

void Scheduler::GangCycle::Judge(const AttemptPtr& attempt, const Outcome& outcome,
                                 std::vector<EvictionRequest> requests) {
  if (outcome.kind == Outcome::Kind::kPlaced) return Hold(attempt, outcome.node, nullptr);
  if (!MakeRoom(attempt, outcome, requests)) {
    AttemptFailure failure = scheduler_.FailureOf(*attempt, outcome);
    failure.nominated_node.clear();
    return rejected_.push_back({attempt, std::move(failure)});
  }
  std::ranges::move(requests, std::back_inserter(evictions_));
}

// MakeRoom takes the victims off their nodes, and holds the place that was chosen. False: no
// preemption helps the pod.
bool Scheduler::GangCycle::MakeRoom(const AttemptPtr& attempt, const Outcome& outcome,
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
      if (scheduler_.cache_.FindPod(victim->uid()) == nullptr) continue;
      victims_.push_back(scheduler_.cache_.SetAside(victim->uid()));
    }
  };
  set_aside(chosen->victims);
  for (const EvictionRequest& request : requests) set_aside(request.victims);
  const size_t held_before = holding_.size();
  Hold(attempt, chosen->node, &outcome);
  if (holding_.size() > held_before) return true;
  for (; victims_.size() > victims_before; victims_.pop_back()) {
    scheduler_.cache_.PutBack(std::move(victims_.back()));
  }
  return true;  // it is among the refused
}

void Scheduler::GangCycle::Hold(const AttemptPtr& attempt, const NodeRef& node,
                                const Outcome* makes_room) {
  const auto reject = [&](const Status& status) {
    rejected_.push_back({attempt, FailureAfterChoice(*attempt, status)});
  };
  auto claim = scheduler_.AssumeAndReserve(attempt, node);
  if (const auto* status = std::get_if<Status>(&claim)) return reject(*status);
  CycleContext cycle = attempt->Cycle(scheduler_.cache_);
  Profile::PermitOutcome permit = attempt->profile->RunPermit(cycle, node);
  if (!permit.status.ok() && permit.status.code != Code::kWait) {
    std::get<Assumption>(claim).Undo();
    return reject(permit.status);
  }
  holding_.push_back({attempt, std::move(std::get<Assumption>(claim)), std::move(permit)});
  if (makes_room == nullptr) return;
  holding_.back().makes_room = FitErrorText(*makes_room);
  holding_.back().rejected_by = makes_room->unschedulable_plugins;
}

// BindAll lets those go on who wait for the gang: it is whole. Others that are more than it needs
// wait for room of their own.
void Scheduler::GangCycle::BindAll() {
  scheduler_.cache_.gangs().RecordSuccess(gang_, holding_.size());
  std::shared_ptr<GangBindBarrier> barrier;
  if (missing_ > 0) {
    barrier = std::make_shared<GangBindBarrier>(
        gang_.Key(), holding_.size(), missing_,
        [&scheduler = scheduler_, key = gang_.Key()](const std::string& why) {
          scheduler.RecordGangFailure(key, why);
        },
        [&scheduler = scheduler_, key = gang_.Key()] { scheduler.EndBarrier(key); });
    scheduler_.cache_.gangs().RecordBinding(gang_);
  }
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    scheduler_.failures_.Handle(*rejected.attempt, std::move(rejected.failure));
  }
  for (Holding& holding : std::exchange(holding_, {})) {
    auto& waits = holding.permit.waits;
    const std::string_view keeper = holding.attempt->profile->gang_keeper()->name;
    std::erase_if(waits, [&](const auto& wait) { return wait.first == keeper; });
    scheduler_.Bind(holding.attempt, std::move(holding.assumption), holding.permit, barrier);
  }
}

// MakeRoomForAll has the victims of all members removed, and nominates all members where they will
// fit. They are tried again when the room is there.
void Scheduler::GangCycle::MakeRoomForAll() {
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
    failure.unschedulable_plugins.Add(holding.attempt->profile->gang_keeper()->index);
    failure.nominated_node = holding.attempt->node.name();
    failure.is_of_another = !makes_room;
    promises.push_back({holding.attempt, std::move(failure)});
  }
  UndoAll();
  scheduler_.RecordGangFailure(gang_.Key(), waits);
  for (EvictionRequest& request : std::exchange(evictions_, {})) {
    scheduler_.observer_.OnPreemption(request.victims.size());
    scheduler_.evictor_.Start(std::move(request));
  }
  for (Promise& promise : promises) {
    promise.failure.gang = gang_.history().turn;
    scheduler_.failures_.Handle(*promise.attempt, std::move(promise.failure));
  }
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    scheduler_.failures_.Handle(*rejected.attempt, std::move(rejected.failure));
  }
}

// RejectAll gives all members back: those that were refused with their reasons, the others with
// these as theirs.
void Scheduler::GangCycle::RejectAll() {
  std::string why;
  AttemptFailure of_others;
  for (const Rejected& rejected : rejected_) {
    of_others.unschedulable_plugins = of_others.unschedulable_plugins |
                                      rejected.failure.unschedulable_plugins |
                                      rejected.failure.pending_plugins;
    // One that waits for victims keeps its node, and so do all.
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
  of_others.is_of_another = true;

  std::vector<AttemptPtr> others = std::exchange(waiting_, {});
  for (const Holding& holding : holding_) others.push_back(holding.attempt);
  UndoAll();
  evictions_.clear();
  if (missing_ > 0) scheduler_.RecordGangFailure(gang_.Key(), why);
  of_others.gang = gang_.history().turn;
  of_others.not_before = scheduler_.clock_.Now() + policy_.backoff;
  for (Rejected& rejected : std::exchange(rejected_, {})) {
    rejected.failure.gang = of_others.gang;
    rejected.failure.not_before = of_others.not_before;
    scheduler_.failures_.Handle(*rejected.attempt, std::move(rejected.failure));
  }
  for (const AttemptPtr& other : others) {
    AttemptFailure failure = of_others;
    failure.unschedulable_plugins.Add(other->profile->gang_keeper()->index);
    scheduler_.failures_.Handle(*other, std::move(failure));
  }
}

void Scheduler::GangCycle::UndoAll() {
  while (!holding_.empty()) holding_.pop_back();
  for (; !victims_.empty(); victims_.pop_back()) {
    scheduler_.cache_.PutBack(std::move(victims_.back()));
  }
}

}  // namespace berth::scheduler
