// SPDX-License-Identifier: Apache-2.0
#include "controllers/requeue.h"

#include "base/log.h"

namespace berth::controllers {

void Requeue(const Outcome& outcome, std::string_view kind, const std::string& key,
             WorkQueue& queue) {
  // The client has already logged that the API server is unavailable.
  const bool is_away = outcome.error && (outcome.error->Is(Reason::kUnavailable) ||
                                         outcome.error->Is(Reason::kTimeout));
  if (outcome.error && !is_away) {
    log::Warn("Could not reconcile " + std::string(kind), {{kind, key}, {"err", *outcome.error}});
  }
  if (outcome.kind == Outcome::Kind::kRetry) {
    if (outcome.error && outcome.error->retry_after()) {
      queue.AddAfter(key, *outcome.error->retry_after());
    } else {
      queue.AddRateLimited(key);
    }
    return;
  }
  queue.Forget(key);
  if (outcome.requeue_after) queue.AddAfter(key, *outcome.requeue_after);
}

}  // namespace berth::controllers
