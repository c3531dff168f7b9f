// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace berth::scheduler {

// Cancellation requests plugins to stop, like a context with a cause in Go. Only the first request
// counts. It allocates nothing until token() is called. Owned by the scheduling thread; callbacks
// of the token run there.
class Cancellation {
 public:
  void Request(std::string cause) {
    if (cause_) return;
    cause_ = std::move(cause);
    source_.request_stop();
  }
  bool IsRequested() const { return cause_.has_value(); }
  const std::string& cause() const { return *cause_; }  // Requires: IsRequested.

  std::stop_token token() {
    if (!source_.stop_possible()) source_ = std::stop_source();
    if (cause_) source_.request_stop();
    return source_.get_token();
  }

 private:
  std::stop_source source_{std::nostopstate};  // has a state after the first token()
  std::optional<std::string> cause_;
};

}  // namespace berth::scheduler
