// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/metrics.h"
#include "engine/extender/extender_metrics.h"

namespace berth::extender {

// ServiceMetrics counts and times the requests. Any thread. Requires: the registry outlives this.
class ServiceMetrics {
 public:
  explicit ServiceMetrics(MetricsRegistry& registry);

  void Count(const std::string& path, engine::ExtenderVerb verb, int code);
  // Records the time from the complete request to the response, including the wait.
  void Time(engine::ExtenderVerb verb, std::chrono::duration<double> took);
  void SetWaiting(size_t questions) { waiting_.Set(static_cast<double>(questions)); }

 private:
  MetricsRegistry& registry_;
  Gauge& waiting_;
};

}  // namespace berth::extender
