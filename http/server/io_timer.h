// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "http/timer.h"

namespace berth::http {

// IoTimer runs callbacks on the thread of an io_context; callbacks of the same time run in the
// order of After. After and Cancel from any thread; Clear only after the io_context has stopped.
class IoTimer final : public Timer {
 public:
  explicit IoTimer(boost::asio::io_context& io) : io_(io), timer_(io) {}

  Id After(std::chrono::milliseconds delay, std::function<void()> callback) override;
  void Cancel(Id id) override;
  void Clear() { pending_.clear(); }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void Add(TimePoint when, Id id, std::function<void()> callback);
  void Arm();
  void RunDue();

  boost::asio::io_context& io_;
  std::atomic<Id> next_id_{1};

  // Used on the io_context's thread only.
  boost::asio::steady_timer timer_;
  std::multimap<TimePoint, std::pair<Id, std::function<void()>>> pending_;
};

}  // namespace berth::http
