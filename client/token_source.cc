// SPDX-License-Identifier: Apache-2.0
#include "client/token_source.h"

#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"

namespace berth::client {
namespace {

constexpr std::chrono::seconds kReadAgainAfter{60};

}  // namespace

TokenSource::TokenSource(std::string token, std::string file, const Clock& clock)
    : fixed_(std::move(token)), file_(std::move(file)), clock_(clock) {}

Result<std::string> TokenSource::ReadFile() const {
  BERTH_TRY(const std::string text, berth::ReadFile(file_));
  std::string token(TrimSpace(text));
  if (token.empty()) return ConfigError("token file " + file_ + " is empty");
  return token;
}

Result<std::string> TokenSource::Get() {
  if (file_.empty()) return fixed_;
  std::lock_guard lock(mutex_);
  const SteadyTime now = clock_.Now();
  if (!current_.empty() && now - read_at_ < kReadAgainAfter) return current_;
  auto read = ReadFile();
  if (read) {
    current_ = std::move(*read);
  } else if (current_.empty()) {
    return Fail(read.error().With("token of the API server"));
  } else {
    log::Warn("Kept the old token", {{"err", read.error()}});
  }
  read_at_ = now;
  return current_;
}

bool TokenSource::Invalidate(const std::string& rejected) {
  if (file_.empty()) return false;
  std::lock_guard lock(mutex_);
  if (current_ == rejected) current_.clear();
  return true;
}

}  // namespace berth::client
