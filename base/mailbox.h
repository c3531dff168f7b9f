// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace berth {

// Mailbox carries messages from any number of threads to the one thread that owns the state they
// are about, so that this state needs no lock. T is movable: an event, or std::function<void()>.
//
// Threads: Post and Close from any thread; Take and TryTake from one consumer.
// Order: messages of one producer arrive in the order it posted them; of two producers, in the
// order their posts were serialised. What a producer wrote before Post is visible to the consumer
// after Take. Memory: the box takes whatever is posted. A producer that can outrun the consumer
// limits itself (a watch stops reading, a binder has so many requests in flight).
template <class T>
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Post puts a message in and wakes the consumer. False, and the message is dropped, after Close.
  bool Post(T message) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      waiting_.push_back(std::move(message));
      if (waiting_.size() > 1) return true;  // the first one has woken the consumer
    }
    wake_.notify_one();
    return true;
  }

  // Take gives all waiting messages in one swap; with none it waits for one, for Close or for the
  // deadline. Empty after the deadline or when closed. The deadline is of the real steady clock;
  // SteadyTime::max() waits without limit.
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

  // TryTake is Take that never waits.
  std::vector<T> TryTake() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }

  // Close refuses further messages and wakes the consumer, which still gets those posted before.
  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    wake_.notify_all();
  }

  // True when nothing will ever come again: closed and emptied.
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
