// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// Nominations are the pods that are nominated to a node but not there yet: room was made for them,
// or they asked for it. What a search for a node has to know of them; queue/nominator.h keeps them.
class Nominations {
 public:
  using Pods = std::vector<std::shared_ptr<const PendingPod>>;

  virtual ~Nominations() = default;
  // On gives the pods nominated to a node, in the order of their nomination.
  virtual const Pods& On(const std::string& node) const = 0;
  // ForEach visits the nodes that On gives pods for, in no order.
  virtual void ForEach(const std::function<void(const std::string&, const Pods&)>& visit) const = 0;
};

}  // namespace berth::scheduler
