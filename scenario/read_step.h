// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"
#include "scenario/scenario.h"

// Readers of the parts of a scenario; parse.cc combines them. Errors (kConfig) name the field
// relative to the argument.
namespace berth::scenario {

using Action = decltype(Step::action);

// Reads one step and sets `name` to its key.
Result<Action> ReadStep(const json::Raw& written, std::string& name);

// Validates nodes, pods and other objects; `path` is the prefix of field names in errors.
Result<Objects> ReadObjects(const std::vector<json::Raw>& nodes, const std::vector<json::Raw>& pods,
                            const std::vector<json::Raw>& others, const std::string& path);

// Returns the profiles of `profile` or `profiles`; giving both is an error.
Result<std::vector<api::KubeSchedulerProfile>> ReadProfiles(
    std::optional<api::KubeSchedulerProfile> one, std::vector<api::KubeSchedulerProfile> several);

// Returns "list[3]".
std::string ItemPath(std::string_view list, size_t i);

}  // namespace berth::scenario
