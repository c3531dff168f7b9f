// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/differential/judge.h"

namespace berth::differential {

struct Run {
  std::vector<Finding> findings;  // one for each scenario
  // Differences of the first try in scenarios that were equal at the second try, by title.
  std::map<std::string, std::vector<std::string>> again;
};

// ComparedWith selects the program to compare with kube-scheduler. Comparing it with itself shows
// nondeterministic scenarios: a difference then is between two runs of the same program.
enum class ComparedWith : uint8_t { kBerth, kItself };

// Plays all scenarios on both schedulers in parallel. Scenarios that differ are played once more,
// because the timing of two real programs varies. Logs and transcripts go to the folder. Errors: a
// control plane or a scheduler does not start.
Result<Run> RunAll(const std::vector<Scenario>& scenarios, const Settings& settings,
                   ComparedWith beside, const std::filesystem::path& folder);

}  // namespace berth::differential
