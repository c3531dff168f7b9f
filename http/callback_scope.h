// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace berth::http {

// CallbackScope marks the current thread as one that runs callbacks, for the lifetime of the scope.
// Blocking there would stop every exchange, so blocking calls abort on such threads. Scopes nest.
class CallbackScope {
 public:
  CallbackScope();
  ~CallbackScope();
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

 private:
  const bool outer_;
};

}  // namespace berth::http
