// SPDX-License-Identifier: Apache-2.0
#include "controllers/controller_metrics.h"

namespace berth::controllers {
namespace {

// Upper bounds in seconds, the same as in controller-runtime.
const std::vector<double>& ReconcileBuckets() {
  static const std::vector<double> kBuckets = {
      0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
      0.7,   0.8,  0.9,   1.0,  1.25, 1.5,  1.75, 2.0,  2.5, 3.0,  3.5, 4.0,  4.5, 5,
      6,     7,    8,     9,    10,   15,   20,   25,   30,  40,   50,  60};
  return kBuckets;
}

MetricLabels ResultLabels(const std::string& controller, const std::string& result) {
  return {{"controller", controller}, {"result", result}};
}

}  // namespace

ControllerMetrics::ControllerMetrics(MetricsRegistry& registry, const std::string& controller,
                                     int workers, const WorkQueue& queue)
    : success_(registry.AddCounter("controller_runtime_reconcile_total",
                                   "Total number of reconciliations per controller",
                                   ResultLabels(controller, "success"))),
      error_(registry.AddCounter("controller_runtime_reconcile_total",
                                 "Total number of reconciliations per controller",
                                 ResultLabels(controller, "error"))),
      requeue_(registry.AddCounter("controller_runtime_reconcile_total",
                                   "Total number of reconciliations per controller",
                                   ResultLabels(controller, "requeue"))),
      requeue_after_(registry.AddCounter("controller_runtime_reconcile_total",
                                         "Total number of reconciliations per controller",
                                         ResultLabels(controller, "requeue_after"))),
      errors_(registry.AddCounter("controller_runtime_reconcile_errors_total",
                                  "Total number of reconciliation errors per controller",
                                  {{"controller", controller}})),
      terminal_errors_(
          registry.AddCounter("controller_runtime_terminal_reconcile_errors_total",
                              "Total number of terminal reconciliation errors per controller",
                              {{"controller", controller}})),
      adds_(registry.AddCounter("workqueue_adds_total", "Total number of adds handled by workqueue",
                                {{"controller", controller}, {"name", controller}})),
      retries_(registry.AddCounter("workqueue_retries_total",
                                   "Total number of retries handled by workqueue",
                                   {{"controller", controller}, {"name", controller}})),
      corrections_(registry.AddCounter(
          "berth_drift_repairs_total",
          "Objects that other clients had changed or deleted and the operator corrected.")),
      contests_(registry.AddCounter("berth_contested_fields_total",
                                    "Fields changed, and objects deleted, by other clients again "
                                    "after five corrections within a minute. The operator then "
                                    "corrects them only once a minute.")),
      active_(registry.AddGauge("controller_runtime_active_workers",
                                "Number of currently used workers per controller",
                                {{"controller", controller}})),
      reconcile_time_(registry.AddHistogram("controller_runtime_reconcile_time_seconds",
                                            "Length of time per reconciliation per controller",
                                            ReconcileBuckets(), {{"controller", controller}})),
      work_duration_(registry.AddHistogram(
          "workqueue_work_duration_seconds",
          "How long in seconds processing an item from workqueue takes",
          ExponentialBuckets(1e-8, 10, 10), {{"controller", controller}, {"name", controller}})) {
  registry
      .AddGauge("controller_runtime_max_concurrent_reconciles",
                "Maximum number of concurrent reconciles per controller",
                {{"controller", controller}})
      .Set(workers);
  Gauge& depth = registry.AddGauge("workqueue_depth", "Current depth of workqueue",
                                   {{"controller", controller}, {"name", controller}});
  registry.BeforeCollect([&depth, &queue] { depth.Set(static_cast<double>(queue.ready())); });
}

Gauge& AddLeadership(MetricsRegistry& registry, const std::string& name) {
  return registry.AddGauge("leader_election_master_status", "Whether this process leads: 1 or 0",
                           {{"name", name}});
}

ControllerMetrics::Running::Running(ControllerMetrics& metrics)
    : metrics_(metrics), begun_(std::chrono::steady_clock::now()) {
  metrics_.active_.Increment();
}

ControllerMetrics::Running::~Running() {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
  metrics_.active_.Decrement();
  metrics_.reconcile_time_.Observe(took.count());
  metrics_.work_duration_.Observe(took.count());
}

void ControllerMetrics::Count(const Outcome& outcome) {
  corrections_.Increment(outcome.corrections);
  contests_.Increment(outcome.contests);
  switch (outcome.kind) {
    case Outcome::Kind::kRetry:
      retries_.Increment();
      if (!outcome.error) {
        requeue_.Increment();
        break;
      }
      error_.Increment();
      errors_.Increment();
      break;
    case Outcome::Kind::kStalled:
      error_.Increment();
      errors_.Increment();
      terminal_errors_.Increment();
      break;
    case Outcome::Kind::kDone:
      (outcome.requeue_after ? requeue_after_ : success_).Increment();
      break;
  }
}

}  // namespace berth::controllers
