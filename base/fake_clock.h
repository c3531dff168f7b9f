// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace berth {

// FakeClock only moves when Advance or JumpWall is called, for tests and simulations. Advance moves
// the steady clock and the wall clock by the same duration. Lock-free.
//
// It wakes no waiting thread. Code under test needs a non-blocking variant (WorkQueue::TryGet,
// Mailbox::TryTake).
class FakeClock final : public Clock {
 public:
  // Starts at 2026-01-01T00:00:00Z and one hour after the steady clock's origin, so that "an hour
  // ago" is a valid time.
  FakeClock() : FakeClock(Time(Time::TimePoint(std::chrono::seconds(1767225600)))) {}
  explicit FakeClock(Time wall) : wall_start_(wall) {}

  SteadyTime Now() const override { return SteadyTime(std::chrono::hours(1) + elapsed()); }
  Time Wall() const override {
    return wall_start_ + elapsed() + std::chrono::nanoseconds(jump_.load());
  }

  // Requires: by >= 0.
  void Advance(std::chrono::nanoseconds by) { elapsed_ += by.count(); }

  // Moves only the wall clock, forwards or backwards, like a correction by NTP.
  void JumpWall(std::chrono::nanoseconds by) { jump_ += by.count(); }

  // Returns the total that Advance has moved the clock.
  std::chrono::nanoseconds elapsed() const { return std::chrono::nanoseconds(elapsed_.load()); }

 private:
  const Time wall_start_;
  std::atomic<int64_t> elapsed_{0};  // nanoseconds
  std::atomic<int64_t> jump_{0};     // nanoseconds
};

}  // namespace berth
