// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>

namespace berth::client {

// ListTurns serializes lists that would otherwise all start at once, for example when the API
// server returns without the history that watches need. Thread safe.
class ListTurns {
 public:
  // A list that takes longer than `patience` no longer blocks the next one.
  explicit ListTurns(std::chrono::milliseconds patience = std::chrono::seconds(30))
      : patience_(patience) {}

  // Turn holds a turn for its lifetime. The constructor waits until no other turn is held, at most
  // `patience`, or until `stop` is requested. Requires: the ListTurns outlives it.
  class Turn {
   public:
    Turn(ListTurns& turns, const std::stop_token& stop) : turns_(turns) { turns.Take(stop); }
    ~Turn() { turns_.GiveBack(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ListTurns& turns_;
  };

 private:
  void Take(const std::stop_token& stop);
  void GiveBack();

  const std::chrono::milliseconds patience_;
  std::mutex mutex_;  // guards taken_
  std::condition_variable_any given_back_;
  size_t taken_ = 0;  // more than one after a turn exceeded patience
};

}  // namespace berth::client
