// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"
#include "scenario/scenario.h"

// The parts of a scenario that are read more than once; parse.cc puts them together. Errors
// (kConfig) name the field below what was given.
namespace berth::scenario {

using Action = decltype(Step::action);

// ReadStep reads one step; `name` becomes its key.
Result<Action> ReadStep(const json::Raw& written, std::string& name);

// ReadObjects checks nodes, pods and others; `path` stands in front of the fields' names.
Result<Objects> ReadObjects(const std::vector<json::Raw>& nodes, const std::vector<json::Raw>& pods,
                            const std::vector<json::Raw>& others, const std::string& path);

// ReadProfiles takes `profile` or `profiles`, whichever was given.
Result<std::vector<api::KubeSchedulerProfile>> ReadProfiles(
    std::optional<api::KubeSchedulerProfile> one, std::vector<api::KubeSchedulerProfile> several);

// ItemPath is "list[3]".
std::string ItemPath(std::string_view list, size_t i);

}  // namespace berth::scenario
