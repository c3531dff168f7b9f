// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "scheduler/attempt.h"
#include "scheduler/framework/ports.h"
#include "scheduler/observer.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

// PendingPods is what the API server last said about each unassigned pod of a name we serve, by
// UID: the place to look whether a pod whose attempt ended still wants a node. Pods that are
// assumed are in it too, until their binding is seen. Owned by the scheduling thread.
using PendingPods = std::unordered_map<std::string, std::shared_ptr<const PendingPod>>;

// FailureHandler does what follows on a failed attempt, whatever failed: the pod goes back to the
// queue if it still wants a node, its nomination is set, and users are told by an event and the
// pod's PodScheduled condition. Source: kube-scheduler pkg/scheduler/schedule_one.go,
// handleSchedulingFailure.
//
// A pod that is gone, or has a node by now, is told nothing. Upstream still writes its condition,
// which would turn that of a bound pod to False.
class FailureHandler {
 public:
  FailureHandler(const Clock& clock, ApiPort& api, SchedulerObserver& observer,
                 const PendingPods& pending, SchedulingQueue& queue)
      : clock_(clock), api_(api), observer_(observer), pending_(pending), queue_(queue) {}

  // Handle ends the attempt.
  void Handle(const Attempt& attempt, AttemptFailure failure);

 private:
  void Tell(const Attempt& attempt, const PendingPod& pod, const AttemptFailure& failure);

  const Clock& clock_;
  ApiPort& api_;
  SchedulerObserver& observer_;
  const PendingPods& pending_;
  SchedulingQueue& queue_;
};

// ChangedCondition is the PodScheduled=False condition to write, or nothing when the pod says the
// same already. The time of the transition changes only when the status does.
std::optional<api::PodCondition> ChangedCondition(const api::Pod& pod, std::string_view reason,
                                                  std::string_view message, Time now);

}  // namespace berth::scheduler
