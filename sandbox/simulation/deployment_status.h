// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

// Progress is what the status of a Deployment is made of.
struct Progress {
  const Deployment& deployment;
  const std::vector<std::shared_ptr<const ReplicaSet>>& sets;
  const ReplicaSet* newest = nullptr;  // nullptr: there is none yet
  std::string created;                 // name of the one being created now, or empty
  Time now;
};

// PlanDeploymentStatus counts, and words the conditions Available and Progressing as upstream does.
// `requeue_after` is set to the progress deadline while a rollout is under way.
api::DeploymentStatus PlanDeploymentStatus(const Progress& progress, LookAgain& requeue_after);

}  // namespace berth::simulation
