// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/profile.h"
#include "scheduler/model/nominations.h"

namespace berth::scheduler {

// NodeFilter runs the filters on nodes in one attempt, after PreFilter. A node with nominated pods
// of equal or higher priority must fit twice: with these pods added, because they will probably
// arrive, and without them, because they may not. An error with the nominated pods is ignored if
// the node is rejected without them, so a ranking, which knows the nodes that fit without them,
// need not filter such a node.
// Source: kube-scheduler pkg/scheduler/framework/runtime/framework.go,
// RunFilterPluginsWithNominatedPods. Owned by the scheduling thread; its arguments must outlive it.
class NodeFilter final : public TrialRuns {
 public:
  NodeFilter(const Profile& profile, const Nominations& nominated, CycleContext& cycle,
             PluginIndexSet skipped, CycleTrace* trace, CachedResults* cached = nullptr);

  // Filters one node. The text of a Code::kError verdict is complete: it names the plugin.
  Profile::FilterOutcome One(Slot slot) const { return FilterTwice(slot, AsItIs()); }

  // Does the same as One for each slot; out[i] belongs to slots[i].
  void Many(std::span<const Slot> slots, std::span<Profile::FilterOutcome> out) const;

  // Filter nodes with a simulated change; not recorded in the trace.
  FilterOutcome Filter(Slot slot, const NodeDelta& change) const override;
  FilterOutcome FilterAgain(Slot slot, const NodeDelta& change) const override;

  // Reports whether the pod itself is nominated to a node. That node is filtered differently from
  // the same node for another pod.
  bool is_pod_nominated() const { return is_pod_nominated_; }

  // NominatedNode is a node with its nominated pods of equal or higher priority.
  struct NominatedNode {
    Slot slot;
    Nominations::Pods pods;
  };
  std::span<const NominatedNode> nominated_nodes() const { return nominated_nodes_; }
  // Filters such a node with its nominated pods added.
  Profile::FilterOutcome WithNominated(const NominatedNode& node) const {
    return AskWithNominated(node, AsItIs());
  }

 private:
  const NominatedNode* FindNominated(Slot slot) const;
  // Question selects the filters and the state of the node.
  struct Question {
    const NodeDelta* change;  // null: the node of the snapshot, unchanged
    PluginIndexSet skipped;
    CycleTrace* trace;
  };
  Question AsItIs() const { return {nullptr, skipped_, trace_}; }
  FilterOutcome Ask(Slot slot, const Question& question) const;
  FilterOutcome AskWithNominated(const NominatedNode& node, const Question& question) const;
  FilterOutcome FilterTwice(Slot slot, const Question& question) const;

  const Profile& profile_;
  CycleContext& cycle_;
  const PluginIndexSet skipped_;
  CycleTrace* trace_;
  CachedResults* cached_;                       // null: every result is computed
  std::vector<NominatedNode> nominated_nodes_;  // by slot
  bool is_pod_nominated_;
};

}  // namespace berth::scheduler
