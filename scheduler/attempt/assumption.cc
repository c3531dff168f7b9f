// SPDX-License-Identifier: Apache-2.0
#include "scheduler/attempt/assumption.h"

#include <utility>

#include "base/log.h"

namespace berth::scheduler {

Result<Assumption> Assumption::Create(Cache& cache, std::shared_ptr<Attempt> attempt) {
  BERTH_TRY_VOID(cache.Assume(attempt->bound));
  return Assumption(cache, std::move(attempt));
}

Assumption::Assumption(Assumption&& other) noexcept
    : cache_(other.cache_), attempt_(std::move(other.attempt_)) {}

bool Assumption::Undo() {
  if (attempt_ == nullptr) return false;
  const std::shared_ptr<Attempt> attempt = std::move(attempt_);
  attempt_.reset();
  CycleContext cycle = attempt->Cycle(*cache_);
  attempt->profile->RunUnreserve(cycle, attempt->node);
  const Result<void> forgotten = cache_->Forget(attempt->uid());
  if (!forgotten) {
    log::Warn("Pod stays on its node in the cache",
              {{"pod", attempt->bound->Key()}, {"err", forgotten.error()}});
  }
  return forgotten.has_value();
}

}  // namespace berth::scheduler
