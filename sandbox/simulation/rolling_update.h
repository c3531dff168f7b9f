// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sandbox/simulation/objects.h"

namespace berth::simulation {

// Allowance is how far the number of pods may go from the wanted one during a rollout.
struct Allowance {
  int32_t max_unavailable = 0;
  int32_t max_surge = 0;
};

// AllowanceOf resolves the strategy's numbers and percentages against spec.replicas: surge is
// rounded up, unavailability down, and if both come to zero one pod may be unavailable. Both are
// 25% unless given; Recreate has none.
Allowance AllowanceOf(const DeploymentSpec& spec);

// Scales maps names of ReplicaSets to their new number of pods; those that stay are left out.
using Scales = std::map<std::string, int32_t>;

// NewReplicas is how many pods the new ReplicaSet may have now: all of them, or as many as the
// surge leaves room for. `current` is what it has, `total` what all ReplicaSets have together.
int32_t NewReplicas(const DeploymentSpec& spec, int32_t current, int32_t total);

// ScaleOldDown takes pods from the old ReplicaSets as far as enough stay available: first those
// that are not available anyway, then the oldest ReplicaSet's. `old` is ordered by age. Source:
// upstream's deployment/rolling.go.
Scales ScaleOldDown(const DeploymentSpec& spec, const ReplicaSet& newest,
                    const std::vector<const ReplicaSet*>& old);

}  // namespace berth::simulation
