// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "scheduler/framework/node_metric.h"

namespace berth::scheduler::testing {

// FixedMetrics is a MetricPort with samples from the test: all metrics get them, for any query.
class FixedMetrics final : public MetricPort {
 public:
  std::shared_ptr<const NodeMetric> Watch(const MetricQuery& query) override {
    auto& metric = watched_[query];
    if (metric == nullptr) metric = std::make_shared<NodeMetric>(query.keeps_last);
    return metric;
  }
  void Tell(const NodeMetric::Samples& samples, const Snapshot& snapshot) {
    for (const auto& [query, metric] : watched_) metric->Put(samples, snapshot);
  }
  void Forget() {
    for (const auto& [query, metric] : watched_) metric->Forget();
  }
  // Returns the only query. Requires: there is one.
  const MetricQuery& Only() const { return watched_.begin()->first; }

 private:
  std::map<MetricQuery, std::shared_ptr<NodeMetric>> watched_;
};

}  // namespace berth::scheduler::testing
