// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// GoPrint writes a value as Go's %v does, which is how error messages of a real server show it:
// map[image:x ports:[80]]
std::string GoPrint(const nlohmann::json& value);

// GoSyntax writes a value as Go's %#v does: []interface {}{1, "x"}
std::string GoSyntax(const nlohmann::json& value);

}  // namespace berth::apiserver
