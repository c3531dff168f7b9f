// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>

namespace berth::operator_ {

// TerminationSignal makes SIGTERM and SIGINT something to wait for instead of something that
// interrupts. Make it before any thread is started: threads inherit that these signals are blocked.
class TerminationSignal {
 public:
  TerminationSignal();
  ~TerminationSignal();
  TerminationSignal(const TerminationSignal&) = delete;
  TerminationSignal& operator=(const TerminationSignal&) = delete;

  // WaitFor gives the signal that came, or 0 when none did within `timeout`.
  int WaitFor(std::chrono::milliseconds timeout);

 private:
  sigset_t signals_;
  sigset_t before_;
};

}  // namespace berth::operator_
