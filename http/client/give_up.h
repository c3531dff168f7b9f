// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include <pplx/pplxtasks.h>

#include "base/error.h"
#include "http/timer.h"

namespace berth::http {

// Cause says why we ended an exchange ourselves; the library reports every end alike.
enum class Cause { kNone, kCanceled, kDeadline, kSilence, kTooLarge };

// Giving up: what can end an exchange before the server does, and the first reason why it did.
class GiveUp {
 public:
  void Now(Cause cause) {
    Cause none = Cause::kNone;
    if (cause_.compare_exchange_strong(none, cause)) source_.cancel();
  }
  Cause cause() const { return cause_.load(); }
  pplx::cancellation_token token() const { return source_.get_token(); }

 private:
  std::atomic<Cause> cause_{Cause::kNone};
  pplx::cancellation_token_source source_;
};

// StopCallback is a stop_callback whose action is chosen at run time.
using StopCallback = std::stop_callback<std::function<void()>>;

}  // namespace berth::http
