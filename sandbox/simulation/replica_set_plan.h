// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

using PodPtr = std::shared_ptr<const api::Pod>;

// ReplicaSetPlan says what brings a ReplicaSet to its number of pods.
struct ReplicaSetPlan {
  int32_t create = 0;
  std::vector<PodPtr> remove;
  ReplicaSetStatus status;
  LookAgain requeue_after;  // when a ready pod becomes available
};

// PlanReplicaSet plans for a ReplicaSet and the pods it controls. Pods that have ended or are being
// deleted do not count and are not replaced in place. Of too many, those go first whose end hurts
// least: unassigned, pending, not ready, ready for the shortest time, youngest. Source: upstream's
// replica_set.go and controller_utils.go (ActivePods).
ReplicaSetPlan PlanReplicaSet(const ReplicaSet& set, const std::vector<PodPtr>& pods, Time now);

// PodOf is the JSON of a new pod of the ReplicaSet.
std::string PodOf(const ReplicaSet& set);

}  // namespace berth::simulation
