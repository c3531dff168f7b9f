// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "engine/api_writer.h"
#include "scheduler/observer.h"

namespace berth::engine {

// SchedulerMetrics exports the scheduler's metrics under kube-scheduler's names, labels and
// buckets, so that existing dashboards and alerts work (kube-scheduler
// pkg/scheduler/metrics/metrics.go), and a few of Berth's own with the prefix berth_. The
// observer's methods run on the scheduling thread, a scrape on the server's.
class SchedulerMetrics final : public scheduler::SchedulerObserver {
 public:
  // Requires: the registry outlives this.
  explicit SchedulerMetrics(MetricsRegistry& registry);

  void OnAttempt(scheduler::AttemptResult result, std::string_view profile, Duration took) override;
  void OnAlgorithm(Duration took) override;
  void OnPodScheduled(int32_t attempts, Duration latency, bool after_flush) override;
  void OnPreemption(size_t victims) override;
  void OnPermitWait(scheduler::Code result, Duration took) override;
  void OnEvictions(bool succeeded, Duration took) override;
  void OnQueueIncoming(scheduler::QueueName queue, std::string_view event) override;

  // The registry, for parts that have their own metrics.
  MetricsRegistry& registry() const { return registry_; }

  // Exports the scheduler's statistics; see the tables in metrics.cc.
  void Publish(const scheduler::SchedulerStatistics& now);
  // Exports the numbers of queued and dropped writes.
  void Publish(const ApiWriterStatistics& now);
  enum class Reload : uint8_t { kApplied, kNeedsRestart, kRejected };
  // Records the length of a turn of the scheduling thread, without its sleep.
  void OnTurn(Duration took);
  // Counts the outcome of a configuration change.
  void CountReload(Reload result);
  // Counts an object, by its kind ("pods"), that the checker corrected.
  void CountRepair(std::string_view kind);
  // Counts a stall of the scheduling thread, by the running plugin if there is one. Any thread.
  void CountStall(const std::string& plugin, const std::string& extension_point);
  // Exports the hash of the running configuration, and resets the previous one.
  void SetConfig(const std::string& hash);

 private:
  // Timed is a counter with a histogram of durations.
  struct Timed {
    Counter& total;
    Histogram& duration;
  };
  // Incoming counts the same moves as pods and as entities.
  struct Incoming {
    Counter& pods;
    Counter& entities;
  };
  Timed Evictions(const std::string& result);
  Counter& StallsOf(const std::string& plugin, const std::string& extension_point);
  Timed& AttemptOf(scheduler::AttemptResult result, std::string_view profile);

  MetricsRegistry& registry_;
  std::vector<Gauge*> gauges_;      // by row of GaugeRows
  std::vector<Counter*> counters_;  // by row of CounterRows
  Histogram& turn_;
  Histogram& algorithm_;
  Histogram& pod_attempts_;
  Counter& after_flush_;
  Counter& preemption_attempts_;
  Histogram& preemption_victims_;
  ByWriteClass<Gauge*> writes_waiting_;
  ByWriteClass<Counter*> writes_dropped_;
  std::map<Reload, Counter*> reloads_;
  std::map<std::string, Counter*, std::less<>> repairs_;  // by kind
  std::string config_hash_;
  // Handles by label values, so that a lookup creates no strings.
  template <class Handle>
  using ByName = std::map<std::string, Handle, std::less<>>;
  std::map<scheduler::AttemptResult, ByName<Timed>> attempts_;  // by profile
  std::map<scheduler::QueueName, ByName<Incoming>> incoming_;   // by event
  std::map<int32_t, Histogram*> latency_;
  std::map<scheduler::Code, Histogram*> permit_;
  Timed evictions_done_, evictions_failed_;
  std::map<std::pair<std::string, std::string>, Gauge*> rejected_;  // by plugin and profile
};

}  // namespace berth::engine
