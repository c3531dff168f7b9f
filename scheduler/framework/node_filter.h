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

// NodeFilter answers whether nodes fit, in one attempt, after PreFilter. A node with nominated pods
// of equal or higher priority must fit twice: with them added, for they will come, and without
// them, for they may not. A plugin that fails about the node with them fails nobody where the node is
// refused without them: a ranking, which knows who fits without, need not ask about such a node.
// Source: kube-scheduler pkg/scheduler/framework/runtime/framework.go,
// RunFilterPluginsWithNominatedPods. Owned by the scheduling thread; lives no longer than what it
// was given.
class NodeFilter final : public TrialRuns {
 public:
  NodeFilter(const Profile& profile, const Nominations& nominated, CycleContext& cycle,
             PluginIndexSet skipped, CycleTrace* trace, CachedResults* cached = nullptr);

  // One asks about one node. The text of a verdict with Code::kError is whole: it names the plugin
  // and needs no context.
  Profile::FilterOutcome One(Slot slot) const { return AskTwice(slot, AsItIs()); }

  // Many is One for each slot; out[i] belongs to slots[i].
  void Many(std::span<const Slot> slots, std::span<Profile::FilterOutcome> out) const;

  // Of nodes in an imagined state; no trace tells of it.
  FilterOutcome Filter(Slot slot, const NodeDelta& change) const override;
  FilterOutcome FilterAgain(Slot slot, const NodeDelta& change) const override;

  // NominatedNode is a node with the pods nominated to it that count.
  struct NominatedNode {
    Slot slot;
    Nominations::Pods pods;
  };
  std::span<const NominatedNode> nominated_nodes() const { return nominated_nodes_; }
  // WithNominated asks about such a node as if they were there.
  Profile::FilterOutcome WithNominated(const NominatedNode& node) const {
    return AskWithNominated(node, AsItIs());
  }

 private:
  const NominatedNode* FindNominated(Slot slot) const;
  // Question is what a node is asked: which filters, and in which state.
  struct Question {
    const NodeDelta* change;  // null: as it is
    PluginIndexSet skipped;
    CycleTrace* trace;
  };
  Question AsItIs() const { return {nullptr, skipped_, trace_}; }
  FilterOutcome Ask(Slot slot, const Question& question) const;
  FilterOutcome AskWithNominated(const NominatedNode& node, const Question& question) const;
  FilterOutcome AskTwice(Slot slot, const Question& question) const;

  const Profile& profile_;
  CycleContext& cycle_;
  const PluginIndexSet skipped_;
  CycleTrace* trace_;
  CachedResults* cached_;                       // null: every answer is computed
  std::vector<NominatedNode> nominated_nodes_;  // by slot
};

}  // namespace berth::scheduler
