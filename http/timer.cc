// SPDX-License-Identifier: Apache-2.0
#include "http/timer.h"

#include <stop_token>
#include <utility>

#include "base/check.h"
#include "http/callback_scope.h"

namespace berth::http {

ThreadTimer::ThreadTimer() : thread_([this](std::stop_token stop) { Run(std::move(stop)); }) {}

ThreadTimer::~ThreadTimer() {
  BERTH_CHECK(thread_.get_id() != std::this_thread::get_id(),
              "a timer is destroyed by its own callback");
}

Timer::Id ThreadTimer::After(std::chrono::milliseconds delay, std::function<void()> callback) {
  const TimePoint due = std::chrono::steady_clock::now() + delay;
  std::lock_guard lock(mutex_);
  const Id id = next_id_++;
  pending_.emplace(std::pair(due, id), std::move(callback));
  due_.emplace(id, due);
  changed_.notify_one();
  return id;
}

void ThreadTimer::Cancel(Id id) {
  std::lock_guard lock(mutex_);
  const auto found = due_.find(id);
  if (found == due_.end()) return;
  pending_.erase({found->second, id});
  due_.erase(found);
}

void ThreadTimer::Run(std::stop_token stop) {
  CallbackScope no_blocking;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (pending_.empty()) {
      changed_.wait(lock, stop, [this] { return !pending_.empty(); });
      continue;
    }
    const auto first = pending_.begin();
    const auto [due, id] = first->first;
    if (due > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, stop, due, [this, due = due] {
        return pending_.empty() || pending_.begin()->first.first < due;
      });
      continue;
    }
    const std::function<void()> callback = std::move(first->second);
    pending_.erase(first);
    due_.erase(id);
    lock.unlock();
    callback();
    lock.lock();
  }
}

}  // namespace berth::http
