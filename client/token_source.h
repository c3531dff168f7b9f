// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace berth::client {

// TokenSource returns the current bearer token: a fixed text, or the content of a file. The file is
// read again after a minute, and at once after Invalidate(). Thread safe; reads the file on the
// caller's thread.
class TokenSource {
 public:
  TokenSource(std::string token, std::string file, const Clock& clock);

  // Returns the token, or "" if none is configured. Error (kConfig): the file cannot be read or is
  // empty, and no earlier token is known.
  Result<std::string> Get();

  // Drops a token that the server rejected. Returns false if reading again cannot yield a different
  // one.
  bool Invalidate(const std::string& rejected);

 private:
  Result<std::string> ReadFile() const;

  const std::string fixed_;
  const std::string file_;
  const Clock& clock_;

  std::mutex mutex_;  // guards the members below
  std::string current_;
  std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace berth::client
