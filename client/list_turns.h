// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>

namespace berth::client {

// ListTurns has those list one after another who would all at once: when the API server comes back
// and has forgotten what each watch saw last. Thread safe.
class ListTurns {
 public:
  // One whose list takes longer than `patience` does not hold up the others any more.
  explicit ListTurns(std::chrono::milliseconds patience = std::chrono::seconds(30))
      : patience_(patience) {}

  // Turn lasts as long as the object lives. It begins when nobody else has one; its constructor waits
  // for that, for `patience` at most, or until `stop` is asked for. Requires: the turns outlive it.
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
  size_t taken_ = 0;  // more than one when patience ended
};

}  // namespace berth::client
