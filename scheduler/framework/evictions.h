// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduler/model/node_ref.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// EvictionRequest is the pods that have to be removed from a node so that the preemptor fits there,
// and first those on other nodes that are of no use without them: one at least, and none that goes
// already.
struct EvictionRequest {
  std::shared_ptr<const PendingPod> preemptor;
  NodeRef node;
  std::vector<std::shared_ptr<const PodInfo>> victims;
  bool respect_budgets;
  std::string scheduler_name;
};

class Evictions {
 public:
  virtual ~Evictions() = default;

  // Start begins to remove the victims in the background and clears the nominations of
  // lower-priority pods on that node. Until the last victim is on its way the preemptor is held
  // back by IsPreempting.
  virtual void Start(EvictionRequest request) = 0;
  // IsPreempting says whether this pod waits for its victims to go (PreEnqueue of DefaultPreemption
  // asks).
  virtual bool IsPreempting(const std::string& uid) const = 0;
};

}  // namespace berth::scheduler
