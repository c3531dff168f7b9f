// SPDX-License-Identifier: Apache-2.0
#include "scheduler/failure_handler.h"

#include <algorithm>

#include "api/events.h"
#include "base/log.h"

namespace berth::scheduler {

namespace {

constexpr std::string_view kPodScheduled = "PodScheduled";

}  // namespace

std::optional<api::PodCondition> ChangedCondition(const api::Pod& pod, std::string_view reason,
                                                  std::string_view message, Time now) {
  api::PodCondition wanted;
  wanted.type = kPodScheduled;
  wanted.status = "False";
  wanted.reason = reason;
  wanted.message = message;
  wanted.observed_generation = pod.metadata.generation;
  wanted.last_transition_time = now;
  const auto& conditions = pod.status.conditions;
  const auto current = std::find_if(conditions.begin(), conditions.end(),
                                    [](const auto& c) { return c.type == kPodScheduled; });
  if (current == conditions.end()) return wanted;
  if (current->status == wanted.status) wanted.last_transition_time = current->last_transition_time;
  wanted.last_probe_time = current->last_probe_time;
  if (wanted == *current) return std::nullopt;
  return wanted;
}

void FailureHandler::Handle(const Attempt& attempt, AttemptFailure failure) {
  const bool rejected = failure.status.rejected();
  observer_.OnAttempt(rejected ? AttemptResult::kUnschedulable : AttemptResult::kError,
                      attempt.profile->scheduler_name(), clock_.Now() - attempt.started);

  const auto pending = pending_.find(attempt.uid());
  if (pending == pending_.end()) return queue_.Done(attempt.uid());
  const std::shared_ptr<const PendingPod> pod = pending->second;

  QueuedPod queued = attempt.queued;
  queued.pod = pod;
  queued.unschedulable_plugins = failure.unschedulable_plugins;
  queued.pending_plugins = failure.pending_plugins;
  queued.gating_plugin.reset();
  queued.waits_out_backoff = failure.gang != nullptr;
  if (failure.gang != nullptr) queued.gang = failure.gang;
  queued.not_before = failure.not_before;
  queue_.AddUnschedulableIfNotPresent(std::move(queued));
  queue_.Nominate(pod, failure.nominating == NominatingMode::kOverride
                           ? failure.nominated_node
                           : pod->nominated_node_name());
  if (!failure.message.empty()) Report(attempt, *pod, failure);
}

void FailureHandler::Report(const Attempt& attempt, const PendingPod& pod,
                            const AttemptFailure& failure) {
  const bool rejected = failure.status.rejected();
  log::V(rejected ? 2 : 0)
      .Info("Could not schedule pod", {{"pod", pod.Key()}, {"reason", failure.message}});
  const PodRef ref = PodRef::Of(pod.pod());
  PodStatusPatch patch;
  patch.condition = ChangedCondition(pod.pod(), rejected ? "Unschedulable" : "SchedulerError",
                                     failure.message, clock_.Wall());
  if (patch.condition || !failure.is_caused_by_other_member) {
    api_.RecordEvent(ref.Reference(), {.type = EventType::kWarning,
                                       .reporting_controller = attempt.profile->scheduler_name(),
                                       .reason = "FailedScheduling",
                                       .action = "Scheduling",
                                       .note = api::events::CutNote(failure.message)});
  }

  if (failure.nominating == NominatingMode::kOverride &&
      failure.nominated_node != pod.nominated_node_name()) {
    patch.nominated_node_name = failure.nominated_node;
  }
  if (!patch.condition && !patch.nominated_node_name) return;
  api_.PatchPodStatus(ref, std::move(patch), [key = pod.Key()](const Result<void>& result) {
    if (result || result.error().Is(Reason::kCanceled)) return;
    log::Error("Could not update pod status", {{"pod", key}, {"err", result.error()}});
  });
}

}  // namespace berth::scheduler
