// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "scenario/scenario.h"

namespace berth::scenario {

// Workload is what a scenario begins with, as objects: for benchmarks, which want the cluster and
// the pods, and none of the checks. Pods that an update or a step would bring are not part of it.
struct Workload {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> assigned;  // have a node
  std::vector<std::shared_ptr<const api::Pod>> pending;   // in the order they were written
  std::vector<Manifest> others;                           // what plugins read besides
};

// MakeWorkload makes the objects of `cluster`, with uids as RunScenario gives them. Profiles come
// from BuildProfiles. Errors (kConfig): what is written comes to no object.
Result<Workload> MakeWorkload(const Scenario& scenario);

}  // namespace berth::scenario
