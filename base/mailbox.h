// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace berth {

// Mailbox passes messages from any number of threads to the thread that owns the state, so that the
// state needs no lock. T is movable: an event, or std::function<void()>.
//
// Threads: Post and Close from any thread; Take and TryTake from one consumer.
// Order: messages of one producer arrive in posting order; messages of different producers in the
// order of their Post calls. Writes before Post are visible to the consumer after Take.
// Memory: the mailbox is unbounded. A producer that can outrun the consumer must limit itself, as
// the scheduler's watches (engine/change_flow.h) and bindings (Engine::kMaxBindings) do.
template <class T>
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Adds a message and wakes the consumer. After Close it drops the message and returns false.
  bool Post(T message) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      waiting_.push_back(std::move(message));
      if (waiting_.size() > 1) return true;  // the first message has already woken the consumer
    }
    wake_.notify_one();
    return true;
  }

  // Takes all waiting messages in one swap. If there are none, waits for a message, for Close or
  // for the deadline. Returns an empty vector after the deadline, or if the mailbox is closed and
  // drained. The deadline uses the real steady clock; SteadyTime::max() waits without limit.
  std::vector<T> Take(SteadyTime deadline) {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return closed_ || !waiting_.empty(); };
    if (deadline == SteadyTime::max()) {
      wake_.wait(lock, ready);
    } else {
      wake_.wait_until(lock, deadline, ready);
    }
    return std::exchange(waiting_, {});
  }

  // Take without waiting.
  std::vector<T> TryTake() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }

  // Rejects further messages and wakes the consumer. Messages posted before are still delivered.
  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    wake_.notify_all();
  }

  // Reports whether the mailbox is closed and empty.
  bool IsDrained() const {
    const std::lock_guard lock(mutex_);
    return closed_ && waiting_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<T> waiting_;  // guarded by mutex_
  bool closed_ = false;     // guarded by mutex_
};

}  // namespace berth
