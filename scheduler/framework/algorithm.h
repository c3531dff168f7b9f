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

class KnownRejections;  // known_rejections.h

// Outcome is the result of one search for a node.
struct Outcome {
  enum class Kind : uint8_t { kPlaced, kUnschedulable, kError };
  Kind kind = Kind::kError;
  NodeRef node;  // kPlaced
  Status error;  // kError; includes "no nodes available", which has the code of a rejection
  // kUnschedulable:
  NodeVerdicts verdicts;
  // Nodes in the snapshot. 1 in the outcome that attempt.cc makes of a rejection by Reserve or
  // Permit; then verdicts.absent has the status.
  size_t node_count = 0;
  // The text of FitErrorText, in an outcome that was copied from an equivalent pod. It has no
  // verdicts.
  std::string fit_error;
  std::string pre_filter_message;
  std::string post_filter_message;
  PostFilterResult post_filter;
  // The plugins of the profile that rejected the pod or restricted its nodes.
  PluginIndexSet unschedulable_plugins;
  PluginIndexSet pending_plugins;  // the rejecting plugins that returned Pending

  size_t evaluated = 0;
  size_t feasible = 0;
};

// AlgorithmInput holds everything that a decision depends on. `start` is the index of the first
// node to visit; SchedulePod sets it to the node at which the next search begins.
struct AlgorithmInput {
  const Profile& profile;
  const Snapshot& snapshot;
  const PendingPod& pod;
  const Nominations& nominated;
  size_t& start;
  CycleTrace* trace = nullptr;
  ResultCache* result_cache = nullptr;  // null: every result is computed
  // Whether PostFilter is run if no node fits.
  bool makes_room = true;
  // Evicts the victims of preemption; null: a dry run, nothing is evicted.
  Evictions* evictions = nullptr;
  // Returns values in [0, 1) for random choices; null: always 0.
  const std::function<double()>* random = nullptr;
  // The rejection or error of the pod's gang (Profile::RunCheckGang). It takes the place of
  // PreFilter and Filter, so no node is visited. Null: the gang may be scheduled, or the pod has
  // none.
  const Status* gang_rejection = nullptr;
  // The rejections of other members of the pod's gang since the last change of the cluster. A pod
  // equivalent to one of them gets its outcome without a search, unless there is a trace. The pod's
  // own rejection is added. Null: no outcome is shared.
  KnownRejections* known_rejections = nullptr;
};

// Finds the node for a pod: runs PreFilter, Filter, PreScore and Score and selects a node; runs
// PostFilter if no node fits. Calls the extenders interested in the pod after the plugins, blocks
// until they answer, and stores InterestedExtenders in the state. Deterministic, apart from the
// extenders' answers: the same input gives the same outcome. percentageOfNodesToScore 0 means that
// all nodes are visited.
// Source: kube-scheduler pkg/scheduler/schedule_one.go, schedulePod, findNodesThatFitPod and
// prioritizeNodes.
Outcome SchedulePod(const AlgorithmInput& input, CycleState& state);

// Returns the number of feasible nodes after which the search stops. `percentage` 0 means all
// nodes, unlike in kube-scheduler. Source: kube-scheduler pkg/scheduler/schedule_one.go,
// numFeasibleNodesToFind.
size_t NodesToFind(size_t nodes, int32_t percentage);

// Returns the status reported for the nodes that PreFilter excluded. `restricted_by` are the
// plugins whose PreFilter returned a list of node names.
Status ExcludedByPreFilter(const Profile& profile, PluginIndexSet restricted_by);

// Returns the message for a pod that fits no node, including the PreFilter and PostFilter messages
// (fit_error.h).
std::string FitErrorText(const Outcome& outcome);

}  // namespace berth::scheduler
