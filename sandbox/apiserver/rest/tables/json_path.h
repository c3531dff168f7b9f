// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// Returns the values at a simple JSON path, as printer columns and scale subresources use them:
// .spec.replicas, .metadata.labels['a.b/c'], .status.conditions[?(@.type=="Ready")].status, [0],
// [*]. Returns none for a path without a value and for unsupported syntax.
std::vector<const nlohmann::json*> FindJsonPath(const nlohmann::json& document,
                                                std::string_view path);

}  // namespace berth::apiserver
