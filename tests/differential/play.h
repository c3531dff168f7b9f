// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/differential/api.h"
#include "tests/differential/canary.h"
#include "tests/differential/extenders.h"
#include "tests/differential/scenario.h"
#include "tests/differential/scheduler.h"

namespace berth::differential {

// Stage is a cluster without nodes and pods, and a scheduler that runs on it.
struct Stage {
  Api& api;
  Scheduler& scheduler;
  Canary& canary;
  Extenders& extenders;  // those of the scenario
};

// Play does the steps of a scenario, and leaves the stage as it was. After each step it waits until
// the scheduler has no more to do, then looks: the result is a list with one observation (observe.h)
// for each step, {"after": its name, "pods": ..., ...}. Errors: the API server refused something, or what
// was waited for never came.
Result<Json> Play(const Stage& stage, const Scenario& scenario);

}  // namespace berth::differential
