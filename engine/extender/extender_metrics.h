// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/metrics.h"
#include "engine/extender/circuit_breaker.h"
#include "engine/extender/extender_verb.h"

namespace berth::engine {

// ExtenderMetrics counts and times the calls of one extender. Thread safe. Requires: the registry
// outlives this.
class ExtenderMetrics {
 public:
  enum class Result : uint8_t {
    kSuccess,
    kError,     // no response, an invalid one, or one that reports an error
    kRejected,  // not sent: the circuit breaker is open
    kCanceled,  // canceled by the scheduler
  };

  // `extender` is its address, the label of all metrics.
  ExtenderMetrics(MetricsRegistry& registry, std::string extender)
      : registry_(registry), extender_(std::move(extender)) {}

  void Count(ExtenderVerb verb, Result result);
  void Time(ExtenderVerb verb, std::chrono::duration<double> took);
  void SetBreaker(CircuitBreaker::State state);
  void SetUnverified(bool is_unverified);

 private:
  MetricsRegistry& registry_;
  const std::string extender_;
};

}  // namespace berth::engine
