// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "client/client.h"
#include "client/event.h"
#include "client/event_series.h"

namespace berth::client {

// EventRecorder writes events.k8s.io/v1 Events. Repeats become a series of the first
// (event_series.h). Record only puts the occurrence down; a thread of the recorder's own makes keys,
// events and requests of it. Nothing that fails delays anything else: a write that may succeed later
// waits for its own time. What is never written is counted. Thread safe.
// Source: client-go tools/events/event_broadcaster.go, recordToSink and attemptRecording.
class EventRecorder {
 public:
  // Sender makes one request; `done` comes once, on any thread.
  using Sender = std::function<void(ApiRequest request, Callback<std::string> done)>;

  // Requires: what `send` uses, the clock and options.dropped outlive this.
  EventRecorder(Sender send, EventRecorderOptions options, const Clock& clock);
  // Gives what was recorded two seconds to be written.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // Record never blocks and never fails.
  void Record(Occurrence occurrence);

  // Flush tries what waits for another attempt at once, and waits until everything recorded so far
  // is written or dropped, or waits for a time that is later; false: not all is written.
  bool Flush(std::chrono::milliseconds timeout);

  // dropped counts occurrences of which nothing was written: too many of one object, too many
  // waiting, refused by the server, no time left.
  uint64_t dropped() const;

 private:
  // Attempt is a write on its way, or about to be.
  struct Attempt {
    EventWrite write;
    int tries = 0;
  };

  void Run(const std::stop_token& stop);
  void TakeDue();
  // Work does one thing without the lock: sends a request or looks at an occurrence. False: there
  // is nothing to do now.
  bool Work(std::unique_lock<std::mutex>& lock);
  void MakeWrites(std::unique_lock<std::mutex>& lock,
                  const std::function<void(std::vector<EventWrite>&)>& make);
  void Send(Attempt attempt);
  void OnAnswer(Attempt attempt, const Result<std::string>& answer);
  SteadyTime RetryTime(int tries);
  void Drop(size_t count);
  void Wake();
  // IsIdleUntil: all is written or dropped but what waits for another attempt after that time.
  bool IsIdleUntil(SteadyTime time) const;

  const Sender send_;
  const EventRecorderOptions options_;
  const Clock& clock_;
  std::stop_source give_up_;

  // Of the thread:
  EventSeries series_;
  std::optional<SpamFilter> spam_;
  SteadyTime next_tick_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::condition_variable idle_;
  std::deque<Occurrence> recorded_;           // not yet looked at, oldest first
  std::deque<Attempt> ready_;                 // to be sent, oldest first
  std::multimap<SteadyTime, Attempt> later_;  // to be tried again, by when
  size_t in_flight_ = 0;
  bool working_ = false;  // the thread holds something that is in none of these
  bool woken_ = false;    // the thread should look again
  uint64_t dropped_ = 0;

  std::jthread thread_;  // last: uses the rest
};

// SendWith is a recorder's way to the API server by that client, which must outlive it.
EventRecorder::Sender SendWith(Client& client);

// AddDroppedEvents adds berth_events_dropped_total, for EventRecorderOptions::dropped.
Counter& AddDroppedEvents(MetricsRegistry& metrics);

}  // namespace berth::client
