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

// Timer runs short callbacks later. An interface, so tests decide when time passes.
class Timer {
 public:
  using Id = uint64_t;

  virtual ~Timer() = default;

  virtual Id After(std::chrono::milliseconds delay, std::function<void()> callback) = 0;

  // Cancel forgets a callback that has not begun; one that runs now is not waited for.
  virtual void Cancel(Id id) = 0;
};

// ThreadTimer is the real one: one thread that sleeps until the next callback. Destroying it drops
// what has not begun. After and Cancel cost O(log n) of what is pending: every request has a timer.
class ThreadTimer final : public Timer {
 public:
  ThreadTimer();
  ~ThreadTimer() override;

  Id After(std::chrono::milliseconds delay, std::function<void()> callback) override;
  void Cancel(Id id) override;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void Run(std::stop_token stop);

  std::mutex mutex_;  // guards the four below
  std::condition_variable_any changed_;
  std::map<std::pair<TimePoint, Id>, std::function<void()>> pending_;
  std::unordered_map<Id, TimePoint> due_;  // of those pending
  Id next_id_ = 1;
  std::jthread thread_;  // last: starts when the rest stands
};

}  // namespace berth::http
