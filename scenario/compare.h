// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenario/api_server.h"
#include "scenario/expectation.h"
#include "scenario/recorder.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {

// Actual is the state that an expectation is compared with.
struct Actual {
  ApiServer& server;
  Recorder& recorder;
  const scheduler::Scheduler& scheduler;
};

// Returns one sentence for each difference from the expectation, for example `pod web-2: expected
// node n2, is on n1`; or nothing. Consumes the recorded attempts, events and results:
// the next comparison starts after them.
std::vector<std::string> Compare(const Expectation& expected, const Actual& actual);

}  // namespace berth::scenario
