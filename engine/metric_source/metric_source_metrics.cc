// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/metric_source_metrics.h"

namespace berth::engine {
namespace {

constexpr char kQueries[] = "berth_metric_source_queries_total";
constexpr char kQueriesHelp[] =
    "Queries of metric sources, such as Prometheus, by result: `success` or `error`. One "
    "query returns the values of all nodes.";
constexpr char kTook[] = "berth_metric_source_query_duration_seconds";
constexpr char kTookHelp[] = "Duration of queries of metric sources.";
constexpr char kAge[] = "berth_metric_source_age_seconds";
constexpr char kAgeHelp[] =
    "Age of the response in use. `-1`: no response is in use, and all nodes get the same score.";
constexpr char kNodes[] = "berth_metric_source_nodes";
constexpr char kNodesHelp[] =
    "Nodes with a value (`known`) and without a value (`missing`) in the response in use.";
constexpr char kPassedOver[] = "berth_metric_source_passed_over";
constexpr char kPassedOverHelp[] =
    "Unused samples in the last response: without the label that names a node (`no_label`), "
    "without a valid value (`no_value`), or without a matching node (`no_node`).";

MetricLabels With(MetricLabels labels, const std::string& name, const std::string& value) {
  labels[name] = value;
  return labels;
}

MetricLabels LabelsOf(const std::string& address, const std::string& query) {
  return {{"address", address}, {"query", query}};
}

}  // namespace

MetricSourceMetrics::MetricSourceMetrics(MetricsRegistry& registry, const std::string& address,
                                         const std::string& query)
    : succeeded_(registry.AddCounter(kQueries, kQueriesHelp,
                                     With(LabelsOf(address, query), "result", "success"))),
      failed_(registry.AddCounter(kQueries, kQueriesHelp,
                                  With(LabelsOf(address, query), "result", "error"))),
      took_(registry.AddHistogram(kTook, kTookHelp, ExponentialBuckets(0.001, 2, 14),
                                  LabelsOf(address, query))),
      age_(registry.AddGauge(kAge, kAgeHelp, LabelsOf(address, query))),
      known_(
          registry.AddGauge(kNodes, kNodesHelp, With(LabelsOf(address, query), "state", "known"))),
      missing_(registry.AddGauge(kNodes, kNodesHelp,
                                 With(LabelsOf(address, query), "state", "missing"))),
      without_label_(registry.AddGauge(kPassedOver, kPassedOverHelp,
                                       With(LabelsOf(address, query), "reason", "no_label"))),
      without_value_(registry.AddGauge(kPassedOver, kPassedOverHelp,
                                       With(LabelsOf(address, query), "reason", "no_value"))),
      of_no_node_(registry.AddGauge(kPassedOver, kPassedOverHelp,
                                    With(LabelsOf(address, query), "reason", "no_node"))) {
  SetAge(std::nullopt);
}

void MetricSourceMetrics::Count(bool succeeded, std::chrono::duration<double> took) {
  (succeeded ? succeeded_ : failed_).Increment();
  took_.Observe(took.count());
}

void MetricSourceMetrics::SetAge(std::optional<std::chrono::duration<double>> age) {
  age_.Set(age ? age->count() : -1);
}

void MetricSourceMetrics::SetNodes(size_t known, size_t missing) {
  known_.Set(static_cast<double>(known));
  missing_.Set(static_cast<double>(missing));
}

void MetricSourceMetrics::SetPassedOver(size_t without_label, size_t without_value,
                                        size_t of_no_node) {
  without_label_.Set(static_cast<double>(without_label));
  without_value_.Set(static_cast<double>(without_value));
  of_no_node_.Set(static_cast<double>(of_no_node));
}

}  // namespace berth::engine
