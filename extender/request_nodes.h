// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "api/node.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// RequestNodes temporarily replaces the core's nodes by the nodes of a request, for the lifetime of
// the object. The plugins see the caller's version of these nodes, and the core's version of all
// other objects (their pods, other nodes, volumes). A node of the same version as the core's costs
// nothing. On the thread that owns the scheduler, which must not change meanwhile.
class RequestNodes {
 public:
  using Nodes = std::vector<std::shared_ptr<const api::Node>>;

  // Requires: the scheduler outlives this; names are unique.
  RequestNodes(scheduler::Scheduler& core, const Nodes& nodes);
  ~RequestNodes();
  RequestNodes(const RequestNodes&) = delete;
  RequestNodes& operator=(const RequestNodes&) = delete;

 private:
  scheduler::Scheduler& core_;
  std::vector<api::Change<api::Node>> undo_;
};

}  // namespace berth::extender
