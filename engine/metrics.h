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

// SchedulerMetrics shows what the scheduler does under kube-scheduler's names, labels and buckets,
// so that dashboards and alerts written for it fit (kube-scheduler
// pkg/scheduler/metrics/metrics.go), and a few of Berth's own with the prefix berth_. The
// observer's methods run on the scheduling thread; a scrape on the server's.
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

  // registry is where all of them are, for parts that have metrics of their own.
  MetricsRegistry& registry() const { return registry_; }

  // Publish shows the scheduler's figures from now on; a row each in the tables of metrics.cc.
  void Publish(const scheduler::SchedulerStatistics& now);
  // Publish shows what waits to be written, and what was dropped.
  void Publish(const ApiWriterStatistics& now);
  enum class Reload : uint8_t { kApplied, kNeedsRestart, kRejected };
  // CountReload counts what became of a configuration.
  void CountReload(Reload result);
  // CountRepair counts an object, by its kind ("pods"), that the checker put right.
  void CountRepair(std::string_view kind);
  // CountStall counts that the scheduling thread was held up, by a plugin if it has a name. Any
  // thread.
  void CountStall(const std::string& plugin, const std::string& extension_point);
  // SetConfig names the configuration that runs, and takes back the one before.
  void SetConfig(const std::string& hash);

 private:
  // Timed is what is counted and timed.
  struct Timed {
    Counter& total;
    Histogram& duration;
  };
  Timed Evictions(const std::string& result);
  Counter& StallsOf(const std::string& plugin, const std::string& extension_point);
  Timed& AttemptOf(scheduler::AttemptResult result, std::string_view profile);

  MetricsRegistry& registry_;
  std::vector<Gauge*> gauges_;      // by row of GaugeRows
  std::vector<Counter*> counters_;  // by row of CounterRows
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
  // Handles by label values; few, and looked up without making strings.
  template <class Handle>
  using ByName = std::map<std::string, Handle, std::less<>>;
  std::map<scheduler::AttemptResult, ByName<Timed>> attempts_;  // by profile
  std::map<scheduler::QueueName, ByName<Counter*>> incoming_;   // by event
  std::map<int32_t, Histogram*> latency_;
  std::map<scheduler::Code, Histogram*> permit_;
  Timed evictions_done_, evictions_failed_;
  std::map<std::pair<std::string, std::string>, Gauge*> rejected_;  // by plugin and profile
};

}  // namespace berth::engine
