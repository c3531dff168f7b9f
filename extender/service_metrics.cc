// SPDX-License-Identifier: Apache-2.0
#include "extender/service_metrics.h"

namespace berth::extender {

ServiceMetrics::ServiceMetrics(MetricsRegistry& registry)
    : registry_(registry),
      waiting_(registry.AddGauge("berth_extender_served_waiting",
                                 "Requests without a response yet, including the one in "
                                 "progress.")) {}

// A map lookup per request is cheap: the request takes a thousand times as long.
void ServiceMetrics::Count(const std::string& path, engine::ExtenderVerb verb, int code) {
  registry_
      .AddCounter("berth_extender_served_total", "Requests by HTTP status code.",
                  {{"path", path}, {"verb", ToString(verb)}, {"code", std::to_string(code)}})
      .Increment();
}

void ServiceMetrics::Time(engine::ExtenderVerb verb, std::chrono::duration<double> took) {
  registry_
      .AddHistogram("berth_extender_served_duration_seconds",
                    "Time from the request to the response, including the time in the queue.",
                    ExponentialBuckets(0.001, 2, 14), {{"verb", ToString(verb)}})
      .Observe(took.count());
}

}  // namespace berth::extender
