// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/extender_metrics.h"

#include <array>
#include <string_view>

namespace berth::engine {
namespace {

std::string_view NameOf(ExtenderMetrics::Result result) {
  static constexpr std::array<std::string_view, 4> kNames = {"success", "error", "refused",
                                                             "canceled"};
  return kNames[static_cast<size_t>(result)];
}

}  // namespace

// Looked up for each call, since the call itself takes a thousand times as long.
void ExtenderMetrics::Count(ExtenderVerb verb, Result result) {
  registry_
      .AddCounter("berth_extender_calls_total",
                  "Calls of extenders by result. `refused`: not sent, because the circuit "
                  "breaker did not allow it.",
                  {{"extender", extender_},
                   {"verb", ToString(verb)},
                   {"result", std::string(NameOf(result))}})
      .Increment();
}

void ExtenderMetrics::Time(ExtenderVerb verb, std::chrono::duration<double> took) {
  registry_
      .AddHistogram("berth_extender_call_duration_seconds", "Duration of calls sent to extenders.",
                    ExponentialBuckets(0.001, 2, 14),
                    {{"extender", extender_}, {"verb", ToString(verb)}})
      .Observe(took.count());
}

void ExtenderMetrics::SetBreaker(CircuitBreaker::State state) {
  registry_
      .AddGauge("berth_extender_breaker_state",
                "Circuit breaker of an extender: `0` closed, `1` open after five failures in "
                "a row (the extender is not called), `2` half open (one trial call).",
                {{"extender", extender_}})
      .Set(static_cast<double>(state));
}

void ExtenderMetrics::SetUnverified(bool is_unverified) {
  registry_
      .AddGauge("berth_extender_unverified",
                "`1` if the configuration disables the verification of the extender's certificate.",
                {{"extender", extender_}})
      .Set(is_unverified ? 1 : 0);
}

}  // namespace berth::engine
