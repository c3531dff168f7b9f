// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/metrics.h"

namespace berth::engine {

// MetricSourceMetrics counts and times what is asked of one source, and shows what came of it. Any
// thread. Requires: the registry outlives this.
class MetricSourceMetrics {
 public:
  MetricSourceMetrics(MetricsRegistry& registry, const std::string& address,
                      const std::string& query);

  void Count(bool succeeded, std::chrono::duration<double> took);
  // SetAge shows how old the answer is that counts; nothing: there is none.
  void SetAge(std::optional<std::chrono::duration<double>> age);
  void SetNodes(size_t known, size_t missing);
  // SetPassedOver shows how many samples of the last answer say nothing: without the label, without a
  // value, of no node.
  void SetPassedOver(size_t without_label, size_t without_value, size_t of_no_node);

 private:
  Counter& succeeded_;
  Counter& failed_;
  Histogram& took_;
  Gauge& age_;
  Gauge& known_;
  Gauge& missing_;
  Gauge& without_label_;
  Gauge& without_value_;
  Gauge& of_no_node_;
};

}  // namespace berth::engine
