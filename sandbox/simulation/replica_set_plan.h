// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

using PodPtr = std::shared_ptr<const api::Pod>;

// ReplicaSetPlan holds the steps of a ReplicaSet towards its number of replicas.
struct ReplicaSetPlan {
  int32_t create = 0;
  std::vector<PodPtr> remove;
  ReplicaSetStatus status;
  RequeueAfter requeue_after;  // when a ready pod becomes available
};

// Plans for a ReplicaSet and the pods that it controls. Pods that have ended or are being deleted
// do not count. Surplus pods are deleted in this order: unassigned, pending, not ready, ready for
// the shortest time, youngest. Source: upstream's replica_set.go and controller_utils.go
// (ActivePods).
ReplicaSetPlan PlanReplicaSet(const ReplicaSet& set, const std::vector<PodPtr>& pods, Time now);

// Returns the JSON of a new pod of the ReplicaSet.
std::string PodOf(const ReplicaSet& set);

}  // namespace berth::simulation
