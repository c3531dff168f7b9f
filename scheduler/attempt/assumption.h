// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/error.h"
#include "scheduler/attempt/attempt.h"
#include "scheduler/cache/cache.h"

namespace berth::scheduler {

// Assumption is the reservation of a node by an attempt: the pod is assumed in the cache, and
// Reserve plugins may hold resources for it. The destructor releases it unless it was committed: it
// calls Unreserve of all Reserve plugins in reverse order, then Forget. Source: kube-scheduler
// pkg/scheduler/schedule_one.go, assumeAndReserve and unreserveAndForget. Owned by the scheduling
// thread.
class Assumption {
 public:
  // Assumes attempt->bound. Errors: the pod is already in the cache. Requires: attempt->bound and
  // attempt->node are set; `cache` outlives the result.
  static Result<Assumption> Create(Cache& cache, std::shared_ptr<Attempt> attempt);

  Assumption(Assumption&& other) noexcept;
  Assumption& operator=(Assumption&&) = delete;
  ~Assumption() { Undo(); }

  // Keeps the pod in the cache until the watch confirms it.
  void Commit() { attempt_.reset(); }
  // Releases the reservation now. Returns whether this freed resources on the node; false if the
  // pod was confirmed meanwhile.
  bool Undo();

 private:
  Assumption(Cache& cache, std::shared_ptr<Attempt> attempt)
      : cache_(&cache), attempt_(std::move(attempt)) {}

  Cache* cache_;
  std::shared_ptr<Attempt> attempt_;  // null: nothing to release
};

}  // namespace berth::scheduler
