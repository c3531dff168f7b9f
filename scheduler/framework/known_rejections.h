// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {

// KnownRejections holds the rejections of the members of one gang in one unchanged state of the
// cluster, by equivalence class: members with equal keys (CachedResults::RejectionKey) get equal
// outcomes, so one search rejects all equal members. Only rejections that evict nothing are kept,
// with their texts instead of the verdicts of all nodes.
class KnownRejections {
 public:
  // Returns the outcome of a pod with this key, or null. Valid until the next change of this.
  const Outcome* Find(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found != by_key_.end() ? &found->second : nullptr;
  }
  bool empty() const { return by_key_.empty(); }
  // Keeps an outcome, unless it is no rejection or preemption found room.
  void Add(std::string key, const Outcome& outcome);
  // Must be called when the cluster changes.
  void Clear() { by_key_.clear(); }

 private:
  std::unordered_map<std::string, Outcome> by_key_;
};

}  // namespace berth::scheduler
