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
  // How scenarios that were equal at the second try only differed at the first, by title.
  std::map<std::string, std::vector<std::string>> again;
};

// Beside says who is compared with kube-scheduler. Beside itself it shows which scenarios leave
// something to chance: a difference is one of two runs of the same program.
enum class ComparedWith : uint8_t { kBerth, kItself };

// RunAll plays all scenarios on both schedulers at the same time. Those that differ are played once
// more: two real programs are watched, and a moment may pass between any two of their steps. Logs
// and transcripts go to the folder. Errors: a control plane or a scheduler does not start.
Result<Run> RunAll(const std::vector<Scenario>& scenarios, const Settings& settings,
                   ComparedWith beside, const std::filesystem::path& folder);

}  // namespace berth::differential
