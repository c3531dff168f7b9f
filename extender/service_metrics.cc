// SPDX-License-Identifier: Apache-2.0
#include "extender/service_metrics.h"

namespace berth::extender {

ServiceMetrics::ServiceMetrics(MetricsRegistry& registry)
    : registry_(registry),
      waiting_(registry.AddGauge("berth_extender_served_waiting",
                                 "Questions that are not answered yet, the one that is thought "
                                 "about included.")) {}

// Looked up for each question, which takes a thousand times as long.
void ServiceMetrics::Count(const std::string& path, engine::ExtenderVerb verb, int code) {
  registry_
      .AddCounter("berth_extender_served_total", "Questions by the code of their answer.",
                  {{"path", path}, {"verb", ToString(verb)}, {"code", std::to_string(code)}})
      .Increment();
}

void ServiceMetrics::Time(engine::ExtenderVerb verb, std::chrono::duration<double> took) {
  registry_
      .AddHistogram("berth_extender_served_duration_seconds",
                    "How long questions took to be answered, waiting included.",
                    ExponentialBuckets(0.001, 2, 14), {{"verb", ToString(verb)}})
      .Observe(took.count());
}

}  // namespace berth::extender
