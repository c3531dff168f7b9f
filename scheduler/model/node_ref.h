// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// NodeRef is the node selected for a pod, from the selection to the end of the binding. Its name is
// constant. The node itself may be deleted while the pod waits in Permit or for the API server. Its
// slot may then belong to another node, and its name to another machine. Therefore the slot is only
// accessible through In, which checks that the node still exists.
class NodeRef {
 public:
  NodeRef() = default;  // no node
  // Requires: `node` is in a snapshot.
  explicit NodeRef(const NodeInfo& node)
      : name_(node.name), slot_(node.slot), incarnation_(node.incarnation) {}

  const std::string& name() const { return name_.text(); }
  const Word& word() const { return name_; }

  // Returns the current NodeInfo, or null if the node was deleted, even if another node has its
  // name. Never null in Reserve, Permit and PreBindPreFlight, because no event is applied between
  // the selection and these calls. Does no look-up by name.
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
