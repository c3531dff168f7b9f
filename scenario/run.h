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
  size_t result_cache_bytes =
      scheduler::ResultCache::kDefaultBytes;  // of kept answers; 0: each is computed
};

struct RunResult {
  // What was not as expected, one sentence each: "step 3 (expect): pod web-2: expected node n2, is
  // on n1".
  std::vector<std::string> differences;
  // All that was done and answered, a line each. The same scenario has the same transcript, with
  // and without kept answers.
  std::string transcript;
  int64_t attempts = 0;
};

// RunScenario runs a scenario against the real core: it brings the events, answers the calls, moves
// the clock, and compares. After each step the core is also compared with the API server. Reads no
// clock and no file. Errors (kConfig) begin with the scenario's source and name a step that makes
// no sense: a pod that is not there, a profile that is refused.
Result<RunResult> RunScenario(const Scenario& scenario, const RunOptions& options = {});

}  // namespace berth::scenario
