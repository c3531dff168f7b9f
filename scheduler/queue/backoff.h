// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

// QueueOptions are the settings of a KubeSchedulerConfiguration and of the command line that the
// queue reads.
struct QueueOptions {
  std::chrono::nanoseconds initial_backoff = std::chrono::seconds(1);
  std::chrono::nanoseconds max_backoff = std::chrono::seconds(10);
  std::chrono::nanoseconds max_in_unschedulable = std::chrono::minutes(5);
};

// Backoff is counted in whole seconds of the clock, so that the pods of one second come back
// together, by priority.
inline constexpr std::chrono::seconds kBackoffWindow{1};
SteadyTime WindowOf(SteadyTime time);  // its beginning

// BackoffDuration doubles with each failure in a row: 1, 2, 4, 8, 10, 10 … seconds by default; none
// for 0 failures.
std::chrono::nanoseconds BackoffDuration(int32_t failures, const QueueOptions& options);

// BackoffExpiry is the window in which the pod's backoff ends; the beginning of time when there is
// none. Errors and refusals are counted apart. Source: kube-scheduler
// pkg/scheduler/backend/queue/backoff_queue.go, getBackoffTime.
SteadyTime BackoffExpiry(const QueuedPod& pod, const QueueOptions& options);

// IsBackingOff holds through the whole window of the expiry.
bool IsBackingOff(SteadyTime expiry, SteadyTime now);

}  // namespace berth::scheduler
