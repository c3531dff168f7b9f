// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/framework/volume_bindings.h"
#include "scheduler/plugins/volumes/unbound_claim.h"

namespace berth::scheduler {

// NodeVolumes is the result of checking a pod's volumes on one node.
struct NodeVolumes {
  std::string error;  // error that ended the check; empty: none
  // The checks that passed, in upstream's order of reasons.
  bool are_bound_reached = true;
  bool are_unbound_found = true;
  bool is_room_enough = true;
  bool bound_volumes_exist = true;
  // The bindings and provisions to perform if the node fits.
  std::vector<std::pair<const UnboundClaim*, const IndexedVolume*>> bindings;
  std::vector<std::pair<const UnboundClaim*, std::shared_ptr<const api::CsiStorageCapacity>>>
      provisions;

  bool fits() const {
    return error.empty() && are_bound_reached && are_unbound_found && is_room_enough &&
           bound_volumes_exist;
  }
  VolumeDecision Decision() const;  // Requires: fits
};

// PodVolumes holds the claims of a pod, prepared for checking nodes: the bound claims, and the
// claims that wait for their first consumer. A claim that two volumes of the pod use counts once;
// upstream looks for two volumes. Valid during one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/binder.go, GetPodVolumeClaims and FindPodVolumes.
class PodVolumes {
 public:
  // Returns PreFilter's status: an error if a claim is missing, being deleted, or unbound although
  // it does not wait for a pod; Skip if the pod has no claims.
  static Status Create(const CycleContext& cycle, std::optional<PodVolumes>& made);

  bool HasUnbound() const { return !provisioned_.empty() || !unbound_.empty(); }

  // Checks the node and overwrites `found`. Bound and unbound claims are both checked, whatever the
  // result of the other, unless an error ends the check.
  void CheckNode(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;

  // Key covers all that the results read of the pod; VersionsOf all that they read of the cluster
  // besides nodes.
  std::string Key() const;
  Versions VersionsOf(const Snapshot& snapshot) const;

 private:
  void CheckBound(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;
  void CheckUnbound(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;
  static bool Provision(const UnboundClaim& claim, const NodeInfo& node, const Snapshot& snapshot,
                        NodeVolumes& found);

  std::vector<std::optional<VolumeReach>> bound_;  // nullopt: the volume does not exist
  std::vector<UnboundClaim> provisioned_;          // claims with a selected node
  std::vector<UnboundClaim> unbound_;              // sorted by size, smallest first
};

}  // namespace berth::scheduler
