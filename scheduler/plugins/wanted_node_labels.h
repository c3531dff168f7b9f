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

// WantedNodeLabels is what ServiceAffinity's Filter asks of nodes for a pod: the values that its
// nodeSelector gives to some labels, and those that the node of the first like pod has of the rest.
// Good for the cycle.
class WantedNodeLabels {
 public:
  // Requires: `names` outlives this.
  WantedNodeLabels(const CycleContext& cycle, std::span<const std::string> names);

  // values is what is asked of nodes as they are.
  const api::StringMap& values() const { return values_; }
  bool AreOn(const NodeInfo& node) const { return matcher_.Matches(node.labels); }
  // AreOnSimulated is AreOn for a node that is imagined: where the like pods are imagined away from
  // the first node, the next one counts.
  bool AreOnSimulated(const CycleContext& cycle, const NodeView& node) const;

 private:
  void FindEquivalentPods(const CycleContext& cycle);
  // FirstWithEquivalentPods gives the first node in visiting order, other than `without`, or kNoSlot.
  Slot FirstWithEquivalentPods(const Snapshot& snapshot, Slot without) const;
  // With is the values with what the node in the slot has of those that are open.
  api::StringMap With(const Snapshot& snapshot, Slot slot) const;

  api::StringMap chosen_;                 // by the pod's nodeSelector
  std::vector<const std::string*> open_;  // the other names; none where no Service selects the pod
  PodSelector like_;                      // with open_
  std::span<const uint32_t> equivalent_pods_;  // by slot
  Slot first_ = kNoSlot;
  api::StringMap values_;
  LabelMatcher matcher_;
};

}  // namespace berth::scheduler
