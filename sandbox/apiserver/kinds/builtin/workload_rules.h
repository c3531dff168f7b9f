// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"

// What the kinds of apps have in common. Source: pkg/apis/apps/validation.
namespace berth::apiserver {

// CheckSelectedTemplate checks the selector of a spec and the template whose pods it selects.
// `kind` is as messages have it: "ReplicaSet".
void CheckSelectedTemplate(const Field& spec, std::string_view kind);

// CheckWorkloadStatus checks the counts in a status: none is negative, no part is more than the
// whole. `kind` is that of the object.
void CheckWorkloadStatus(const Field& status, std::string_view kind);

}  // namespace berth::apiserver
