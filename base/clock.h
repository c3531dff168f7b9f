// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/time.h"

namespace berth {

using SteadyTime = std::chrono::steady_clock::time_point;

// Clock is the only source of time, so that tests and simulations can control it. Passed in, never
// global. All implementations are thread safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Returns monotonic time, for deadlines, intervals and backoff.
  virtual SteadyTime Now() const = 0;

  // Returns the time of day (UTC), for timestamps in objects. It may jump.
  virtual Time Wall() const = 0;
};

class SystemClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  Time Wall() const override { return Time(std::chrono::system_clock::now()); }
};

}  // namespace berth
