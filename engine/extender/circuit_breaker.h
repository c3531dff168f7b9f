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

// CircuitBreaker stops calls to a server that does not answer, so that not every call costs the
// whole timeout. Thread safe.
//
//            kFailures in a row                 wait is over
//   kClosed ────────────────────▶ kOpen ────────────────────────▶ kHalfOpen: one trial call
//      ▲                            ▲   waits 1 s, doubled to 30 s    │    │
//      │                            └──────────── it fails ───────────┘    │
//      └──────────────────────────────────────── it succeeds ─────────────┘
//
// The results of calls admitted in an earlier state are ignored.
class CircuitBreaker {
 public:
  enum class State : uint8_t { kClosed, kOpen, kHalfOpen };

  static constexpr int kFailures = 5;
  static constexpr std::chrono::seconds kFirstWait{1};
  static constexpr std::chrono::seconds kLongestWait{30};

  // Calls `tell` with each new state; it must not call the breaker. Requires: the clock outlives
  // this.
  CircuitBreaker(const Clock& clock, std::function<void(State)> tell)
      : clock_(clock), tell_(std::move(tell)) {}

  // Ticket identifies an admitted call; it is passed back with the call's result.
  using Ticket = uint64_t;

  // Admits a call. The error (kUnavailable) has the time of the next call, and the last failure.
  Result<Ticket> Admit();
  void Succeeded(Ticket ticket);
  void Failed(Ticket ticket, const std::string& why);
  // Reports that the call was canceled, which says nothing about the server.
  void GivenUp(Ticket ticket);

 private:
  void Enter(State state);
  void Open();
  std::string RejectionReason() const;

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
