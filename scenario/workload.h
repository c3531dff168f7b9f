// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "scenario/scenario.h"

namespace berth::scenario {

// Workload holds the initial objects of a scenario, for benchmarks. It has no checks, and no pods
// that an update or a step adds.
struct Workload {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> assigned;  // have a node
  std::vector<std::shared_ptr<const api::Pod>> pending;   // in file order
  std::vector<Manifest> others;                           // other objects that plugins read
};

// Makes the objects of `cluster`, with the uids of RunScenario. Profiles come from BuildProfiles.
// Errors (kConfig): an object is invalid.
Result<Workload> MakeWorkload(const Scenario& scenario);

}  // namespace berth::scenario
