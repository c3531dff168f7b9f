// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/policy.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/replica_set_plan.h"

namespace berth::simulation {

// Workload is the controller of a number of pods, identified by its uid: a Deployment, or a
// ReplicaSet without one.
struct Workload {
  std::string uid;
  int32_t replicas = 0;
};
// FindWorkload returns a pod's workload; nullopt if it has none or an unknown one.
using FindWorkload = std::function<std::optional<Workload>(const api::Pod& pod)>;

struct DisruptionPlan {
  api::PodDisruptionBudgetStatus status;
  RequeueAfter requeue_after;
};

// Computes how many pods of a budget may be evicted now. `pods` are the pods that it selects. A pod
// with a granted eviction counts as gone for two minutes; after that the eviction has failed. A
// percentage, and maxUnavailable, are relative to the workloads' desired replicas. A pod without a
// workload makes them unknown; then nothing is allowed (condition reason SyncFailed). Source:
// pkg/controller/disruption of Kubernetes.
DisruptionPlan PlanDisruption(const api::PodDisruptionBudget& budget,
                              const std::vector<PodPtr>& pods, const FindWorkload& find_workload,
                              Time now);

}  // namespace berth::simulation
