// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenario/api_server.h"
#include "scenario/expectation.h"
#include "scenario/recorder.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {

// Actual is what an expectation is compared with.
struct Actual {
  ApiServer& server;
  Recorder& recorder;
  const scheduler::Scheduler& scheduler;
};

// Compare says, one sentence each, how things differ from what was expected; nothing when all is
// well: `pod web-2: expected node n2, is on n1`. What happened since the last comparison counts as
// seen afterwards.
std::vector<std::string> Compare(const Expectation& expected, const Actual& actual);

}  // namespace berth::scenario
