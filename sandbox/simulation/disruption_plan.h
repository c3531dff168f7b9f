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

// Workload is who keeps a number of pods, told apart by its uid: a Deployment, or a ReplicaSet that
// belongs to none.
struct Workload {
  std::string uid;
  int32_t replicas = 0;
};
// FindWorkload gives that of a pod; nothing when nobody known keeps it.
using FindWorkload = std::function<std::optional<Workload>(const api::Pod& pod)>;

struct DisruptionPlan {
  api::PodDisruptionBudgetStatus status;
  LookAgain requeue_after;
};

// PlanDisruption works out how many of its pods a budget lets go now. `pods` are those it selects.
// A pod whose eviction was granted counts as gone for two minutes; after that the eviction has come
// to nothing. A percentage, and maxUnavailable, are of what the workloads want to have; a pod
// without one makes that unknown, and then nothing is allowed (condition reason SyncFailed).
// Source: pkg/controller/disruption of Kubernetes.
DisruptionPlan PlanDisruption(const api::PodDisruptionBudget& budget,
                              const std::vector<PodPtr>& pods, const FindWorkload& find_workload,
                              Time now);

}  // namespace berth::simulation
