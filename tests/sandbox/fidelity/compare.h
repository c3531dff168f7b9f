// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/sandbox/fidelity/case.h"

namespace berth::fidelity {

// Differences lists where two documents differ, one line each, with the path: "steps.2.body.reason:
// "Invalid", expected "Conflict"".
std::vector<std::string> Differences(const Json& expected, const Json& found,
                                     const std::string& path);

}  // namespace berth::fidelity
