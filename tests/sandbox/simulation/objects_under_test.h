// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sandbox/simulation/deployment_plan.h"
#include "sandbox/simulation/replica_set_plan.h"

// Objects for tests of the planning functions.
namespace berth::simulation {

inline const Time kNow = Time::FromUnixSeconds(1'800'000'000);

// Returns the JSON of a pod template with that image and the label app=web.
std::string ATemplate(const std::string& image);

Deployment ADeployment(int32_t replicas, const std::string& image = "v1");

// Returns a ReplicaSet of ADeployment: `replicas` desired and existing, `available` of them ready.
ReplicaSet ASet(const std::string& name, const std::string& image, int32_t replicas,
                int32_t available, int64_t revision = 1);

struct PodState {
  std::string node = "n";
  std::string phase = "Running";
  bool ready = true;
  int64_t ready_for_seconds = 100;
  int64_t age_seconds = 1000;
  bool leaving = false;
};
// Returns a pod that the ReplicaSet of that uid controls.
PodPtr APod(const std::string& name, const std::string& owner_uid, const PodState& state = {});

}  // namespace berth::simulation
