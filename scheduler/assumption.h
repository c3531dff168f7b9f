// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/error.h"
#include "scheduler/attempt.h"
#include "scheduler/cache/cache.h"

namespace berth::scheduler {

// Assumption is the claim an attempt has on its node: the pod is assumed in the cache, and Reserve
// plugins may hold things for it. Unless it is committed, its end gives all of that back: Unreserve
// of every Reserve plugin, in reverse order, then Forget. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, assumeAndReserve and unreserveAndForget. Owned by the scheduling
// thread.
class Assumption {
 public:
  // Create assumes attempt->bound. Errors: the cache has the pod already. Requires: attempt->bound,
  // attempt->node; `cache` outlives it.
  static Result<Assumption> Create(Cache& cache, std::shared_ptr<Attempt> attempt);

  Assumption(Assumption&& other) noexcept;
  Assumption& operator=(Assumption&&) = delete;
  ~Assumption() { Undo(); }

  // Commit leaves the pod in the cache, for the watch to confirm.
  void Commit() { attempt_.reset(); }
  // Undo gives everything back now. Says whether room on the node became free: not when the pod was
  // confirmed meanwhile.
  bool Undo();

 private:
  Assumption(Cache& cache, std::shared_ptr<Attempt> attempt)
      : cache_(&cache), attempt_(std::move(attempt)) {}

  Cache* cache_;
  std::shared_ptr<Attempt> attempt_;  // null: nothing to give back
};

}  // namespace berth::scheduler
