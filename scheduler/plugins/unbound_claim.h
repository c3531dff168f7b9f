// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/labels.h"
#include "api/persistent_volume.h"
#include "api/storage.h"
#include "base/quantity.h"
#include "scheduler/cache/volumes/volume_index.h"
#include "scheduler/cache/volumes/volume_reach.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// UnboundClaim is a claim that gets its volume where its first pod goes: which of the volumes there
// are it may take, and whether one may be made for it. Good for one cycle. Source: component-helpers
// storage/volume/pv_helpers.go, FindMatchingVolume; kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/binder.go, checkVolumeProvisions and
// hasEnoughCapacity.
class UnboundClaim {
 public:
  // Requires: the claim waits for its first consumer; `storage_class` is its class.
  UnboundClaim(std::shared_ptr<const api::PersistentVolumeClaim> claim,
               const api::StorageClass& storage_class, const Snapshot& snapshot);

  const std::shared_ptr<const api::PersistentVolumeClaim>& object() const { return claim_; }
  const Quantity& size() const { return probe_.capacity; }
  const std::string& storage_class() const { return storage_class_; }
  // The node that was chosen already for its volume to be made; null: none was.
  const std::string* selected_node() const { return selected_node_; }
  // error is why no volume can be looked for; empty: there is no reason.
  const std::string& error() const { return error_; }

  // FindVolume gives the smallest volume that it may take on the node and that is none of `taken`; a
  // volume that names the claim goes before all others, and if the node does not reach that, there
  // is none. Requires: no error.
  const IndexedVolume* FindVolume(const NodeInfo& node,
                                  std::span<const IndexedVolume* const> taken) const;

  // IsProvisionable says whether a volume may be made for it where the node reaches it.
  bool IsProvisionable(const NodeInfo& node) const;
  // HasRoom says whether its driver has room for that; `capacity` is where, if the driver tells.
  bool HasRoom(const NodeInfo& node, const Snapshot& snapshot,
               std::shared_ptr<const api::CsiStorageCapacity>& capacity) const;

  // AddTo adds what the answers depend on beside the node, the free volumes of the class and its
  // capacities.
  void AddTo(KeyText& text) const;

 private:
  using Set = VolumeIndex::Free::Set;

  bool Suits(const IndexedVolume& volume) const;    // whoever it names, or nobody
  bool MayTake(const IndexedVolume& volume) const;  // one that is free
  const IndexedVolume* SmallestOf(const Set& volumes, const NodeInfo& node,
                                  std::span<const IndexedVolume* const> taken) const;
  const std::vector<const IndexedVolume*>& MayTakeOf(const Set& volumes) const;

  std::shared_ptr<const api::PersistentVolumeClaim> claim_;
  std::string storage_class_;
  const std::string* selected_node_;
  std::optional<api::Selector> selector_;
  std::string error_;
  IndexedVolume probe_;                   // of its size, before all of that size
  const IndexedVolume* named_ = nullptr;  // a volume that names it
  const VolumeIndex::Free* free_ = nullptr;
  // Of a set with many, those it may take: found once a cycle.
  mutable std::map<const Set*, std::vector<const IndexedVolume*>> may_take_;

  std::string provisioner_;                            // empty: volumes of the class are not made
  std::vector<std::vector<LabelMatcher>> topologies_;  // any of these, all of its parts
  std::string topologies_text_;
  bool is_anywhere_ = true;  // there are no topologies
  bool is_limited_ = false;  // the driver tells how much room it has
};

}  // namespace berth::scheduler
