// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "base/clock.h"

namespace berth::engine {

// Watchdog sees to it that a thread that is held up does not go unnoticed: by a plugin that takes
// its time, or by the machine. It cannot help, since no plugin can be broken off; it says so, once
// for each time.
class Watchdog {
 public:
  static constexpr std::chrono::seconds kLimit{5};

  // `on_stall` runs on the watchdog's thread. Requires: the clock outlives this.
  Watchdog(const Clock& clock, std::function<void(std::chrono::nanoseconds so_far)> on_stall)
      : clock_(clock), on_stall_(std::move(on_stall)) {}

  // Of the thread that is watched: it begins, and has ended, what is to take no longer than kLimit.
  void Begin() { since_ = clock_.Now(); }
  void End() { since_ = SteadyTime{}; }

  void Start();
  void Stop();  // waits; on_stall does not run afterwards

 private:
  void Watch(const std::stop_token& stop);

  const Clock& clock_;
  const std::function<void(std::chrono::nanoseconds)> on_stall_;
  std::atomic<SteadyTime> since_{};  // none: nothing is being done
  std::jthread thread_;              // last: it uses the rest
};

}  // namespace berth::engine
