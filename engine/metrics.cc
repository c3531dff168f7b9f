// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics.h"

#include <algorithm>

namespace berth::engine {
namespace {

// Attempts from this number on share one label value, "15+".
constexpr int32_t kMaxAttemptsLabel = 15;

double Seconds(scheduler::SchedulerObserver::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

const std::vector<double>& MillisecondBuckets() {
  static const std::vector<double> kBuckets = ExponentialBuckets(0.001, 2, 15);
  return kBuckets;
}

// Raises a counter to a number that is counted elsewhere.
void CountUpTo(Counter& counter, uint64_t figure) {
  counter.Increment(static_cast<double>(figure) - counter.Value());
}

using Figures = scheduler::SchedulerStatistics;

std::string_view ToString(SchedulerMetrics::Reload result) {
  switch (result) {
    case SchedulerMetrics::Reload::kApplied:
      return "applied";
    case SchedulerMetrics::Reload::kNeedsRestart:
      return "needs_restart";
    case SchedulerMetrics::Reload::kRejected:
      return "refused";
  }
  return "";
}

// Row is a metric with one of the scheduler's statistics.
struct Row {
  const char* name;
  const char* help;
  MetricLabels labels;
  uint64_t Figures::*figure;
};

constexpr char kPending[] = "scheduler_pending_pods";
constexpr char kPendingHelp[] = "Number of pending pods, by the queue type.";
constexpr char kQueued[] = "scheduler_queued_entities";
constexpr char kQueuedHelp[] =
    "Number of queued scheduling entities by the queue type. Each is a pod, also in a gang.";
constexpr char kCache[] = "scheduler_cache_size";
constexpr char kCacheHelp[] = "Number of nodes, pods, and assumed pods in the scheduler cache.";
constexpr char kRepairs[] = "berth_cache_repairs";
constexpr char kRepairsHelp[] = "Events that contradicted the cache, which was then corrected.";
constexpr char kTexts[] = "berth_interned_texts";
constexpr char kTextsHelp[] =
    "Distinct names, label keys and label values of nodes, pods and plugins.";
constexpr char kBytes[] = "berth_reuse_bytes";
constexpr char kBytesHelp[] = "Memory of the result cache: cached results of plugins and rankings.";
constexpr char kAnswers[] = "berth_plugin_answers_total";
constexpr char kAnswersHelp[] =
    "Results of plugins for nodes: from the result cache (`kept`), or `computed`.";
constexpr char kEvictions[] = "berth_reuse_evictions_total";
constexpr char kEvictionsHelp[] = "Results and rankings evicted from the full result cache.";

constexpr char kFailedScores[] = "berth_failed_score_expressions_total";
constexpr char kFailedScoresHelp[] =
    "Score expressions of the plugin Expressions that could not be evaluated for a node; their "
    "score is 0.";

constexpr char kRejectedHelp[] =
    "The number of unschedulable pods broken down by plugin name. A pod will increment the gauge "
    "for all plugins that caused it to not schedule and so this metric have meaning only when "
    "broken down by plugin.";
constexpr char kReloadsHelp[] =
    "Configurations by result: `applied`, `needs_restart` (applied, except settings that need a "
    "restart), or `refused` (rejected).";
constexpr char kSchedulerRepairsHelp[] =
    "Objects in the scheduler that differed from its informers' stores and were corrected, by "
    "kind. A value above 0 indicates a bug in Berth.";
constexpr char kStallsHelp[] =
    "Times that the scheduling thread was blocked for more than five seconds, by the running "
    "plugin. An empty `plugin` means the core or the machine.";
constexpr char kWaitingHelp[] = "Write requests queued for the API server.";
constexpr char kDroppedHelp[] =
    "Write requests that were never sent to the API server, because the queue was full or the "
    "process ended.";

const std::vector<Row>& GaugeRows() {
  static const std::vector<Row> kRows = {
      {kPending, kPendingHelp, {{"queue", "active"}}, &Figures::active},
      {kPending, kPendingHelp, {{"queue", "backoff"}}, &Figures::backoff},
      {kPending, kPendingHelp, {{"queue", "unschedulable"}}, &Figures::unschedulable},
      {kPending, kPendingHelp, {{"queue", "gated"}}, &Figures::gated},
      {kQueued, kQueuedHelp, {{"queue", "active"}, {"type", "pod"}}, &Figures::active},
      {kQueued, kQueuedHelp, {{"queue", "backoff"}, {"type", "pod"}}, &Figures::backoff},
      {kQueued,
       kQueuedHelp,
       {{"queue", "unschedulable"}, {"type", "pod"}},
       &Figures::unschedulable},
      {kQueued, kQueuedHelp, {{"queue", "gated"}, {"type", "pod"}}, &Figures::gated},
      {kCache, kCacheHelp, {{"type", "nodes"}}, &Figures::nodes},
      {kCache, kCacheHelp, {{"type", "pods"}}, &Figures::pods},
      {kCache, kCacheHelp, {{"type", "assumed_pods"}}, &Figures::assumed_pods},
      {kRepairs, kRepairsHelp, {}, &Figures::cache_repairs},
      {kTexts, kTextsHelp, {}, &Figures::interned_texts},
      {kBytes, kBytesHelp, {}, &Figures::result_cache_bytes},
  };
  return kRows;
}

const std::vector<Row>& CounterRows() {
  static const std::vector<Row> kRows = {
      {kAnswers, kAnswersHelp, {{"source", "kept"}}, &Figures::results_cached},
      {kAnswers, kAnswersHelp, {{"source", "computed"}}, &Figures::results_computed},
      {kEvictions, kEvictionsHelp, {}, &Figures::result_cache_evictions},
      {kFailedScores, kFailedScoresHelp, {}, &Figures::failed_scores},
  };
  return kRows;
}

}  // namespace

SchedulerMetrics::SchedulerMetrics(MetricsRegistry& registry)
    : registry_(registry),
      turn_(registry.AddHistogram("berth_turn_duration_seconds",
                                  "Duration of turns of the scheduling thread: the processing of "
                                  "waiting messages and at most one scheduling attempt.",
                                  ExponentialBuckets(0.0001, 2, 20))),
      algorithm_(registry.AddHistogram("scheduler_scheduling_algorithm_duration_seconds",
                                       "Scheduling algorithm latency in seconds",
                                       MillisecondBuckets())),
      pod_attempts_(registry.AddHistogram("scheduler_pod_scheduling_attempts",
                                          "Number of attempts to successfully schedule a pod.",
                                          ExponentialBuckets(1, 2, 5))),
      after_flush_(registry.AddCounter("scheduler_pod_scheduled_after_flush_total",
                                       "Number of pods that were scheduled after they were flushed "
                                       "from the unschedulable part of the queue.")),
      preemption_attempts_(
          registry.AddCounter("scheduler_preemption_attempts_total",
                              "Total preemption attempts in the cluster till now")),
      preemption_victims_(registry.AddHistogram(
          "scheduler_preemption_victims",
          "Number of selected preemption victims for preemption initiated by a single pod",
          ExponentialBuckets(1, 2, 7))),
      evictions_done_(Evictions("success")),
      evictions_failed_(Evictions("error")) {
  for (const Row& row : GaugeRows()) {
    gauges_.push_back(&registry.AddGauge(row.name, row.help, row.labels));
  }
  for (const Row& row : CounterRows()) {
    counters_.push_back(&registry.AddCounter(row.name, row.help, row.labels));
  }
  for (const WriteClass write_class : kWriteClasses) {
    const MetricLabels labels{{"class", std::string(ToString(write_class))}};
    writes_waiting_[write_class] =
        &registry.AddGauge("berth_api_writes_waiting", kWaitingHelp, labels);
    writes_dropped_[write_class] =
        &registry.AddCounter("berth_api_writes_dropped_total", kDroppedHelp, labels);
  }
  for (const Reload result : {Reload::kApplied, Reload::kNeedsRestart, Reload::kRejected}) {
    reloads_[result] = &registry.AddCounter("berth_config_reloads_total", kReloadsHelp,
                                            {{"result", std::string(ToString(result))}});
  }
  for (const char* kind : {"pods", "nodes"}) {
    repairs_[kind] = &registry.AddCounter("berth_scheduler_repairs_total", kSchedulerRepairsHelp,
                                          {{"kind", kind}});
  }
  StallsOf("", "");  // exported from the start
}

void SchedulerMetrics::Publish(const Figures& now) {
  for (size_t i = 0; i < gauges_.size(); ++i) {
    gauges_[i]->Set(static_cast<double>(now.*GaugeRows()[i].figure));
  }
  for (size_t i = 0; i < counters_.size(); ++i) {
    CountUpTo(*counters_[i], now.*CounterRows()[i].figure);
  }
  for (const auto& [plugin_and_profile, pods] : now.rejected) {
    Gauge*& gauge = rejected_[plugin_and_profile];
    if (gauge == nullptr) {
      gauge = &registry_.AddGauge(
          "scheduler_unschedulable_pods", kRejectedHelp,
          {{"plugin", plugin_and_profile.first}, {"profile", plugin_and_profile.second}});
    }
    gauge->Set(static_cast<double>(pods));
  }
}

void SchedulerMetrics::Publish(const ApiWriterStatistics& now) {
  for (const WriteClass write_class : kWriteClasses) {
    writes_waiting_[write_class]->Set(static_cast<double>(now.waiting[write_class]));
    CountUpTo(*writes_dropped_[write_class], now.dropped[write_class]);
  }
}

void SchedulerMetrics::CountStall(const std::string& plugin, const std::string& extension_point) {
  StallsOf(plugin, extension_point).Increment();
}

Counter& SchedulerMetrics::StallsOf(const std::string& plugin, const std::string& extension_point) {
  return registry_.AddCounter("berth_scheduling_thread_stalls_total", kStallsHelp,
                              {{"plugin", plugin}, {"extension_point", extension_point}});
}

SchedulerMetrics::Timed SchedulerMetrics::Evictions(const std::string& result) {
  const MetricLabels labels{{"result", result}};
  return {registry_.AddCounter("scheduler_preemption_goroutines_execution_total",
                               "Number of preemption goroutines executed.", labels),
          registry_.AddHistogram("scheduler_preemption_goroutines_duration_seconds",
                                 "Duration in seconds for running goroutines for the preemption.",
                                 ExponentialBuckets(0.01, 2, 20), labels)};
}

SchedulerMetrics::Timed& SchedulerMetrics::AttemptOf(scheduler::AttemptResult result,
                                                     std::string_view profile) {
  ByName<Timed>& by_profile = attempts_[result];
  const auto found = by_profile.find(profile);
  if (found != by_profile.end()) return found->second;
  const MetricLabels labels{{"result", std::string(ToString(result))},
                            {"profile", std::string(profile)}};
  Timed attempt{registry_.AddCounter("scheduler_schedule_attempts_total",
                                     "Number of attempts to schedule pods, by the result.", labels),
                registry_.AddHistogram(
                    "scheduler_scheduling_attempt_duration_seconds",
                    "Scheduling attempt latency in seconds (scheduling algorithm + binding)",
                    MillisecondBuckets(), labels)};
  return by_profile.emplace(std::string(profile), attempt).first->second;
}

void SchedulerMetrics::OnAttempt(scheduler::AttemptResult result, std::string_view profile,
                                 Duration took) {
  Timed& attempt = AttemptOf(result, profile);
  attempt.total.Increment();
  attempt.duration.Observe(Seconds(took));
}

void SchedulerMetrics::OnTurn(Duration took) { turn_.Observe(Seconds(took)); }

void SchedulerMetrics::OnAlgorithm(Duration took) { algorithm_.Observe(Seconds(took)); }

void SchedulerMetrics::OnPodScheduled(int32_t attempts, Duration latency, bool after_flush) {
  pod_attempts_.Observe(attempts);
  if (after_flush) after_flush_.Increment();
  Histogram*& histogram = latency_[std::min(attempts, kMaxAttemptsLabel)];
  if (histogram == nullptr) {
    const std::string label = attempts >= kMaxAttemptsLabel ? "15+" : std::to_string(attempts);
    histogram = &registry_.AddHistogram(
        "scheduler_pod_scheduling_sli_duration_seconds",
        "E2e latency for a pod being scheduled, from the time the pod enters the scheduling queue.",
        ExponentialBuckets(0.01, 2, 20), {{"attempts", label}});
  }
  histogram->Observe(Seconds(latency));
}

void SchedulerMetrics::OnPreemption(size_t victims) {
  preemption_attempts_.Increment();
  if (victims > 0) preemption_victims_.Observe(static_cast<double>(victims));
}

void SchedulerMetrics::OnPermitWait(scheduler::Code result, Duration took) {
  Histogram*& histogram = permit_[result];
  if (histogram == nullptr) {
    histogram = &registry_.AddHistogram("scheduler_permit_wait_duration_seconds",
                                        "Duration of waiting on permit.", MillisecondBuckets(),
                                        {{"result", std::string(ToString(result))}});
  }
  histogram->Observe(Seconds(took));
}

void SchedulerMetrics::OnEvictions(bool succeeded, Duration took) {
  Timed& evictions = succeeded ? evictions_done_ : evictions_failed_;
  evictions.total.Increment();
  evictions.duration.Observe(Seconds(took));
}

void SchedulerMetrics::OnQueueIncoming(scheduler::QueueName queue, std::string_view event) {
  ByName<Incoming>& by_event = incoming_[queue];
  auto found = by_event.find(event);
  if (found == by_event.end()) {
    MetricLabels labels{{"queue", std::string(ToString(queue))}, {"event", std::string(event)}};
    Counter& pods = registry_.AddCounter(
        "scheduler_queue_incoming_pods_total",
        "Number of pods added to scheduling queues by event and queue type.", labels);
    labels.emplace("type", "pod");
    Counter& entities = registry_.AddCounter(
        "scheduler_queue_incoming_entities_total",
        "Number of scheduling entities added to scheduling queues by event and queue type. Each "
        "is a pod, also in a gang.",
        labels);
    found = by_event.emplace(std::string(event), Incoming{pods, entities}).first;
  }
  found->second.pods.Increment();
  found->second.entities.Increment();
}

void SchedulerMetrics::CountReload(Reload result) { reloads_[result]->Increment(); }

void SchedulerMetrics::CountRepair(std::string_view kind) {
  repairs_.find(kind)->second->Increment();
}

void SchedulerMetrics::SetConfig(const std::string& hash) {
  const std::string name = "berth_config_info";
  const std::string help = "`1` for the running configuration, by its hash.";
  if (!config_hash_.empty()) registry_.AddGauge(name, help, {{"hash", config_hash_}}).Set(0);
  config_hash_ = hash;
  registry_.AddGauge(name, help, {{"hash", hash}}).Set(1);
}

}  // namespace berth::engine
