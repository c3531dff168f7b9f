// SPDX-License-Identifier: Apache-2.0
#include "http/server/io_timer.h"

#include <algorithm>

#include <boost/asio/dispatch.hpp>

namespace berth::http {

using std::chrono::steady_clock;

Timer::Id IoTimer::After(std::chrono::milliseconds delay, std::function<void()> callback) {
  const Id id = next_id_++;
  boost::asio::dispatch(
      io_, [this, id, when = steady_clock::now() + delay,
            callback = std::move(callback)]() mutable { Add(when, id, std::move(callback)); });
  return id;
}

void IoTimer::Cancel(Id id) {
  boost::asio::dispatch(io_, [this, id] {
    std::erase_if(pending_, [id](const auto& entry) { return entry.second.first == id; });
  });
}

void IoTimer::Add(TimePoint when, Id id, std::function<void()> callback) {
  const auto place = pending_.emplace(when, std::pair(id, std::move(callback)));
  if (place == pending_.begin()) Arm();
}

void IoTimer::Arm() {
  timer_.expires_at(pending_.begin()->first);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) RunDue();
  });
}

void IoTimer::RunDue() {
  const TimePoint now = steady_clock::now();
  while (!pending_.empty() && pending_.begin()->first <= now) {
    auto entry = pending_.extract(pending_.begin());
    entry.mapped().second();
  }
  if (!pending_.empty()) Arm();
}

}  // namespace berth::http
