// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// Messages about CustomResourceDefinitions show values as Go writes the structs it validates, which
// have other names for their fields than the API.

// RuleText shows an entry of x-kubernetes-validations: {"Rule":"self \u003e 1","Message":"", ...}
std::string RuleText(const nlohmann::json& rule);

// VersionsText shows spec.versions. What all versions have in common is no part of them there;
// schemas, columns and the like that differ are shown as the API writes them.
std::string VersionsText(const nlohmann::json& versions);

// IsShared says that all versions have the same `field` ("schema"), or none has it: it then stands
// at the spec.
bool IsShared(const nlohmann::json& versions, const char* field);

}  // namespace berth::apiserver
