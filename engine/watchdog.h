// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "scheduler/framework/plugin_calls.h"

namespace berth::engine {

// Stall is a time for which a thread is held up.
struct Stall {
  std::chrono::nanoseconds length{0};  // so far, or in all
  // The plugin that was being called when it was noticed; empty: none was, it is the core or the
  // machine.
  std::string plugin, extension_point;
  bool is_over = false;
};

// Watchdog sees to it that a thread that is held up does not go unnoticed: by a plugin that takes
// its time, or by the machine. It cannot help, since no plugin can be broken off; it says so, once
// when it notices and once when the thread goes on, and names the plugin.
class Watchdog {
 public:
  static constexpr std::chrono::seconds kLimit{5};

  // `tell` runs on the watchdog's thread. Requires: clock and calls outlive this.
  Watchdog(const Clock& clock, const scheduler::PluginCalls& calls,
           std::function<void(const Stall&)> tell)
      : clock_(clock), calls_(calls), tell_(std::move(tell)) {}

  // Of the thread that is watched: it begins, and has ended, what is to take no longer than kLimit.
  void Begin() { since_ = clock_.Now(); }
  void End() { since_ = SteadyTime{}; }

  void Start();
  void Stop();  // waits; nobody is told anything afterwards

 private:
  void Watch(const std::stop_token& stop);
  void Look();

  const Clock& clock_;
  const scheduler::PluginCalls& calls_;
  const std::function<void(const Stall&)> tell_;
  std::atomic<SteadyTime> since_{};  // none: nothing is being done

  // Of the watchdog's thread: the stall that is not over, and what was begun then.
  std::optional<Stall> stall_;
  SteadyTime stalled_since_{};

  std::jthread thread_;  // last: it uses the rest
};

}  // namespace berth::engine
