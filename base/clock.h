// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/time.h"

namespace berth {

using SteadyTime = std::chrono::steady_clock::time_point;

// Clock is where everything that depends on time gets it from, so that tests and simulations drive
// time by hand. Passed in, never global. All implementations are thread safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Now never runs backwards; for deadlines, intervals and backoff.
  virtual SteadyTime Now() const = 0;

  // Wall is the time of day (UTC); for what is written into objects. It may jump.
  virtual Time Wall() const = 0;
};

class SystemClock final : public Clock {
 public:
  SteadyTime Now() const override { return std::chrono::steady_clock::now(); }
  Time Wall() const override { return Time(std::chrono::system_clock::now()); }
};

}  // namespace berth
