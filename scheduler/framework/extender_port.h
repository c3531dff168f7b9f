// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "base/error.h"
#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// NodeRejection is a node that an extender rejects, with the extender's message: one line, without
// control characters.
struct NodeRejection {
  Slot slot;
  std::string message;
  bool is_resolvable;  // by preemption: FailedNodes, not FailedAndUnresolvableNodes
};

// ExtenderVerdicts is an extender's answer to filter: the accepted nodes, in the order of the
// request, and the nodes rejected with a reason. A node in neither list is rejected without one.
struct ExtenderVerdicts {
  std::vector<Slot> fitting;
  std::vector<NodeRejection> rejections;
};

// ExtenderScore is a node's score as the extender returned it. The protocol allows 0 to 10, but the
// range is not checked.
struct ExtenderScore {
  Slot slot;
  int64_t score;
};

// ExtenderPort sends the requests to one extender, in the form that the extender takes (node names
// or whole objects), and decodes its answers. It has no scheduling logic. Filter, Preempt and the
// function returned by Prioritize block for at most the extender's httpTimeout. Errors are
// upstream's texts, in one line. Implemented by engine/ over HTTP and by tests. Source:
// kube-scheduler pkg/scheduler/extender.go.
class ExtenderPort {
 public:
  virtual ~ExtenderPort() = default;

  virtual Result<ExtenderVerdicts> Filter(const PendingPod& pod, const Snapshot& snapshot,
                                          std::span<const Slot> nodes) = 0;
  // Sends the request and returns the function that waits for the answer, so that several extenders
  // work in parallel. Scores of nodes outside the request are dropped.
  using AwaitScores = std::function<Result<std::vector<ExtenderScore>>()>;
  virtual AwaitScores Prioritize(const PendingPod& pod, const Snapshot& snapshot,
                                 std::span<const Slot> nodes) = 0;
  // Returns the candidates that the extender accepts, each with the victims that it returned.
  virtual Result<std::vector<Candidate>> Preempt(const PendingPod& pod, const Snapshot& snapshot,
                                                 std::span<const Candidate> candidates) = 0;
  // Lets the extender create the Binding. `done` is called as by ApiPort.
  virtual void Bind(const PendingPod& pod, const NodeRef& node,
                    std::function<void(Result<void>)> done) = 0;
};

// MakeExtenderPort creates the port of an extender. Returns an error for an invalid address or TLS
// configuration.
using MakeExtenderPort =
    std::function<Result<std::unique_ptr<ExtenderPort>>(const api::Extender& extender)>;

}  // namespace berth::scheduler
