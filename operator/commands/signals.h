// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>

namespace berth::operator_ {

// TerminationSignal turns SIGTERM and SIGINT into events to wait for. Create it before any thread
// starts, because threads inherit the blocked signals.
class TerminationSignal {
 public:
  TerminationSignal();
  ~TerminationSignal();
  TerminationSignal(const TerminationSignal&) = delete;
  TerminationSignal& operator=(const TerminationSignal&) = delete;

  // Returns the received signal, or 0 after `timeout`.
  int WaitFor(std::chrono::milliseconds timeout);

 private:
  sigset_t signals_;
  sigset_t before_;
};

}  // namespace berth::operator_
