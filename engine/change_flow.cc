// SPDX-License-Identifier: Apache-2.0
#include "engine/change_flow.h"

namespace berth::engine {

void ChangeFlow::Await(size_t bytes) {
  std::unique_lock lock(mutex_);
  awaited_ = bytes;
  if (closed_ || posted_ <= kMaxBytes) return;
  applied_.wait(lock, [this] { return closed_ || posted_ <= kMaxBytes / 2; });
}

size_t ChangeFlow::Post() {
  const std::lock_guard lock(mutex_);
  posted_ += awaited_;
  return awaited_;
}

void ChangeFlow::Applied(size_t bytes) {
  const std::lock_guard lock(mutex_);
  const bool was_above = posted_ > kMaxBytes / 2;
  posted_ -= bytes;
  if (was_above && posted_ <= kMaxBytes / 2) applied_.notify_one();
}

void ChangeFlow::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  applied_.notify_all();
}

}  // namespace berth::engine
