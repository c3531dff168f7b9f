// SPDX-License-Identifier: Apache-2.0
// Decides which events justify another attempt, by the queueing hints of the plugins that rejected
// the pod.
#include <algorithm>
#include <string>

#include "base/log.h"
#include "scheduler/framework/guard.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

namespace {

// A hint that fails requeues the pod: one needless attempt costs less than a pod that is never
// retried.
QueueingHint AskHint(const Profile::Registration& registration, const PendingPod& pod,
                     const ClusterEvent& event, const EventObjects& objects) {
  return internal::Guarded(
      registration.call, [&] { return registration.instance->Hint(pod, event, objects); },
      [&](const std::string& text) {
        log::Error("Queueing hint failed", {{"plugin", registration.plugin},
                                            {"event", event.Label()},
                                            {"pod", pod.Key()},
                                            {"err", text}});
        return QueueingHint::kQueue;
      });
}

}  // namespace

bool SchedulingQueue::IsOfInterest(const ClusterEvent& event) const {
  return std::any_of(profiles_.begin(), profiles_.end(), [&event](const auto& entry) {
    return !entry.second->InterestedIn(event).empty();
  });
}

SchedulingQueue::Strategy SchedulingQueue::WorthRequeueing(const QueuedPod& pod,
                                                           const ClusterEvent& event,
                                                           const EventObjects& objects) const {
  if (pod.rejected_by().empty() || event.IsWildcard()) return Strategy::kAfterBackoff;
  Strategy strategy = Strategy::kSkip;
  for (const Profile::Registration& registration : pod.profile->registrations()) {
    const bool is_pending = pod.pending_plugins.Has(registration.index);
    if (!is_pending && !pod.unschedulable_plugins.Has(registration.index)) continue;
    if (!is_pending && strategy == Strategy::kAfterBackoff) continue;  // cannot improve the result
    if (!registration.event.Matches(event)) continue;
    if (AskHint(registration, *pod.pod, event, objects) == QueueingHint::kSkip) continue;
    if (is_pending) return Strategy::kImmediately;
    strategy = Strategy::kAfterBackoff;
    if (pod.pending_plugins.empty()) return strategy;
  }
  return strategy;
}

SchedulingQueue::Strategy SchedulingQueue::ReplayMissed(const QueuedPod& pod) const {
  Strategy strategy = Strategy::kSkip;
  for (const InFlight::Event* missed : in_flight_.EventsSince(pod.pod->uid())) {
    const Strategy answer = WorthRequeueing(pod, missed->event, missed->objects);
    if (answer == Strategy::kImmediately) return answer;
    if (answer == Strategy::kAfterBackoff) strategy = answer;
  }
  return strategy;
}

}  // namespace berth::scheduler
