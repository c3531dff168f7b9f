// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>

#include "base/clock.h"
#include "base/mailbox.h"

namespace berth::engine {

// Inbox runs the messages of other threads on the scheduling thread, for a limited time in each
// turn. Post and Close from any thread, all else on the scheduling thread.
class Inbox {
 public:
  using Message = std::function<void()>;
  static constexpr std::chrono::milliseconds kTime{50};

  // Requires: the clock outlives this.
  explicit Inbox(const Clock& clock) : clock_(clock) {}

  void Post(Message message) { mailbox_.Post(std::move(message)); }
  void Close() { mailbox_.Close(); }

  // Takes the posted messages. If there is none to run and it may sleep, it waits for one until the
  // deadline.
  void Take(SteadyTime deadline, bool may_sleep);
  // Runs taken messages until kTime has passed, at least one.
  void Run();

 private:
  const Clock& clock_;
  Mailbox<Message> mailbox_;
  std::deque<Message> messages_;  // taken and not run yet
};

}  // namespace berth::engine
