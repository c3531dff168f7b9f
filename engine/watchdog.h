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

// Stall is a period in which a thread was blocked.
struct Stall {
  std::chrono::nanoseconds length{0};  // so far, or in all
  // The plugin that was running when the stall was detected; empty: none, so the core or the
  // machine is the cause.
  std::string plugin, extension_point;
  bool is_over = false;
};

// Watchdog detects that a thread is blocked, by a slow plugin or by the machine. It cannot
// interrupt a plugin. It reports the stall with the plugin's name, once when it is detected and
// once when it is over.
class Watchdog {
 public:
  static constexpr std::chrono::seconds kLimit{5};

  // Calls `tell` on the watchdog's thread. Requires: clock and calls outlive this.
  Watchdog(const Clock& clock, const scheduler::PluginCalls& calls,
           std::function<void(const Stall&)> tell)
      : clock_(clock), calls_(calls), tell_(std::move(tell)) {}

  // Called by the watched thread at the start and end of a step that must take less than kLimit.
  void Begin() { since_ = clock_.Now(); }
  void End() { since_ = SteadyTime{}; }

  void Start();
  void Stop();  // waits for the thread; no callback runs afterwards

 private:
  void Watch(const std::stop_token& stop);
  void Look();

  const Clock& clock_;
  const scheduler::PluginCalls& calls_;
  const std::function<void(const Stall&)> tell_;
  std::atomic<SteadyTime> since_{};  // none: no step is running

  // Used by the watchdog's thread: the current stall, and the start of its step.
  std::optional<Stall> stall_;
  SteadyTime stalled_since_{};

  std::jthread thread_;  // last: it uses the other members
};

}  // namespace berth::engine
