// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/signals.h"

#include <ctime>

namespace berth::operator_ {

TerminationSignal::TerminationSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

TerminationSignal::~TerminationSignal() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int TerminationSignal::WaitFor(std::chrono::milliseconds timeout) {
  const timespec wait{.tv_sec = timeout.count() / 1000,
                      .tv_nsec = (timeout.count() % 1000) * 1'000'000};
  const int signal = sigtimedwait(&signals_, nullptr, &wait);
  return signal > 0 ? signal : 0;
}

}  // namespace berth::operator_
