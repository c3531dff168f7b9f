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
class VolumeStore;  // scheduler/cache/volumes/volume_store.h

// Snapshot is the cluster as one cycle sees it. Events are applied between cycles by the thread
// that runs them, so the snapshot is a view of the cache, not a copy: nothing it shows changes
// while a cycle runs.
//
// Invariants: Order() lists each known node once, round robin over the zones in the order zones and
// nodes came (kube-scheduler pkg/scheduler/backend/cache/node_tree.go, list), and changes only when
// a node was added, removed or moved to another zone. Ghosts are not part of it.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  virtual std::span<const Slot> Order() const = 0;
  virtual const NodeInfo& At(Slot slot) const = 0;  // Requires: a slot that is or was a node's
  virtual Slot Find(std::string_view node_name) const = 0;  // kNoSlot when there is no such node
  virtual const ResourceColumns& Columns() const = 0;
  virtual ImageState Image(Symbol name) const = 0;  // empty when no node has it
  // Pods counts placed pods by node and by topology domain.
  virtual const PodIndex& Pods() const = 0;

  // Ranks gives the place of each slot in Order(); kNoRank for one that is not in it.
  static constexpr uint32_t kNoRank = ~uint32_t{0};
  virtual std::span<const uint32_t> Ranks() const = 0;

  // Generation is that of the last change. All epochs share one sequence of generations.
  virtual uint64_t Generation() const = 0;
  // ClusterEpoch is the generation in which an epoch of the whole cluster changed last.
  virtual uint64_t ClusterEpoch(Epoch epoch) const = 0;
  // ChangedSince appends the slots of which one of `epochs` changed after `generation`, those of
  // nodes that are gone, too; a slot may come more than once.
  virtual void ChangedSince(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const = 0;
  // ClusterChangedSince says whether one of those `epochs` that belong to the whole cluster changed
  // after `generation`.
  bool ClusterChangedSince(EpochSet epochs, uint64_t generation) const;

  virtual const Vocabulary& Words() const = 0;

  // Of other kinds than pods and nodes only those are known that a plugin of some profile reads
  // (PluginDescriptor::reads).
  virtual const NamespaceTable& Namespaces() const = 0;
  virtual const DisruptionBudgets& Budgets() const = 0;
  virtual const VolumeStore& Volumes() const = 0;
  // GangOf is the gang that the pod belongs to; null: it names no PodGroup.
  virtual const Gang* GangOf(const PodInfo& pod) const = 0;
  virtual bool HasGangs() const = 0;  // some pod belongs to one
  // DefaultSelector selects the pods that belong together with this one, by the Services that
  // select it and the ReplicationController, ReplicaSet or StatefulSet that controls it. Empty:
  // nothing does.
  virtual api::Selector DefaultSelector(const PendingPod& pod) const = 0;
  // FirstServiceSelector is the selector of the Service, the first by name, that selects the pod;
  // absent: none does.
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
