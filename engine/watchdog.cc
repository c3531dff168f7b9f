// SPDX-License-Identifier: Apache-2.0
#include "engine/watchdog.h"

#include <condition_variable>
#include <mutex>

namespace berth::engine {
namespace {

constexpr std::chrono::milliseconds kLook{500};

}  // namespace

void Watchdog::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
}

void Watchdog::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Watchdog::Watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  while (!never.wait_for(lock, stop, kLook, [&] { return stop.stop_requested(); })) Look();
}

void Watchdog::Look() {
  const SteadyTime since = since_;
  const SteadyTime now = clock_.Now();
  if (stall_ && since != stalled_since_) {
    stall_->length = now - stalled_since_;
    stall_->is_over = true;
    tell_(*std::exchange(stall_, std::nullopt));
  }
  if (stall_ || since == SteadyTime{} || now - since < kLimit) return;
  stall_ = Stall{.length = now - since};
  stalled_since_ = since;
  if (const scheduler::PluginCall* call = calls_.Now()) {
    stall_->plugin = call->plugin;
    stall_->extension_point = call->point;
  }
  tell_(*stall_);
}

}  // namespace berth::engine
