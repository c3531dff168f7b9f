// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sandbox/simulation/deployment_plan.h"
#include "sandbox/simulation/replica_set_plan.h"

// Objects as tests of the planning functions want them.
namespace berth::simulation {

inline const Time kNow = Time::FromUnixSeconds(1'800'000'000);

// ATemplate is the JSON of a pod template of that image, with the label app=web.
std::string ATemplate(const std::string& image);

Deployment ADeployment(int32_t replicas, const std::string& image = "v1");

// ASet belongs to ADeployment: `replicas` wanted, all of them there, `available` of them ready.
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
// APod is controlled by the ReplicaSet of that uid.
PodPtr APod(const std::string& name, const std::string& owner_uid, const PodState& state = {});

}  // namespace berth::simulation
