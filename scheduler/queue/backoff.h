// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

// QueueOptions are the queue settings of a KubeSchedulerConfiguration and of the command line.
struct QueueOptions {
  std::chrono::nanoseconds initial_backoff = std::chrono::seconds(1);
  std::chrono::nanoseconds max_backoff = std::chrono::seconds(10);
  std::chrono::nanoseconds max_in_unschedulable = std::chrono::minutes(5);
};

// Backoff ends on whole seconds of the clock, so pods of the same second leave it together, ordered
// by priority.
inline constexpr std::chrono::seconds kBackoffWindow{1};
SteadyTime WindowOf(SteadyTime time);  // start of the window

// Returns the backoff, which doubles with each consecutive failure: 1, 2, 4, 8, 10, 10 … seconds by
// default; zero for 0 failures.
std::chrono::nanoseconds BackoffDuration(int32_t failures, const QueueOptions& options);

// Returns the window in which the pod's backoff ends; SteadyTime::min() without backoff. Errors and
// rejections are counted separately. Source: kube-scheduler
// pkg/scheduler/backend/queue/backoff_queue.go, getBackoffTime.
SteadyTime BackoffExpiry(const QueuedPod& pod, const QueueOptions& options);

// Reports whether the window of the expiry has not passed yet.
bool IsBackingOff(SteadyTime expiry, SteadyTime now);

}  // namespace berth::scheduler
