// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth::json {

// Returns the differences between two documents, one per line, with the path: "steps.2.body.reason:
// "Invalid", expected "Conflict"".
std::vector<std::string> Differences(const nlohmann::json& expected, const nlohmann::json& found,
                                     const std::string& path);

}  // namespace berth::json
