// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace berth::scenario {

// Reads one scenario. Errors name the path.
Result<Scenario> LoadFile(const std::string& path);

// Returns the paths of all *.yaml files below a folder, sorted; empty if the folder does not exist.
std::vector<std::string> ListFiles(const std::string& folder);

}  // namespace berth::scenario
