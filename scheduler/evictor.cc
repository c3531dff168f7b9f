// SPDX-License-Identifier: Apache-2.0
#include "scheduler/evictor.h"

#include <algorithm>
#include <utility>

#include "api/events.h"
#include "base/check.h"
#include "base/log.h"

namespace berth::scheduler {

namespace {

constexpr std::string_view kPlugin = "DefaultPreemption";

// Returns the condition that gives the victim the reason of its deletion.
api::PodCondition DisruptionTarget(const PodInfo& victim, const EvictionRequest& request,
                                   Time now) {
  api::PodCondition condition;
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "PreemptionByScheduler";
  condition.message = request.scheduler_name + ": preempting to accommodate a higher priority pod" +
                      (request.pod_group.empty() ? "" : "group");
  condition.observed_generation = victim.generation();
  condition.last_transition_time = now;
  return condition;
}

// kube-scheduler has no node in the event of a victim of a PodGroup.
std::string PreemptorOf(const EvictionRequest& request) {
  if (!request.pod_group.empty()) return "podgroup " + request.pod_group + " on node cluster";
  return "pod " + request.preemptor->uid() + " on node " + request.node.name();
}

}  // namespace

void Evictor::Start(EvictionRequest request) {
  owner_.AssertHeld();
  BERTH_CHECK(!request.victims.empty(), "an eviction needs at least one victim");
  const std::string uid = request.preemptor->uid();
  const auto eviction = std::make_shared<Eviction>(
      Eviction{.request = std::move(request), .began = parts_.clock.Now()});
  evictions_[uid] = eviction;
  begun_.push_back(eviction);
}

bool Evictor::IsPreempting(const std::string& uid) const {
  const auto found = evictions_.find(uid);
  if (found == evictions_.end()) return false;
  const Eviction& eviction = *found->second;
  return !eviction.at_last || !IsTerminating(eviction.request.victims.back()->uid());
}

void Evictor::OnGone(const std::string& uid) {
  const auto [first, last] = held_back_by_.equal_range(uid);
  for (auto each = first; each != last; ++each) parts_.queue.RerunPreEnqueue(each->second);
}

void Evictor::Proceed() {
  owner_.AssertHeld();
  for (const EvictionPtr& eviction : std::exchange(begun_, {})) Begin(eviction);
}

void Evictor::Begin(const EvictionPtr& eviction) {
  const EvictionRequest& request = eviction->request;
  log::V(2).Info("Preempting pods", {{"pod", request.preemptor->Key()},
                                     {"node", request.node.name()},
                                     {"victims", request.victims.size()}});
  ClearNominations(*eviction);
  TakeMore(eviction);
}

// Pods of lower priority that are nominated to the node may no longer fit beside the preemptor.
// Clearing their nomination lets them choose another node now instead of after a failure. Members
// of the preemptor's gang still fit: they were nominated together. Source: executor.go,
// clearNominatedNodeName; there the nominator follows when the patch arrives as an event.
void Evictor::ClearNominations(const Eviction& eviction) {
  const EvictionRequest& request = eviction.request;
  const Gang* gang = parts_.cache.GangOf(*request.preemptor);
  const Nominations::Pods nominated = parts_.queue.nominator().On(request.node.name());
  for (const auto& pod : nominated) {
    if (pod->priority() >= request.preemptor->priority()) continue;
    if (gang != nullptr && parts_.cache.GangOf(*pod) == gang) continue;
    ClearNomination(*pod);
  }
}

void Evictor::ClearNomination(const PendingPod& pod) {
  parts_.queue.ReleaseNomination(pod.uid());
  PodStatusPatch patch;
  patch.nominated_node_name = "";
  parts_.api.PatchPodStatus(
      PodRef::Of(pod), std::move(patch), [key = pod.Key()](const Result<void>& result) {
        if (result || result.error().Is(Reason::kCanceled)) return;
        log::Warn("Could not clear the nominated node", {{"pod", key}, {"err", result.error()}});
      });
}

// Removes the next victims. With budgets that is one victim, so that a rejection by a budget comes
// after as few evictions as possible.
void Evictor::TakeMore(const EvictionPtr& eviction) {
  const std::vector<PodPtr>& victims = eviction->request.victims;
  const size_t last = victims.size() - 1;
  const size_t first = eviction->next;
  eviction->at_last = first == last;
  if (eviction->at_last) {
    held_back_by_.emplace(victims[last]->uid(), eviction->request.preemptor->uid());
  }
  eviction->next = eviction->at_last || eviction->request.respect_budgets ? first + 1 : last;
  eviction->awaited = eviction->next - first;
  for (size_t i = first, end = eviction->next; i < end; ++i) Take(eviction, victims[i]);
}

void Evictor::Take(const EvictionPtr& eviction, const PodPtr& victim) {
  if (!ShouldContinue(*eviction) || IsTerminating(victim->uid())) return RecordDone(eviction);
  if (StopBinding(victim->uid())) {
    ++eviction->taken;
    eviction->last_in_memory = eviction->at_last;
    RecordPreempted(*eviction, *victim, " (in kube-scheduler memory).");
    return RecordDone(eviction);
  }
  const PodRef ref = PodRef::Of(*victim);
  if (eviction->request.respect_budgets) {
    return parts_.api.EvictPod(ref, [this, eviction, victim](const Result<void>& result) {
      OnAnswer(eviction, victim, result);
    });
  }
  parts_.api.MarkVictim(ref, DisruptionTarget(*victim, eviction->request, parts_.clock.Wall()),
                        [this, eviction, victim](const Result<void>& result) {
                          if (!result) return OnAnswer(eviction, victim, result);
                          Delete(eviction, victim);
                        });
}

void Evictor::Delete(const EvictionPtr& eviction, const PodPtr& victim) {
  if (!ShouldContinue(*eviction)) return RecordDone(eviction);
  parts_.api.DeletePod(PodRef::Of(*victim), [this, eviction, victim](const Result<void>& result) {
    OnAnswer(eviction, victim, result);
  });
}

// Cancels the placement of a pod without a call to the API server, if it is not bound yet.
bool Evictor::StopBinding(const std::string& uid) {
  return parts_.waiting.Preempt(uid, kPlugin, "preempted") ||
         parts_.bindings.CancelPreBind(uid, "preempted by " + std::string(kPlugin));
}

void Evictor::OnAnswer(const EvictionPtr& eviction, const PodPtr& victim,
                       const Result<void>& result) {
  if (result) {
    ++eviction->taken;
    RecordPreempted(*eviction, *victim, "");
  } else if (const Error& error = result.error();
             !error.Is(Reason::kNotFound) && !IsTerminating(victim->uid())) {
    eviction->failed = true;
    const bool is_rejection =
        eviction->request.respect_budgets && error.Is(Reason::kTooManyRequests);
    if (is_rejection) {
      eviction->rejection = "Cannot evict " + victim->Key() + ": " + error.message();
    } else if (!error.Is(Reason::kCanceled)) {
      log::Error(
          "Could not remove a victim",
          {{"victim", victim->Key()}, {"pod", eviction->request.preemptor->Key()}, {"err", error}});
    }
  }
  RecordDone(eviction);
}

// Records that a victim needs no further calls.
void Evictor::RecordDone(const EvictionPtr& eviction) {
  if (--eviction->awaited > 0) return;
  if (eviction->at_last || !ShouldContinue(*eviction)) return Finish(eviction);
  TakeMore(eviction);
}

void Evictor::Finish(const EvictionPtr& eviction) {
  const std::string& uid = eviction->request.preemptor->uid();
  const auto [first, last] = held_back_by_.equal_range(eviction->request.victims.back()->uid());
  const auto held =
      std::find_if(first, last, [&uid](const auto& each) { return each.second == uid; });
  if (held != last) held_back_by_.erase(held);
  const auto newest = evictions_.find(uid);
  if (newest != evictions_.end() && newest->second == eviction) evictions_.erase(newest);
  parts_.observer.OnEvictions(!eviction->failed, parts_.clock.Now() - eviction->began);

  if (!parts_.pending.contains(uid)) return;
  if (!eviction->rejection.empty()) ReleaseNode(*eviction);
  if (eviction->failed) return parts_.queue.RetryAfterError(uid);
  if (eviction->last_in_memory && IsGone(*eviction->request.victims.back())) {
    return parts_.queue.Activate({uid});
  }
  // With all victims gone, no event will requeue a pod that was gated when the last event arrived.
  const auto& victims = eviction->request.victims;
  const bool all_victims_gone =
      std::ranges::all_of(victims, [this](const PodPtr& victim) { return IsGone(*victim); });
  if (all_victims_gone) return parts_.queue.Retry(uid);
  parts_.queue.RerunPreEnqueue(uid);
}

// Clears the nomination of a node on which a budget rejected an eviction.
void Evictor::ReleaseNode(const Eviction& eviction) {
  const EvictionRequest& request = eviction.request;
  const PendingPod& preemptor = *parts_.pending.at(request.preemptor->uid());
  std::string note = eviction.rejection + " (" + std::to_string(eviction.taken) + " of " +
                     std::to_string(request.victims.size()) + " victims on node " +
                     request.node.name() + " were evicted)";
  log::V(2).Info("A disruption budget rejected the preemption",
                 {{"pod", preemptor.Key()}, {"reason", note}});
  ClearNomination(preemptor);
  parts_.api.RecordEvent(PodRef::Of(preemptor).Reference(),
                         {.type = EventType::kWarning,
                          .reporting_controller = request.scheduler_name,
                          .reason = "PreemptionRefused",
                          .action = "Preempting",
                          .note = api::events::CutNote(std::move(note))});
}

// Reports whether further victims are to be removed: no after a failure, and no if the preemptor is
// gone, terminating or has a node.
bool Evictor::ShouldContinue(const Eviction& eviction) const {
  if (eviction.failed) return false;
  const auto preemptor = parts_.pending.find(eviction.request.preemptor->uid());
  return preemptor != parts_.pending.end() && !preemptor->second->terminating();
}

bool Evictor::IsGone(const PodInfo& pod) const {
  return parts_.cache.FindPod(pod.uid()) == nullptr;
}

bool Evictor::IsTerminating(const std::string& uid) const {
  const auto pod = parts_.cache.FindPod(uid);
  return pod == nullptr || pod->terminating();
}

void Evictor::RecordPreempted(const Eviction& eviction, const PodInfo& victim,
                              std::string_view how) {
  const EvictionRequest& request = eviction.request;
  log::V(2).Info(
      "Preempted pod",
      {{"victim", victim.Key()}, {"pod", request.preemptor->Key()}, {"node", request.node.name()}});
  parts_.api.RecordEvent(PodRef::Of(victim).Reference(),
                         {.type = EventType::kNormal,
                          .reporting_controller = request.scheduler_name,
                          .reason = "Preempted",
                          .action = "Preempting",
                          .note = "Preempted by " + PreemptorOf(request) + std::string(how)});
}

}  // namespace berth::scheduler
