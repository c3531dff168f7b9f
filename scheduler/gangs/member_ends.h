// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "api/pod.h"
#include "base/error.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/ports.h"

namespace berth::scheduler {

// MemberEnds finds out how placed members ended that were never seen running. A pod that succeeds
// quickly leaves the watch like a deleted one: the watch selects pods that have not ended, and the
// kubelet may report Running and Succeeded in one status. Without a look at the pod its gang would
// count as one that lost a member before it ran, and the healthy rest would be evicted.
//
// Each such member is read when it leaves. If it succeeded, its gang has run. If it failed or is
// gone, it is lost. Gangs that this scheduler did not place, or that have run, need no look. Owned
// by the scheduling thread.
class MemberEnds {
 public:
  // Requires: both outlive this.
  MemberEnds(ApiPort& api, Cache& cache) : api_(api), cache_(cache) {}

  // Called when the API server removed a pod, before the cache does.
  void OnRemoved(const PodInfo& pod);
  // Reports whether the ends of all members that left are known. Members whose read failed are read
  // again.
  bool AreKnown(const Gang& gang);
  // Called when a gang ends.
  void Forget(const std::string& key) { unknown_.erase(key); }

 private:
  struct End {
    PodRef pod;
    bool is_being_read = true;
  };
  using Ends = std::map<std::string, End>;  // by UID

  void Read(const std::string& key, const PodRef& pod);
  void OnRead(const std::string& key, const std::string& uid,
              const Result<std::shared_ptr<const api::Pod>>& read);

  ApiPort& api_;
  Cache& cache_;
  std::unordered_map<std::string, Ends> unknown_;  // by the gang's key; not empty
};

}  // namespace berth::scheduler
