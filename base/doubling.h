// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace berth {

// Doubled is first * 2^times, at most limit: how long to wait after so many failures in a row.
// Requires: times >= 0.
constexpr std::chrono::nanoseconds Doubled(std::chrono::nanoseconds first, int times,
                                           std::chrono::nanoseconds limit) {
  // The limit is shifted down: shifting the first up could overflow.
  if (times >= 63 || first.count() > (limit.count() >> times)) return limit;
  return std::chrono::nanoseconds(first.count() << times);
}

}  // namespace berth
