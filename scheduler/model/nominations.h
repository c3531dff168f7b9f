// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// Nominations is the read-only view of the pods that are nominated to a node but not bound: after
// preemption, or because their status requests it. Implemented by queue/nominator.h.
class Nominations {
 public:
  using Pods = std::vector<std::shared_ptr<const PendingPod>>;

  virtual ~Nominations() = default;
  // Returns the pods nominated to a node, in the order of their nomination.
  virtual const Pods& On(const std::string& node) const = 0;
  // Visits all nodes with nominated pods, in no order.
  virtual void ForEach(const std::function<void(const std::string&, const Pods&)>& visit) const = 0;
};

}  // namespace berth::scheduler
