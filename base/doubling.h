// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace berth {

// Returns min(first * 2^times, limit): the exponential backoff after `times` consecutive failures.
// Requires: times >= 0.
constexpr std::chrono::nanoseconds Doubled(std::chrono::nanoseconds first, int times,
                                           std::chrono::nanoseconds limit) {
  // Shift the limit down instead of `first` up, which could overflow.
  if (times >= 63 || first.count() > (limit.count() >> times)) return limit;
  return std::chrono::nanoseconds(first.count() << times);
}

}  // namespace berth
