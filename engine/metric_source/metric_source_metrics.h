// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/metrics.h"

namespace berth::engine {

// MetricSourceMetrics exports the number and duration of the queries of one source, the age of the
// response in use, and the numbers of nodes and of unused samples in it. Thread safe. Requires: the
// registry outlives this.
class MetricSourceMetrics {
 public:
  MetricSourceMetrics(MetricsRegistry& registry, const std::string& address,
                      const std::string& query);

  void Count(bool succeeded, std::chrono::duration<double> took);
  // Sets the age of the response in use; nullopt: none.
  void SetAge(std::optional<std::chrono::duration<double>> age);
  // Sets the numbers of nodes with and without a value in the response in use.
  void SetNodes(size_t known, size_t missing);
  // Sets the number of unused samples in the last response: without the label, without a value, or
  // without a matching node.
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
