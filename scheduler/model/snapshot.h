// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/labels.h"
#include "scheduler/model/disruption_budgets.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/namespace_table.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

class Gang;         // scheduler/model/gang.h
class VolumeStore;  // scheduler/model/volumes/volume_store.h

// Snapshot is the cluster as one cycle sees it. The scheduling thread applies events only between
// cycles, so the snapshot is a view of the cache, not a copy: it does not change during a cycle.
//
// Invariants: Order() lists each known node once, round-robin over the zones, with zones and nodes
// in the order they were added (kube-scheduler pkg/scheduler/backend/cache/node_tree.go, list). It
// changes only when a node is added, removed or moved to another zone. Placeholders are not
// included.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  virtual std::span<const Slot> Order() const = 0;
  virtual const NodeInfo& At(Slot slot) const = 0;  // Requires: the slot is or was used by a node
  virtual Slot Find(std::string_view node_name) const = 0;  // kNoSlot if there is no such node
  virtual const ResourceColumns& Columns() const = 0;
  virtual ImageState Image(Symbol name) const = 0;  // empty if no node has the image
  // Counts placed pods by node and by topology domain.
  virtual const PodIndex& Pods() const = 0;

  // Returns the index of each slot in Order(); kNoRank if it is not included.
  static constexpr uint32_t kNoRank = ~uint32_t{0};
  virtual std::span<const uint32_t> Ranks() const = 0;

  // Returns the generation of the last change. All epochs share one sequence of generations.
  virtual uint64_t Generation() const = 0;
  // Returns the generation in which an epoch of the whole cluster last changed.
  virtual uint64_t ClusterEpoch(Epoch epoch) const = 0;
  // Appends the slots in which one of `epochs` changed after `generation`, including those of
  // deleted nodes. A slot may occur several times.
  virtual void ChangedSince(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const = 0;
  // Reports whether one of `epochs` that applies to the whole cluster changed after `generation`.
  bool ClusterChangedSince(EpochSet epochs, uint64_t generation) const;

  virtual const Vocabulary& Words() const = 0;

  // Of kinds other than pods and nodes, only those are available that a plugin of some profile
  // reads (PluginDescriptor::reads).
  virtual const NamespaceTable& Namespaces() const = 0;
  virtual const DisruptionBudgets& Budgets() const = 0;
  virtual const VolumeStore& Volumes() const = 0;
  // Returns the gang of the pod; null if the pod names no PodGroup.
  virtual const Gang* GangOf(const PodInfo& pod) const = 0;
  virtual bool HasGangs() const = 0;  // some pod belongs to one
  // Returns the selector of the Services that select the pod and of the ReplicationController,
  // ReplicaSet or StatefulSet that controls it, combined. Empty: there is none.
  virtual api::Selector DefaultSelector(const PendingPod& pod) const = 0;
  // Returns the selector of the first Service, by name, that selects the pod; absent: there is
  // none.
  virtual std::optional<api::Selector> FirstServiceSelector(const PodInfo& pod) const = 0;

  size_t NodeCount() const { return Order().size(); }
  NodeView View(Slot slot, const NodeDelta* delta = nullptr) const {
    return NodeView(At(slot), Columns(), delta);
  }
};

inline bool Snapshot::ClusterChangedSince(EpochSet epochs, uint64_t generation) const {
  for (size_t i = kNodeEpochCount; i < kEpochCount; ++i) {
    const auto epoch = static_cast<Epoch>(i);
    if (epochs.Has(epoch) && ClusterEpoch(epoch) > generation) return true;
  }
  return false;
}

}  // namespace berth::scheduler
