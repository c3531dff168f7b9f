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

// WorkQueue holds the keys of objects that some worker must look at again. It remembers that a key
// needs work, never why or how often, so a burst of events is one reconcile. Source: client-go's
// workqueue.
//
//   Add, AddAfter when due --> ready --Get--> processing --Done--> gone
//                                ^                |
//                                +-- Done, when Add came in between ("dirty")
//
// Invariants: a key is with at most one worker at a time; a key that is added while it is processed
// is processed again, once, after Done; a ready key is listed once, and ready keys come out in the
// order they became ready.
//
// Threads: everything may be called from any thread. Time comes from the clock; Get waits in real
// time and so wants a SystemClock, tests use TryGet and NextDeadline with a FakeClock.
class WorkQueue {
 public:
  // The n-th failure in a row (n from 0) waits first * 2^n, at most limit.
  struct Backoff {
    std::chrono::nanoseconds first = std::chrono::milliseconds(5);
    std::chrono::nanoseconds limit = std::chrono::seconds(1000);
  };

  // The clock must outlive the queue.
  explicit WorkQueue(const Clock& clock) : WorkQueue(clock, Backoff()) {}
  WorkQueue(const Clock& clock, Backoff backoff) : clock_(clock), backoff_(backoff) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Add makes the key ready, or marks it dirty when it is being processed. Nothing happens if it is
  // ready already or after ShutDown.
  void Add(const std::string& key);

  // AddAfter is Add once `wait` has passed; of two waits for one key the one that ends first
  // counts.
  void AddAfter(const std::string& key, std::chrono::nanoseconds wait);

  // AddRateLimited is AddAfter with the key's backoff, which it doubles; Forget ends the row of
  // failures. Call Forget after a success.
  void AddRateLimited(const std::string& key);
  void Forget(const std::string& key);

  // Failures is how often AddRateLimited was called since the last Forget.
  int Failures(const std::string& key) const;

  // TryGet hands out the next ready key, delayed ones included that are due by now, or nothing. The
  // caller calls Done(key) in the end, whatever came of it.
  std::optional<std::string> TryGet();

  // Get is TryGet that waits until there is a key, the deadline (real steady time) or ShutDown.
  std::optional<std::string> Get(SteadyTime deadline = SteadyTime::max());

  void Done(const std::string& key);

  // NextDeadline is when the first delayed key becomes ready; nothing when none is delayed.
  std::optional<SteadyTime> NextDeadline() const;

  // ShutDown takes no more keys and drops delayed ones; those that are ready are still handed out,
  // then Get returns at once.
  void ShutDown();
  bool IsShutDown() const;

  size_t ready() const;    // how many keys TryGet could hand out, delayed ones not counted
  size_t delayed() const;  // how many keys wait for their time

 private:
  void AddLocked(const std::string& key);
  void AddAfterLocked(const std::string& key, std::chrono::nanoseconds wait);
  void MoveDueLocked();
  std::optional<std::string> TryGetLocked();

  const Clock& clock_;
  const Backoff backoff_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  // All below is guarded by mutex_.
  std::deque<std::string> ready_;               // dirty and not processing, in order
  std::unordered_set<std::string> dirty_;       // needs work: ready, or added while processing
  std::unordered_set<std::string> processing_;  // with a worker
  std::set<std::pair<SteadyTime, std::string>> schedule_;  // delayed keys by time
  std::unordered_map<std::string, SteadyTime> delayed_;    // the same by key
  std::unordered_map<std::string, int> failures_;
  bool shut_down_ = false;
};

}  // namespace berth
