// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/clock.h"

namespace berth {

// WorkQueue holds the keys of objects to reconcile. It stores only that a key needs work, not why
// or how often, so a burst of events causes one reconcile. Source: client-go's workqueue.
//
//   Add, AddAfter when due --> ready --Get--> processing --Done--> gone
//                                ^                |
//                                +-- Done, when Add came in between ("dirty")
//
// Invariants: at most one worker processes a key at a time. A key added while it is processed is
// processed again, once, after Done. A ready key is listed once. Ready keys are returned in the
// order they became ready.
//
// Threads: call any function from any thread. Time comes from the clock. Get waits in real time and
// needs a SystemClock; tests use TryGet and NextDeadline with a FakeClock.
class WorkQueue {
 public:
  // The delay after n previous consecutive failures is min(first * 2^n, limit).
  struct Backoff {
    std::chrono::nanoseconds first = std::chrono::milliseconds(5);
    std::chrono::nanoseconds limit = std::chrono::seconds(1000);
  };

  // The clock must outlive the queue.
  explicit WorkQueue(const Clock& clock) : WorkQueue(clock, Backoff()) {}
  WorkQueue(const Clock& clock, Backoff backoff) : clock_(clock), backoff_(backoff) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Makes the key ready, or marks it dirty if it is being processed. No effect if it is already
  // ready or after ShutDown.
  void Add(const std::string& key);

  // Adds the key after `wait`. If a key has two delays, the one that ends first applies.
  void AddAfter(const std::string& key, std::chrono::nanoseconds wait);

  // Adds the key after its backoff and doubles the backoff. Call Forget after a success to reset
  // it.
  void AddRateLimited(const std::string& key);
  void Forget(const std::string& key);

  // Returns the number of AddRateLimited calls since the last Forget.
  int Failures(const std::string& key) const;

  // Returns the next ready key, including delayed keys that are due, or nullopt. The caller must
  // call Done(key) afterwards, on success and on failure.
  std::optional<std::string> TryGet();

  // TryGet that waits for a key, the deadline (real steady time) or ShutDown.
  std::optional<std::string> Get(SteadyTime deadline = SteadyTime::max());

  void Done(const std::string& key);

  // Returns the time at which the first delayed key becomes ready, or nullopt.
  std::optional<SteadyTime> NextDeadline() const;

  // Stops accepting keys and drops delayed keys. Ready keys are still returned; then Get returns at
  // once.
  void ShutDown();
  bool IsShutDown() const;

  // Returns the longest time for which a worker has had a key, or ready keys have waited without
  // any worker taking one. Zero if there is no such key, and before the first TryGet or Get: without
  // workers keys may wait. Delayed keys do not count.
  std::chrono::nanoseconds StuckFor() const;

  size_t ready() const;    // keys that TryGet can return, without delayed ones
  size_t delayed() const;  // keys that wait for their time

 private:
  void AddLocked(const std::string& key);
  void MakeReadyLocked(const std::string& key);
  void AddAfterLocked(const std::string& key, std::chrono::nanoseconds wait);
  void MoveDueLocked();
  std::optional<std::string> TryGetLocked();

  const Clock& clock_;
  const Backoff backoff_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  // All below is guarded by mutex_.
  std::deque<std::string> ready_;          // dirty and not processing, in order
  std::unordered_set<std::string> dirty_;  // needs work: ready, or added while processing
  std::unordered_map<std::string, SteadyTime> processing_;  // with a worker, since this time
  // The time of the last TryGet, or of the first ready key after it; nullopt before the first TryGet.
  std::optional<SteadyTime> moved_;
  std::set<std::pair<SteadyTime, std::string>> schedule_;  // delayed keys by time
  std::unordered_map<std::string, SteadyTime> delayed_;    // the same by key
  std::unordered_map<std::string, int> failures_;
  bool shut_down_ = false;
};

}  // namespace berth
