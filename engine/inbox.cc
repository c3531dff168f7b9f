// SPDX-License-Identifier: Apache-2.0
#include "engine/inbox.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::engine {

void Inbox::Take(SteadyTime deadline, bool may_sleep) {
  std::ranges::move(may_sleep && messages_.empty() ? mailbox_.Take(deadline) : mailbox_.TryTake(),
                    std::back_inserter(messages_));
}

void Inbox::Run() {
  const SteadyTime until = clock_.Now() + kTime;
  while (!messages_.empty()) {
    const Message message = std::move(messages_.front());
    messages_.pop_front();
    message();
    if (clock_.Now() >= until) return;
  }
}

}  // namespace berth::engine
