// SPDX-License-Identifier: Apache-2.0
#include "client/list_turns.h"

namespace berth::client {

void ListTurns::Take(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  given_back_.wait_for(lock, stop, patience_, [this] { return taken_ == 0; });
  ++taken_;
}

void ListTurns::GiveBack() {
  {
    const std::lock_guard lock(mutex_);
    --taken_;
  }
  given_back_.notify_one();
}

}  // namespace berth::client
