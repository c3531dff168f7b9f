// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics.h"

#include <algorithm>

namespace berth::engine {
namespace {

// Attempts above this share one label value, "15+".
constexpr int32_t kMaxAttemptsLabel = 15;

double Seconds(scheduler::SchedulerObserver::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

const std::vector<double>& MillisecondBuckets() {
  static const std::vector<double> kBuckets = ExponentialBuckets(0.001, 2, 15);
  return kBuckets;
}

}  // namespace

SchedulerMetrics::SchedulerMetrics(MetricsRegistry& registry)
    : registry_(registry),
      algorithm_(registry.AddHistogram("scheduler_scheduling_algorithm_duration_seconds",
                                       "Scheduling algorithm latency in seconds",
                                       MillisecondBuckets())),
      pod_attempts_(registry.AddHistogram("scheduler_pod_scheduling_attempts",
                                          "Number of attempts to successfully schedule a pod.",
                                          ExponentialBuckets(1, 2, 5))),
      after_flush_(registry.AddCounter("scheduler_pod_scheduled_after_flush_total",
                                       "Number of pods that were scheduled after they were flushed "
                                       "from the unschedulable part of the queue.")),
      answers_kept_(registry.AddCounter("berth_plugin_answers_total",
                                        "Answers of plugins about nodes: kept from an earlier "
                                        "attempt, or computed.",
                                        {{"source", "kept"}})),
      answers_computed_(registry.AddCounter("berth_plugin_answers_total",
                                            "Answers of plugins about nodes: kept from an earlier "
                                            "attempt, or computed.",
                                            {{"source", "computed"}})),
      reuse_evictions_(registry.AddCounter("berth_reuse_evictions_total",
                                           "Kept answers and rankings that were given up for want "
                                           "of room.")),
      reuse_bytes_(registry.AddGauge("berth_reuse_bytes", "Memory of kept answers and rankings.")),
      reloads_applied_(registry.AddCounter("berth_config_reloads_total",
                                           "Configurations that were applied or refused.",
                                           {{"result", "applied"}})),
      reloads_refused_(registry.AddCounter("berth_config_reloads_total",
                                           "Configurations that were applied or refused.",
                                           {{"result", "refused"}})) {
  const std::string pending = "scheduler_pending_pods";
  const std::string pending_help = "Number of pending pods, by the queue type.";
  const std::string cache = "scheduler_cache_size";
  const std::string cache_help = "Number of nodes, pods, and assumed pods in the scheduler cache.";
  Gauge& active = registry.AddGauge(pending, pending_help, {{"queue", "active"}});
  Gauge& backoff = registry.AddGauge(pending, pending_help, {{"queue", "backoff"}});
  Gauge& unschedulable = registry.AddGauge(pending, pending_help, {{"queue", "unschedulable"}});
  Gauge& gated = registry.AddGauge(pending, pending_help, {{"queue", "gated"}});
  Gauge& nodes = registry.AddGauge(cache, cache_help, {{"type", "nodes"}});
  Gauge& pods = registry.AddGauge(cache, cache_help, {{"type", "pods"}});
  Gauge& assumed = registry.AddGauge(cache, cache_help, {{"type", "assumed_pods"}});
  Gauge& repairs = registry.AddGauge("berth_cache_repairs",
                                     "Events that did not fit the cache and corrected it.");
  Gauge& texts = registry.AddGauge(
      "berth_interned_texts",
      "Distinct names, label keys and label values that nodes, pods and plugins hold.");
  registry.BeforeCollect([&, this] {
    active.Set(static_cast<double>(pending_.active));
    backoff.Set(static_cast<double>(pending_.backoff));
    unschedulable.Set(static_cast<double>(pending_.unschedulable));
    gated.Set(static_cast<double>(pending_.gated));
    nodes.Set(static_cast<double>(pending_.nodes));
    pods.Set(static_cast<double>(pending_.pods));
    assumed.Set(static_cast<double>(pending_.assumed_pods));
    repairs.Set(static_cast<double>(pending_.cache_repairs));
    texts.Set(static_cast<double>(pending_.interned_texts));
  });
}

void SchedulerMetrics::OnReuse(const scheduler::ReuseStatistics& now) {
  answers_kept_.Increment(static_cast<double>(now.kept - reuse_.kept));
  answers_computed_.Increment(static_cast<double>(now.computed - reuse_.computed));
  reuse_evictions_.Increment(static_cast<double>(now.evictions - reuse_.evictions));
  reuse_bytes_.Set(static_cast<double>(now.bytes));
  reuse_ = now;
}

SchedulerMetrics::Attempt& SchedulerMetrics::AttemptOf(scheduler::AttemptResult result,
                                                       std::string_view profile) {
  ByName<Attempt>& by_profile = attempts_[result];
  const auto found = by_profile.find(profile);
  if (found != by_profile.end()) return found->second;
  const MetricLabels labels{{"result", std::string(ToString(result))},
                            {"profile", std::string(profile)}};
  Attempt attempt{
      registry_.AddCounter("scheduler_schedule_attempts_total",
                           "Number of attempts to schedule pods, by the result.", labels),
      registry_.AddHistogram(
          "scheduler_scheduling_attempt_duration_seconds",
          "Scheduling attempt latency in seconds (scheduling algorithm + binding)",
          MillisecondBuckets(), labels)};
  return by_profile.emplace(std::string(profile), attempt).first->second;
}

void SchedulerMetrics::OnAttempt(scheduler::AttemptResult result, std::string_view profile,
                                 Duration took) {
  Attempt& attempt = AttemptOf(result, profile);
  attempt.total.Increment();
  attempt.duration.Observe(Seconds(took));
}

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

void SchedulerMetrics::OnPermitWait(scheduler::Code result, Duration took) {
  Histogram*& histogram = permit_[result];
  if (histogram == nullptr) {
    histogram = &registry_.AddHistogram("scheduler_permit_wait_duration_seconds",
                                        "Duration of waiting on permit.", MillisecondBuckets(),
                                        {{"result", std::string(ToString(result))}});
  }
  histogram->Observe(Seconds(took));
}

void SchedulerMetrics::OnQueueIncoming(scheduler::QueueName queue, std::string_view event) {
  ByName<Counter*>& by_event = incoming_[queue];
  auto found = by_event.find(event);
  if (found == by_event.end()) {
    Counter& counter = registry_.AddCounter(
        "scheduler_queue_incoming_pods_total",
        "Number of pods added to scheduling queues by event and queue type.",
        {{"queue", std::string(ToString(queue))}, {"event", std::string(event)}});
    found = by_event.emplace(std::string(event), &counter).first;
  }
  found->second->Increment();
}

void SchedulerMetrics::OnReload(bool applied) {
  (applied ? reloads_applied_ : reloads_refused_).Increment();
}

void SchedulerMetrics::SetConfig(const std::string& hash) {
  const std::string name = "berth_config_info";
  const std::string help = "1 for the configuration that runs, named by its hash.";
  if (!config_hash_.empty()) registry_.AddGauge(name, help, {{"hash", config_hash_}}).Set(0);
  config_hash_ = hash;
  registry_.AddGauge(name, help, {{"hash", hash}}).Set(1);
}

}  // namespace berth::engine
