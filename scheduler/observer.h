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

// SchedulerObserver is notified of the scheduler's work, with the label values of kube-scheduler's
// metrics (kube-scheduler pkg/scheduler/metrics/metrics.go). Called on the scheduling thread; must
// return immediately and must not call the scheduler. Each method does nothing by default.
class SchedulerObserver : public QueueObserver {
 public:
  using Duration = std::chrono::nanoseconds;

  // An attempt ended: bound, rejected or failed. `took` is measured from Pop.
  virtual void OnAttempt(AttemptResult /*result*/, std::string_view /*profile*/,
                         Duration /*took*/) {}
  // The search for a node ended, with any result.
  virtual void OnAlgorithm(Duration /*took*/) {}
  // A pod was bound. `latency` is measured from its first entry into the active queue.
  virtual void OnPodScheduled(int32_t /*attempts*/, Duration /*latency*/, bool /*after_flush*/) {}
  // A plugin attempted preemption; `victims` is the number of pods to remove, or 0.
  virtual void OnPreemption(size_t /*victims*/) {}
  // A pod ended its wait in Permit.
  virtual void OnPermitWait(Code /*result*/, Duration /*took*/) {}

  // All victims of a preemption are terminating, or the preemption failed.
  virtual void OnEvictions(bool /*succeeded*/, Duration /*took*/) {}

  // Returns the trace to record the attempt of this pod in, or null for no trace. It must stay
  // valid until EndTrace.
  virtual CycleTrace* BeginTrace(const PendingPod& /*pod*/) { return nullptr; }
  // The search ended; `node` is the chosen node, or "".
  virtual void EndTrace(const PendingPod& /*pod*/, std::string_view /*node*/) {}
};

// SchedulerStatistics are the values for metrics: gauges, and counters since the scheduler was
// created.
struct SchedulerStatistics {
  // Gauges. Pods include the assumed ones.
  uint64_t active = 0, backoff = 0, unschedulable = 0, gated = 0;
  RejectedPods rejected;
  uint64_t nodes = 0, pods = 0, assumed_pods = 0;
  uint64_t interned_texts = 0;
  uint64_t result_cache_bytes = 0;
  // Counters.
  uint64_t cache_repairs = 0;
  uint64_t results_cached = 0, results_computed = 0;
  uint64_t result_cache_evictions = 0;
  uint64_t failed_scores = 0;  // PluginCounts
};

}  // namespace berth::scheduler
