// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/circuit_breaker.h"

#include <algorithm>

namespace berth::engine {

Result<CircuitBreaker::Ticket> CircuitBreaker::Admit() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kOpen && clock_.Now() >= until_) {
    Enter(State::kHalfOpen);
    return era_;
  }
  if (state_ == State::kClosed) return era_;
  return Fail(Reason::kUnavailable, RejectionReason());
}

std::string CircuitBreaker::RejectionReason() const {
  if (state_ == State::kHalfOpen) {
    return "not called while a trial call is running; the last failure: " + last_failure_;
  }
  return "not called until " + until_wall_.ToString() + " after " + std::to_string(failures_) +
         " failures in a row, the last of them: " + last_failure_;
}

void CircuitBreaker::Succeeded(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  if (ticket != era_) return;
  failures_ = 0;
  if (state_ != State::kHalfOpen) return;
  wait_ = kFirstWait;
  Enter(State::kClosed);
}

void CircuitBreaker::Failed(Ticket ticket, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (ticket != era_) return;
  ++failures_;
  last_failure_ = why;
  if (state_ == State::kHalfOpen || failures_ >= kFailures) Open();
}

void CircuitBreaker::GivenUp(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  if (ticket != era_ || state_ != State::kHalfOpen) return;
  Enter(State::kOpen);  // until_ has passed: the next call is a trial
}

void CircuitBreaker::Open() {
  until_ = clock_.Now() + wait_;
  until_wall_ = clock_.Wall() + wait_;
  wait_ = std::min(wait_ * 2, kLongestWait);
  Enter(State::kOpen);
}

void CircuitBreaker::Enter(State state) {
  state_ = state;
  ++era_;
  tell_(state);
}

}  // namespace berth::engine
