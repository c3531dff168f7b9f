// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/clock.h"
#include "client/client.h"
#include "client/event.h"
#include "client/event_series.h"

namespace berth::client {

// EventRecorder writes events.k8s.io/v1 Events. Repeats of one (kind, reason, action, reporter,
// regarding, related) within six minutes become a series of the first one (event_series.h). Record
// never blocks and never fails: what cannot be written is counted in dropped(). Thread safe.
// Source: client-go tools/events/event_broadcaster.go, recordToSink.
class EventRecorder {
 public:
  // Requires: client and clock outlive this.
  EventRecorder(Client& client, EventRecorderOptions options, const Clock& clock);
  // Gives what was recorded two seconds to be written.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void Record(const Occurrence& occurrence);

  // Flush waits until everything recorded so far is written or dropped, at most so long; false: not
  // all of it.
  bool Flush(std::chrono::milliseconds timeout);

  // dropped counts occurrences of which nothing was written: too many for one object, too many
  // waiting, refused by the server.
  uint64_t dropped() const;

 private:
  struct Pending {
    EventWrite write;
    SteadyTime due;
    int tries = 0;
  };

  void Run(std::stop_token stop);
  void Push(EventWrite write);
  void Wake();
  void SendDue(std::unique_lock<std::mutex>& lock);
  void Send(Pending pending);
  void OnAnswer(Pending pending, const Result<std::string>& answer);
  bool IsIdle() const { return queue_.empty() && in_flight_ == 0; }

  Client& client_;
  const EventRecorderOptions options_;
  const Clock& clock_;
  std::stop_source give_up_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::condition_variable idle_;
  EventSeries series_;
  SpamFilter spam_;
  std::deque<Pending> queue_;  // what is due first stands first
  size_t in_flight_ = 0;
  uint64_t dropped_ = 0;
  SteadyTime next_tick_;
  bool woken_ = false;  // the thread should look again

  std::jthread thread_;  // last: uses the rest
};

}  // namespace berth::client
