// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "scheduler/attempt/attempt.h"
#include "scheduler/framework/ports.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

// PendingPods is the last state of each unassigned pod of a served scheduler name, by UID. It shows
// whether a pod still needs a node when its attempt ends. Assumed pods stay in it until their
// binding is seen. Owned by the scheduling thread.
using PendingPods = std::unordered_map<std::string, std::shared_ptr<const PendingPod>>;

// FailureHandler handles failed attempts: it requeues the pod if it still needs a node, sets its
// nomination, records an event and updates the PodScheduled condition. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, handleSchedulingFailure.
//
// No event or condition is written for a pod that is gone or has a node by now. Upstream still
// writes the condition, which would set that of a bound pod to False.
class FailureHandler {
 public:
  FailureHandler(const Clock& clock, ApiPort& api, SchedulerObserver& observer,
                 const PendingPods& pending, SchedulingQueue& queue)
      : clock_(clock), api_(api), observer_(observer), pending_(pending), queue_(queue) {}

  // Ends the attempt.
  void Handle(const Attempt& attempt, AttemptFailure failure);

 private:
  void Report(const Attempt& attempt, const PendingPod& pod, const AttemptFailure& failure);

  const Clock& clock_;
  ApiPort& api_;
  SchedulerObserver& observer_;
  const PendingPods& pending_;
  SchedulingQueue& queue_;
};

// Returns the PodScheduled=False condition to write, or nullopt if the pod already has it.
// lastTransitionTime only changes with the status.
std::optional<api::PodCondition> ChangedCondition(const api::Pod& pod, std::string_view reason,
                                                  std::string_view message, Time now);

}  // namespace berth::scheduler
