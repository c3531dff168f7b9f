// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>

namespace berth::http {

// Cause is the reason why we cancelled an exchange; the libraries report every end alike.
enum class Cause { kNone, kCanceled, kDeadline, kSilence, kTooLarge };

// GiveUp cancels an exchange before the server ends it, and records the first cause.
class GiveUp {
 public:
  void Now(Cause cause) {
    Cause none = Cause::kNone;
    if (cause_.compare_exchange_strong(none, cause)) source_.request_stop();
  }
  Cause cause() const { return cause_.load(); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::atomic<Cause> cause_{Cause::kNone};
  std::stop_source source_;
};

// StopCallback is a stop_callback with an action chosen at run time.
using StopCallback = std::stop_callback<std::function<void()>>;

}  // namespace berth::http
