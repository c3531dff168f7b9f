// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sandbox/simulation/objects.h"

namespace berth::simulation {

// Allowance is the permitted deviation from the desired number of pods during a rollout.
struct Allowance {
  int32_t max_unavailable = 0;
  int32_t max_surge = 0;
};

// Resolves the strategy's numbers and percentages against spec.replicas. Surge is rounded up,
// unavailability down; if both are zero, one pod may be unavailable. Both default to 25%; Recreate
// has none.
Allowance AllowanceOf(const DeploymentSpec& spec);

// Scales maps the names of ReplicaSets to their new number of pods, without the unchanged ones.
using Scales = std::map<std::string, int32_t>;

// Returns how many pods the new ReplicaSet may have now: all of them, or as many as the surge
// permits. `current` is its current number, `total` the number of all ReplicaSets.
int32_t NewReplicas(const DeploymentSpec& spec, int32_t current, int32_t total);

// Scales down the old ReplicaSets while enough pods stay available: first by their unavailable
// pods, then from the oldest on. `old` is ordered by age. Source: upstream's deployment/rolling.go.
Scales ScaleOldDown(const DeploymentSpec& spec, const ReplicaSet& newest,
                    const std::vector<const ReplicaSet*>& old);

}  // namespace berth::simulation
