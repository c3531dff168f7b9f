// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "scheduler/framework/evictions.h"
#include "scheduler/framework/node_filter.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/result_cache.h"
#include "scheduler/model/node_ref.h"

namespace berth::scheduler {

// Outcome is what one pass over the cluster found for a pod.
struct Outcome {
  enum class Kind : uint8_t { kPlaced, kUnschedulable, kError };
  Kind kind = Kind::kError;
  NodeRef node;  // kPlaced
  Status error;  // kError; "no nodes available" is one, with the code of a rejection
  // kUnschedulable:
  NodeVerdicts verdicts;
  // Of the snapshot; 1 when Reserve or Permit said no, whose answer then is verdicts.absent.
  size_t node_count = 0;
  std::string pre_filter_message;
  std::string post_filter_message;
  PostFilterResult post_filter;
  PluginIndexSet unschedulable_plugins;  // of the profile; their events may help
  PluginIndexSet pending_plugins;

  size_t evaluated = 0;
  size_t feasible = 0;
};

// AlgorithmInput is all that a decision depends on. `start` is the index of the first node to look
// at; the call sets it to where the next search begins.
struct AlgorithmInput {
  const Profile& profile;
  const Snapshot& snapshot;
  const PendingPod& pod;
  const Nominations& nominated;
  size_t& start;
  CycleTrace* trace = nullptr;
  ResultCache* result_cache = nullptr;  // null: every answer is computed
  // Where victims go; null: nobody acts upon what is decided.
  Evictions* evictions = nullptr;
  // Values in [0, 1), where chance decides; null: always 0.
  const std::function<double()>* random = nullptr;
};

// SchedulePod finds the node for a pod: PreFilter, Filter, PreScore, Score, pick; or, where none
// fits, PostFilter. Extenders that are interested in the pod are asked after the plugins, and
// waited for; it leaves InterestedExtenders in the state. Pure, but for what extenders say: same
// input, same outcome. percentageOfNodesToScore 0 looks at all nodes.
// Source: kube-scheduler pkg/scheduler/schedule_one.go, schedulePod, findNodesThatFitPod and
// prioritizeNodes.
Outcome SchedulePod(const AlgorithmInput& input, CycleState& state);

// NodesToFind is how many feasible nodes are enough; `percentage` 0 means all of them. Source:
// kube-scheduler pkg/scheduler/schedule_one.go, numFeasibleNodesToFind.
size_t NodesToFind(size_t nodes, int32_t percentage);

// NarrowedAway is what is true of the nodes that PreFilter left out, because these plugins know by
// name which ones can do.
Status NarrowedAway(const Profile& profile, PluginIndexSet narrowed_by);

// FitErrorText is the message for a pod that fits nowhere, with what PreFilter and PostFilter said
// (fit_error.h).
std::string FitErrorText(const Outcome& outcome);

}  // namespace berth::scheduler
