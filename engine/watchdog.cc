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
  SteadyTime told{};
  while (!never.wait_for(lock, stop, kLook, [&] { return stop.stop_requested(); })) {
    const SteadyTime since = since_;
    const auto so_far = clock_.Now() - since;
    if (since == SteadyTime{} || since == told || so_far < kLimit) continue;
    told = since;
    on_stall_(so_far);
  }
}

}  // namespace berth::engine
