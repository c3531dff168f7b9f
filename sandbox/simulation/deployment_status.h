// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

// Progress is the input of a Deployment's status.
struct Progress {
  const Deployment& deployment;
  const std::vector<std::shared_ptr<const ReplicaSet>>& sets;
  const ReplicaSet* newest = nullptr;  // nullptr: not created yet
  std::string created;                 // name of the one that is being created, or empty
  Time now;
};

// Counts pods and sets the conditions Available and Progressing with upstream's texts.
// `requeue_after` is set to the progress deadline during a rollout.
api::DeploymentStatus PlanDeploymentStatus(const Progress& progress, RequeueAfter& requeue_after);

}  // namespace berth::simulation
