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
#include "scheduler/model/key_text.h"
#include "scheduler/model/snapshot.h"
#include "scheduler/model/volumes/volume_index.h"
#include "scheduler/model/volumes/volume_reach.h"

namespace berth::scheduler {

// UnboundClaim is a claim that is bound when its first pod is scheduled (WaitForFirstConsumer). It
// finds the existing volumes that the claim may bind to, and reports whether one may be
// provisioned. Valid during one cycle. Source: component-helpers storage/volume/pv_helpers.go,
// FindMatchingVolume; kube-scheduler pkg/scheduler/framework/plugins/volumebinding/binder.go,
// checkVolumeProvisions and hasEnoughCapacity.
class UnboundClaim {
 public:
  // Requires: the claim waits for its first consumer; `storage_class` is its class.
  UnboundClaim(std::shared_ptr<const api::PersistentVolumeClaim> claim,
               const api::StorageClass& storage_class, const Snapshot& snapshot);

  const std::shared_ptr<const api::PersistentVolumeClaim>& object() const { return claim_; }
  const Quantity& size() const { return probe_.capacity; }
  const std::string& storage_class() const { return storage_class_; }
  // The node already selected for provisioning its volume; null if none is.
  const std::string* selected_node() const { return selected_node_; }
  // Returns the error that prevents the search for a volume, or an empty string.
  const std::string& error() const { return error_; }

  // Returns the smallest volume not in `taken` that the claim may bind to on the node. A volume
  // that names the claim takes precedence over all others: if the node does not reach it, the
  // result is null. Requires: no error.
  const IndexedVolume* FindVolume(const NodeInfo& node,
                                  std::span<const IndexedVolume* const> taken) const;

  // Reports whether a volume that the node reaches may be provisioned for the claim.
  bool IsProvisionable(const NodeInfo& node) const;
  // Reports whether the driver has enough capacity for that. `capacity` is set to the matching
  // CSIStorageCapacity if the driver publishes capacities.
  bool HasRoom(const NodeInfo& node, const Snapshot& snapshot,
               std::shared_ptr<const api::CsiStorageCapacity>& capacity) const;

  // Adds to a key all that the results depend on besides the node, the class's free volumes and its
  // capacities.
  void AddTo(KeyText& text) const;

 private:
  using Set = VolumeIndex::Free::Set;

  bool Suits(const IndexedVolume& volume) const;    // whatever its claimRef
  bool CanBind(const IndexedVolume& volume) const;  // requires a free volume
  const IndexedVolume* SmallestOf(const Set& volumes, const NodeInfo& node,
                                  std::span<const IndexedVolume* const> taken) const;
  const std::vector<const IndexedVolume*>& MayTakeOf(const Set& volumes) const;

  std::shared_ptr<const api::PersistentVolumeClaim> claim_;
  std::string storage_class_;
  const std::string* selected_node_;
  std::optional<api::Selector> selector_;
  std::string error_;
  IndexedVolume probe_;                   // sorts before all volumes of the claim's size
  const IndexedVolume* named_ = nullptr;  // a volume with a claimRef to this claim
  const VolumeIndex::Free* free_ = nullptr;
  // Cached results of CanBind for large sets, computed once per cycle.
  mutable std::map<const Set*, std::vector<const IndexedVolume*>> may_take_;

  std::string provisioner_;  // empty: the class does not provision volumes
  std::vector<std::vector<LabelMatcher>> topologies_;  // one entry must match with all its parts
  std::string topologies_text_;
  bool is_anywhere_ = true;  // the class has no allowedTopologies
  bool is_limited_ = false;  // the driver publishes its capacity
};

}  // namespace berth::scheduler
