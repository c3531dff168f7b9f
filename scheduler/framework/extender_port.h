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

// NodeRejection is a node that an extender refuses, in its words: one line, without control characters.
struct NodeRejection {
  Slot slot;
  std::string message;
  bool is_resolvable;  // by taking pods away: FailedNodes, not FailedAndUnresolvableNodes
};

// ExtenderVerdicts is an extender's answer to filter: which of the nodes it was asked about it lets
// pass, in the order they were asked, and which it refuses with a reason. Others it passes over.
struct ExtenderVerdicts {
  std::vector<Slot> fitting;
  std::vector<NodeRejection> rejections;
};

// ExtenderScore is a node's score as the extender gave it, 0 to 10 by the protocol, which nobody
// checks.
struct ExtenderScore {
  Slot slot;
  int64_t score;
};

// ExtenderPort is the calls of one extender. They send what the extender takes (names, or whole
// objects), read its answer, and know nothing of when it is called and what its answers lead to.
// Filter, Preempt and what Prioritize gives block, for no longer than the extender's httpTimeout.
// Errors are upstream's texts, in one line. Implemented by engine/ over HTTP and by tests.
// Source: kube-scheduler pkg/scheduler/extender.go.
class ExtenderPort {
 public:
  virtual ~ExtenderPort() = default;

  virtual Result<ExtenderVerdicts> Filter(const PendingPod& pod, const Snapshot& snapshot,
                                          std::span<const Slot> nodes) = 0;
  // Prioritize sends the question, and gives the function that waits for the answer, so that several
  // extenders are asked at a time. Nodes that were not asked about are left out.
  using AwaitScores = std::function<Result<std::vector<ExtenderScore>>()>;
  virtual AwaitScores Prioritize(const PendingPod& pod, const Snapshot& snapshot,
                                 std::span<const Slot> nodes) = 0;
  // Preempt gives the candidates that are left, each with the victims that are left.
  virtual Result<std::vector<Candidate>> Preempt(const PendingPod& pod, const Snapshot& snapshot,
                                                 std::span<const Candidate> candidates) = 0;
  // Bind has the extender create the Binding. `done` comes as from ApiPort.
  virtual void Bind(const PendingPod& pod, const NodeRef& node,
                    std::function<void(Result<void>)> done) = 0;
};

// MakeExtenderPort gives the port to an extender of a configuration; the error says what is wrong
// with its address or TLS.
using MakeExtenderPort =
    std::function<Result<std::unique_ptr<ExtenderPort>>(const api::Extender& extender)>;

}  // namespace berth::scheduler
