// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/meta.h"
#include "scheduler/framework/interface.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// WantedNodeLabels is the set of labels that ServiceAffinity's Filter requires of nodes for a pod:
// the values from its nodeSelector, and for the other labels the values of the reference node, the
// first with a matching pod. Valid during one cycle.
class WantedNodeLabels {
 public:
  // Requires: `names` outlives this.
  WantedNodeLabels(const CycleContext& cycle, std::span<const std::string> names);

  // Returns the required values, without regard to simulated changes.
  const api::StringMap& values() const { return values_; }
  bool AreOn(const NodeInfo& node) const { return matcher_.Matches(node.labels); }
  // AreOn for a simulated node. If the delta removes all matching pods of the reference node, the
  // next such node is the reference.
  bool AreOnSimulated(const CycleContext& cycle, const NodeView& node) const;

 private:
  void FindEquivalentPods(const CycleContext& cycle);
  // Returns the first node in visiting order with matching pods, other than `without`, or
  // kNoSlot.
  Slot FirstWithEquivalentPods(const Snapshot& snapshot, Slot without) const;
  // Returns chosen_ and the open labels' values on the node in the slot.
  api::StringMap With(const Snapshot& snapshot, Slot slot) const;

  api::StringMap chosen_;                 // values from the pod's nodeSelector
  std::vector<const std::string*> open_;  // the other names; empty if no Service selects the pod
  PodSelector like_;                      // selects the matching pods; set if open_ is not empty
  std::span<const uint32_t> equivalent_pods_;  // matching pods by slot
  Slot first_ = kNoSlot;
  api::StringMap values_;
  LabelMatcher matcher_;
};

}  // namespace berth::scheduler
