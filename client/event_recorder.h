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

// EventRecorder writes events.k8s.io/v1 Events. A repeated occurrence becomes a series of the first
// (event_series.h). Record only enqueues the occurrence; the recorder's own thread computes keys,
// events and requests. A failed write never delays another one: it waits for its own retry time.
// Dropped occurrences are counted. Thread safe.
// Source: client-go tools/events/event_broadcaster.go, recordToSink and attemptRecording.
class EventRecorder {
 public:
  // Sender sends one request. `done` runs once, on any thread.
  using Sender = std::function<void(ApiRequest request, Callback<std::string> done)>;

  // Requires: the clock, options.dropped and all objects that `send` uses outlive this.
  EventRecorder(Sender send, EventRecorderOptions options, const Clock& clock);
  // Allows recorded occurrences two seconds to be written.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // Enqueues the occurrence. Never blocks and never fails.
  void Record(Occurrence occurrence);

  // Retries waiting writes at once. Returns when every occurrence recorded so far is written,
  // dropped or waiting for a later retry; false: some are not written.
  bool Flush(std::chrono::milliseconds timeout);

  // Returns the number of occurrences that were not written: too many for one object, queue full,
  // rejected by the server, or no time left.
  uint64_t dropped() const;

 private:
  // Attempt is a write in flight, or about to be.
  struct Attempt {
    EventWrite write;
    int tries = 0;
  };

  void Run(const std::stop_token& stop);
  void TakeDue();
  // Does one piece of work without the lock: sends a request or processes an occurrence. Returns
  // false if there is no work.
  bool Work(std::unique_lock<std::mutex>& lock);
  void MakeWrites(std::unique_lock<std::mutex>& lock,
                  const std::function<void(std::vector<EventWrite>&)>& make);
  void Send(Attempt attempt);
  void OnAnswer(Attempt attempt, const Result<std::string>& answer);
  SteadyTime RetryTime(int tries);
  void Drop(size_t count);
  void Wake();
  // Reports whether all occurrences are written, dropped, or waiting for a retry after `time`.
  bool IsIdleUntil(SteadyTime time) const;

  const Sender send_;
  const EventRecorderOptions options_;
  const Clock& clock_;
  std::stop_source give_up_;

  // Used by the thread only:
  EventSeries series_;
  std::optional<SpamFilter> spam_;
  SteadyTime next_tick_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::condition_variable idle_;
  std::deque<Occurrence> recorded_;           // not yet processed, oldest first
  std::deque<Attempt> ready_;                 // to be sent, oldest first
  std::multimap<SteadyTime, Attempt> later_;  // waiting for a retry, by time
  size_t in_flight_ = 0;
  bool working_ = false;  // the thread holds an item that is in none of these queues
  bool woken_ = false;    // the thread must check the queues again
  uint64_t dropped_ = 0;

  std::jthread thread_;  // last: uses the rest
};

// Returns a sender that uses `client`, which must outlive it.
EventRecorder::Sender SendWith(Client& client);

// Registers berth_events_dropped_total, for EventRecorderOptions::dropped.
Counter& AddDroppedEvents(MetricsRegistry& metrics);

}  // namespace berth::client
