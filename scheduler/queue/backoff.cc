// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/backoff.h"

#include <algorithm>

#include "base/doubling.h"

namespace berth::scheduler {

SteadyTime WindowOf(SteadyTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

std::chrono::nanoseconds BackoffDuration(int32_t failures, const QueueOptions& options) {
  if (failures <= 0 || options.max_backoff.count() == 0) return std::chrono::nanoseconds(0);
  return Doubled(options.initial_backoff, failures - 1, options.max_backoff);
}

SteadyTime BackoffExpiry(const QueuedPod& pod, const QueueOptions& options) {
  const int32_t failures =
      pod.consecutive_errors > 0 ? pod.consecutive_errors : pod.unschedulable_count;
  SteadyTime expiry = SteadyTime::min();
  if (failures > 0 && options.max_backoff.count() > 0) {
    expiry = WindowOf(pod.timestamp + BackoffDuration(failures, options));
  }
  return pod.not_before > SteadyTime{} ? std::max(expiry, WindowOf(pod.not_before)) : expiry;
}

bool IsBackingOff(SteadyTime expiry, SteadyTime now) { return expiry >= WindowOf(now); }

}  // namespace berth::scheduler
