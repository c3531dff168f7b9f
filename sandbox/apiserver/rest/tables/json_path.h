// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// FindJsonPath gives what the simple JSON paths of printer columns and scale sub-resources name:
// .spec.replicas, .metadata.labels['a.b/c'], .status.conditions[?(@.type=="Ready")].status, [0],
// [*]. Nothing for a path that names nothing or that it does not understand.
std::vector<const nlohmann::json*> FindJsonPath(const nlohmann::json& document,
                                                std::string_view path);

}  // namespace berth::apiserver
