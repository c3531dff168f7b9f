// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// NodeRef is the node that was chosen for a pod, from the choice to the end of the binding. Its
// name says for good where the pod is to go. The node itself may go while the pod waits in Permit
// or for the API server; then its slot may be another node's, and its name another machine's.
// Therefore no slot is to be had from it but by asking whether the node is still there.
class NodeRef {
 public:
  NodeRef() = default;  // no node
  // Requires: a node of a snapshot.
  explicit NodeRef(const NodeInfo& node)
      : name_(node.name), slot_(node.slot), incarnation_(node.incarnation) {}

  const std::string& name() const { return name_.text(); }
  const Word& word() const { return name_; }

  // In gives the node as it is now, or null: it is gone, be there another under its name. Never
  // null in Reserve, Permit and PreBindPreFlight, since no event is applied between the choice and
  // these. Asks nothing by name.
  const NodeInfo* In(const Snapshot& snapshot) const {
    if (slot_ == kNoSlot) return nullptr;
    const NodeInfo& node = snapshot.At(slot_);
    return node.incarnation == incarnation_ ? &node : nullptr;
  }

 private:
  Word name_;
  Slot slot_ = kNoSlot;
  uint64_t incarnation_ = 0;
};

}  // namespace berth::scheduler
