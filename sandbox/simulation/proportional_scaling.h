// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sandbox/simulation/objects.h"
#include "sandbox/simulation/rolling_update.h"

namespace berth::simulation {

// Annotations that a Deployment sets on a ReplicaSet when it scales it: the Deployment's replicas,
// and that number plus the surge.
inline constexpr const char* kDesiredAnnotation = "deployment.kubernetes.io/desired-replicas";
inline constexpr const char* kMaxAnnotation = "deployment.kubernetes.io/max-replicas";

// Returns these annotations for the current spec of the Deployment.
std::map<std::string, std::string> SizeNotes(const DeploymentSpec& spec);

// Reports whether spec.replicas changed after a ReplicaSet with pods was last scaled. The rollout
// then waits until the ReplicaSets follow (ScaleToFit). A ReplicaSet without the annotations does
// not count.
bool WasScaled(const DeploymentSpec& spec, const std::vector<const ReplicaSet*>& sets);

// Scales the ReplicaSets of a Deployment that was scaled, or is paused, without continuing its
// rollout. A single ReplicaSet with pods gets all replicas. In the middle of a rollout all
// ReplicaSets with pods grow or shrink in proportion, and the largest gets the remainder. `newest`
// is null if the current template has no ReplicaSet yet; `old` is ordered by age. Also lists
// ReplicaSets of which only the annotations are out of date. Source: upstream's deployment/sync.go
// (scale).
Scales ScaleToFit(const Deployment& deployment, const ReplicaSet* newest,
                  const std::vector<const ReplicaSet*>& old);

}  // namespace berth::simulation
