// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace berth::engine {

// CircuitBreaker keeps calls from a server that does not answer, so that each does not cost the
// whole timeout. Thread safe.
//
//            kFailures in a row                 time is over
//   kClosed ────────────────────▶ kOpen ────────────────────────▶ kHalfOpen: one call goes
//      ▲                            ▲   waits 1 s, doubled to 30 s    │    │
//      │                            └──────────── it fails ───────────┘    │
//      └──────────────────────────────────────── it succeeds ─────────────┘
//
// What was let through before the state changed changes nothing any more when it ends.
class CircuitBreaker {
 public:
  enum class State : uint8_t { kClosed, kOpen, kHalfOpen };

  static constexpr int kFailures = 5;
  static constexpr std::chrono::seconds kFirstWait{1};
  static constexpr std::chrono::seconds kLongestWait{30};

  // `tell` is called with each new state, and must not call the breaker. Requires: the clock
  // outlives this.
  CircuitBreaker(const Clock& clock, std::function<void(State)> tell)
      : clock_(clock), tell_(std::move(tell)) {}

  // Ticket is a call that was let through; it is handed back with what became of it.
  using Ticket = uint64_t;

  // Admit lets a call through. The error (kUnavailable) says until when none is, and why.
  Result<Ticket> Admit();
  void Succeeded(Ticket ticket);
  void Failed(Ticket ticket, const std::string& why);
  // GivenUp is for a call that says nothing of the server: we ended it.
  void GivenUp(Ticket ticket);

 private:
  void Enter(State state);
  void Open();
  std::string WhyClosedOff() const;

  const Clock& clock_;
  const std::function<void(State)> tell_;

  std::mutex mutex_;  // guards all below
  State state_ = State::kClosed;
  Ticket era_ = 1;  // changes with the state
  int failures_ = 0;
  std::string last_failure_;
  std::chrono::seconds wait_ = kFirstWait;  // of the next opening
  SteadyTime until_{};
  Time until_wall_;
};

}  // namespace berth::engine
