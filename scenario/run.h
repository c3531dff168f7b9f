// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "scheduler/framework/result_cache.h"

namespace berth::scenario {

struct RunOptions {
  size_t result_cache_bytes = scheduler::ResultCache::kDefaultBytes;  // 0 disables the cache
};

struct RunResult {
  // Differences from the expectations, one sentence each: "step 3 (expect): pod web-2: expected
  // node n2, is on n1".
  std::vector<std::string> differences;
  // All actions and responses, one per line. The same scenario has the same transcript, with and
  // without the result cache.
  std::string transcript;
  int64_t attempts = 0;
};

// Runs a scenario against the real core: delivers events, executes calls, advances the clock, and
// compares. After each step it also compares the core with the API server. Reads no clock and no
// file. Errors (kConfig) begin with the scenario's source and name an invalid step, for example an
// unknown pod or a rejected profile.
Result<RunResult> RunScenario(const Scenario& scenario, const RunOptions& options = {});

}  // namespace berth::scenario
