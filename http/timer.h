// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace berth::http {

// Timer runs short callbacks later. An interface, so that tests control time.
class Timer {
 public:
  using Id = uint64_t;

  virtual ~Timer() = default;

  virtual Id After(std::chrono::milliseconds delay, std::function<void()> callback) = 0;

  // Drops a callback that has not begun. Does not wait for a running callback.
  virtual void Cancel(Id id) = 0;
};

// ThreadTimer runs callbacks on one thread of its own. The destructor drops pending callbacks.
// After and Cancel cost O(log n) in the number of pending callbacks, because every request has a
// timer.
class ThreadTimer final : public Timer {
 public:
  ThreadTimer();
  ~ThreadTimer() override;

  Id After(std::chrono::milliseconds delay, std::function<void()> callback) override;
  void Cancel(Id id) override;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void Run(std::stop_token stop);

  std::mutex mutex_;  // guards the members below
  std::condition_variable_any changed_;
  std::map<std::pair<TimePoint, Id>, std::function<void()>> pending_;
  std::unordered_map<Id, TimePoint> due_;  // of the pending callbacks
  Id next_id_ = 1;
  std::jthread thread_;  // last: uses the rest
};

}  // namespace berth::http
