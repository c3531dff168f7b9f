// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "scheduler/framework/reuse.h"
#include "scheduler/observer.h"

namespace berth::engine {

// PendingCounts are the sizes of the queue's parts, of the cache and of the vocabulary. The
// scheduling thread sets them after each turn; a scrape reads them.
struct PendingCounts {
  std::atomic<size_t> active = 0, backoff = 0, unschedulable = 0, gated = 0;
  std::atomic<size_t> nodes = 0, pods = 0, assumed_pods = 0;
  std::atomic<uint64_t> cache_repairs = 0;
  std::atomic<size_t> interned_texts = 0;
};

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
  void OnPermitWait(scheduler::Code result, Duration took) override;
  void OnQueueIncoming(scheduler::QueueName queue, std::string_view event) override;

  // OnReuse takes how often answers of plugins were kept, as counted from the start on.
  void OnReuse(const scheduler::ReuseStatistics& now);
  // OnReload counts a configuration that was applied or refused.
  void OnReload(bool applied);
  // SetConfig names the configuration that runs, and takes back the one before.
  void SetConfig(const std::string& hash);

  PendingCounts& pending() { return pending_; }

 private:
  struct Attempt {
    Counter& total;
    Histogram& duration;
  };
  Attempt& AttemptOf(scheduler::AttemptResult result, std::string_view profile);

  MetricsRegistry& registry_;
  PendingCounts pending_;
  Histogram& algorithm_;
  Histogram& pod_attempts_;
  Counter& after_flush_;
  Counter& answers_kept_;
  Counter& answers_computed_;
  Counter& reuse_evictions_;
  Gauge& reuse_bytes_;
  scheduler::ReuseStatistics reuse_;  // as counted already
  Counter& reloads_applied_;
  Counter& reloads_refused_;
  std::string config_hash_;
  // Handles by label values; few, and looked up without making strings.
  template <class Handle>
  using ByName = std::map<std::string, Handle, std::less<>>;
  std::map<scheduler::AttemptResult, ByName<Attempt>> attempts_;  // by profile
  std::map<scheduler::QueueName, ByName<Counter*>> incoming_;     // by event
  std::map<int32_t, Histogram*> latency_;
  std::map<scheduler::Code, Histogram*> permit_;
};

}  // namespace berth::engine
