// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"

namespace berth::apiserver {

// Writes a condition into status.conditions and replaces the one of the same type.
// lastTransitionTime is `now`, or the previous value if `status` has not changed.
void PutCondition(nlohmann::json& status, nlohmann::json condition, Time now);

// Returns the condition of a type in status.conditions, or null.
const nlohmann::json* FindCondition(const nlohmann::json& object, std::string_view type);

}  // namespace berth::apiserver
