// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sandbox/simulation/objects.h"
#include "sandbox/simulation/rolling_update.h"

namespace berth::simulation {

// What a ReplicaSet notes each time its Deployment sizes it: the Deployment's replicas and, with
// the surge, how many pods it might have had in all.
inline constexpr const char* kDesiredAnnotation = "deployment.kubernetes.io/desired-replicas";
inline constexpr const char* kMaxAnnotation = "deployment.kubernetes.io/max-replicas";

// SizeNotes are these annotations as the Deployment is now.
std::map<std::string, std::string> SizeNotes(const DeploymentSpec& spec);

// WasScaled says whether spec.replicas changed since a ReplicaSet that has pods was sized last. The
// rollout waits then until the ReplicaSets follow (ScaleToFit). One without a note does not count.
bool WasScaled(const DeploymentSpec& spec, const std::vector<const ReplicaSet*>& sets);

// ScaleToFit sizes the ReplicaSets of a Deployment that was scaled, or is paused, without going on
// with its rollout: the only one with pods gets all; in the middle of a rollout, those with pods
// grow or shrink together so that each keeps its share of what the Deployment may have, the rest
// going to the largest. `newest` is null while there is none of the present template; `old` is
// ordered by age. Also lists those whose notes alone are out of date. Source: upstream's
// deployment/sync.go (scale).
Scales ScaleToFit(const Deployment& deployment, const ReplicaSet* newest,
                  const std::vector<const ReplicaSet*>& old);

}  // namespace berth::simulation
