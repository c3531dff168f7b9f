// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/framework/volume_bindings.h"
#include "scheduler/plugins/unbound_claim.h"

namespace berth::scheduler {

// NodeVolumes is what a pod's volumes come to on one node.
struct NodeVolumes {
  std::string error;  // what ended the search; empty: nothing did
  // What is well; upstream's order of reasons.
  bool are_bound_reached = true;
  bool are_unbound_found = true;
  bool is_room_enough = true;
  bool are_bound_there = true;
  // What is to be done, if all of it is.
  std::vector<std::pair<const UnboundClaim*, const IndexedVolume*>> bindings;
  std::vector<std::pair<const UnboundClaim*, std::shared_ptr<const api::CsiStorageCapacity>>>
      provisions;

  bool fits() const {
    return error.empty() && are_bound_reached && are_unbound_found && is_room_enough &&
           are_bound_there;
  }
  VolumeDecision Decision() const;  // Requires: fits
};

// PodVolumes is the claims of a pod, made ready to ask of nodes: those that are bound, and those that
// wait for it. A claim that two volumes of the pod use is one; upstream looks for two volumes. Good for
// one cycle. Source: kube-scheduler pkg/scheduler/framework/plugins/volumebinding/binder.go,
// GetPodVolumeClaims and FindPodVolumes.
class PodVolumes {
 public:
  // Create fails with what PreFilter answers: a claim is missing, going, or not bound although it
  // waits for no pod. Skip: the pod has no claims.
  static Status Create(const CycleContext& cycle, std::optional<PodVolumes>& made);

  bool HasUnbound() const { return !provisioned_.empty() || !unbound_.empty(); }

  // LookOn fills `found` anew. Of two parts, bound and unbound claims, each is looked at whatever
  // the other gives.
  void LookOn(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;

  // Key is what the answers read of the pod; VersionsOf what they read of the cluster beside nodes.
  std::string Key() const;
  Versions VersionsOf(const Snapshot& snapshot) const;

 private:
  void CheckBound(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;
  void CheckUnbound(const NodeInfo& node, const Snapshot& snapshot, NodeVolumes& found) const;
  static bool Provision(const UnboundClaim& claim, const NodeInfo& node, const Snapshot& snapshot,
                        NodeVolumes& found);

  std::vector<std::optional<VolumeReach>> bound_;  // nothing: the volume is not there
  std::vector<UnboundClaim> provisioned_;          // a node was chosen before
  std::vector<UnboundClaim> unbound_;              // the smallest first
};

}  // namespace berth::scheduler
