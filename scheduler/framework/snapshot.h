// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/framework/node_info.h"
#include "scheduler/framework/vocabulary.h"

namespace berth::scheduler {

// Snapshot is the cluster as one cycle sees it. Events are applied between cycles by the thread
// that runs them, so the snapshot is a view of the cache, not a copy: nothing it shows changes
// while a cycle runs.
//
// Invariants: Order() lists each known node once, round robin over the zones in the order zones and
// nodes came (kube-scheduler-core 4.3), and changes only when a node was added, removed or moved to
// another zone. Ghosts are not part of it.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  virtual std::span<const Slot> Order() const = 0;
  virtual const NodeInfo& At(Slot slot) const = 0;          // Requires: a slot of Order()
  virtual Slot Find(std::string_view node_name) const = 0;  // kNoSlot when there is no such node
  virtual const ResourceColumns& Columns() const = 0;
  virtual ImageState Image(Symbol name) const = 0;  // {0, 0} when no node has it
  // Slots of nodes that hold a pod with required anti-affinity.
  virtual std::span<const Slot> WithRequiredAntiAffinity() const = 0;
  // ClusterEpoch is the value of an epoch that belongs to the whole cluster.
  virtual uint64_t ClusterEpoch(Epoch epoch) const = 0;
  virtual const Vocabulary& Words() const = 0;

  size_t NodeCount() const { return Order().size(); }
  NodeView View(Slot slot, const NodeDelta* delta = nullptr) const {
    return NodeView(At(slot), Columns(), delta);
  }
};

}  // namespace berth::scheduler
