// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/differential/api.h"
#include "tests/differential/canary.h"
#include "tests/differential/extenders.h"
#include "tests/differential/scenario.h"
#include "tests/differential/scheduler.h"

namespace berth::differential {

// Stage is a cluster without nodes and pods, and its running scheduler.
struct Stage {
  Api& api;
  Scheduler& scheduler;
  Canary& canary;
  Extenders& extenders;  // of the scenario
};

// Executes the steps of a scenario and cleans up the stage. After each step it waits until the
// scheduler is idle and observes. The result is a list with one observation (observe.h) for each
// step, {"after": its name, "pods": ..., ...}. Errors: the API server rejected a request, or a wait
// timed out.
Result<Json> Play(const Stage& stage, const Scenario& scenario);

}  // namespace berth::differential
