// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace berth::client {

// TokenSource gives the bearer token of the moment: a fixed text, or a file that is read again when
// the value is older than a minute and at once after Invalidate(). Thread safe; reads the file on
// the caller's thread.
class TokenSource {
 public:
  TokenSource(std::string token, std::string file, const Clock& clock);

  // Get gives the token, empty when there is none to send. Error (kConfig): the file cannot be read
  // or is empty, and no token was read from it before.
  Result<std::string> Get();

  // Invalidate drops a token that the server refused. False: another read cannot give a different
  // one.
  bool Invalidate(const std::string& rejected);

 private:
  Result<std::string> ReadFile() const;

  const std::string fixed_;
  const std::string file_;
  const Clock& clock_;

  std::mutex mutex_;  // guards the two below
  std::string current_;
  std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace berth::client
