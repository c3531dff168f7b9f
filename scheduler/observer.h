// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scheduler/framework/status.h"
#include "scheduler/framework/trace.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

enum class AttemptResult : uint8_t { kScheduled, kUnschedulable, kError };
constexpr std::string_view ToString(AttemptResult result) {
  constexpr std::string_view kNames[] = {"scheduled", "unschedulable", "error"};
  return kNames[static_cast<size_t>(result)];
}

// SchedulerObserver hears of what the scheduler does, with the label values of kube-scheduler's
// metrics (kube-scheduler pkg/scheduler/metrics/metrics.go). Called on the scheduling thread; must
// return at once and not call back. Each method does nothing unless overridden.
class SchedulerObserver : public QueueObserver {
 public:
  using Duration = std::chrono::nanoseconds;

  // An attempt ended: bound, or refused, or failed. `took` runs from Pop.
  virtual void OnAttempt(AttemptResult /*result*/, std::string_view /*profile*/,
                         Duration /*took*/) {}
  // The search for a node ended, with whatever result.
  virtual void OnAlgorithm(Duration /*took*/) {}
  // A pod was bound. `latency` runs from its first entry to the active queue.
  virtual void OnPodScheduled(int32_t /*attempts*/, Duration /*latency*/, bool /*after_flush*/) {}
  // A plugin looked for pods to take away for another's sake; so many have to go, 0 for none.
  virtual void OnPreemption(size_t /*victims*/) {}
  // A pod that waited in Permit waits no longer.
  virtual void OnPermitWait(Code /*result*/, Duration /*took*/) {}

  // The victims of a preemption are on their way, or that failed.
  virtual void OnEvictions(bool /*succeeded*/, Duration /*took*/) {}

  // BeginTrace gives where to record the attempt that begins for this pod; null for no trace. It
  // must stay valid until EndTrace.
  virtual CycleTrace* BeginTrace(const PendingPod& /*pod*/) { return nullptr; }
  // EndTrace comes when the search ended, with the node it chose, or none.
  virtual void EndTrace(const PendingPod& /*pod*/, std::string_view /*node*/) {}
};

// SchedulerStatistics are the figures that metrics show: what is held now, and what was counted
// since the scheduler was made.
struct SchedulerStatistics {
  // Held: pods in the parts of the queue, and what the cache has; pods with the assumed ones.
  uint64_t active = 0, backoff = 0, unschedulable = 0, gated = 0;
  RejectedPods rejected;
  uint64_t nodes = 0, pods = 0, assumed_pods = 0;
  uint64_t interned_texts = 0;
  uint64_t result_cache_bytes = 0;
  // Counted.
  uint64_t cache_repairs = 0;
  uint64_t results_cached = 0, results_computed = 0;
  uint64_t result_cache_evictions = 0;
  uint64_t failed_scores = 0;  // PluginCounts
};

}  // namespace berth::scheduler
