// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace berth::scenario {

// LoadFile reads one scenario. Errors name the path.
Result<Scenario> LoadFile(const std::string& path);

// ListFiles gives the paths of all *.yaml files below a folder, sorted; none when there is no such
// folder.
std::vector<std::string> ListFiles(const std::string& folder);

}  // namespace berth::scenario
