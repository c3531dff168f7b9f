// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduler/model/node_ref.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// EvictionRequest lists the pods to evict from a node so that the preemptor fits there. Members of
// their gangs on other nodes, which cannot run without them, come first. Has at least one victim;
// none of them is terminating.
struct EvictionRequest {
  std::shared_ptr<const PendingPod> preemptor;
  NodeRef node;
  std::vector<std::shared_ptr<const PodInfo>> victims;
  bool respect_budgets;
  std::string scheduler_name;
  std::string pod_group = {};  // UID of the PodGroup that needs the room; empty: only the preemptor
};

class Evictions {
 public:
  virtual ~Evictions() = default;

  // Starts evicting the victims in the background and clears the nominations of lower-priority pods
  // on that node. IsPreempting holds the preemptor back until the last victim is being deleted.
  virtual void Start(EvictionRequest request) = 0;
  // Reports whether evictions for this pod are still in progress; called by PreEnqueue of
  // DefaultPreemption.
  virtual bool IsPreempting(const std::string& uid) const = 0;
};

}  // namespace berth::scheduler
