// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/metrics.h"
#include "engine/extender/circuit_breaker.h"
#include "engine/extender/extender_verb.h"

namespace berth::engine {

// ExtenderMetrics counts and times the calls of one extender. Any thread. Requires: the registry
// outlives this.
class ExtenderMetrics {
 public:
  enum class Result : uint8_t {
    kSuccess,
    kError,     // no answer, or none that can be read, or one that says that it is an error
    kRejected,  // not sent: the breaker is open
    kCanceled,  // we gave it up
  };

  // `extender` is its address, the label of all.
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
