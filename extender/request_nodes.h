// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "api/node.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// RequestNodes puts the nodes of a question in the place of those that are known by their names,
// until its end: the plugins see the node as whoever asks sees it, and all else (the pods on it, the
// other nodes, volumes) as it is known here. A node in the version that is known already costs
// nothing. On the thread that owns the scheduler; nothing else may change it meanwhile.
class RequestNodes {
 public:
  using Nodes = std::vector<std::shared_ptr<const api::Node>>;

  // Requires: the scheduler outlives this; each name is there once.
  RequestNodes(scheduler::Scheduler& core, const Nodes& nodes);
  ~RequestNodes();
  RequestNodes(const RequestNodes&) = delete;
  RequestNodes& operator=(const RequestNodes&) = delete;

 private:
  scheduler::Scheduler& core_;
  std::vector<api::Change<api::Node>> undo_;
};

}  // namespace berth::extender
