// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"

namespace berth::apiserver {

// PutCondition writes a condition into status.conditions, in place of the one of its type. Its
// lastTransitionTime is `now`, or that of the one before if `status` is the same.
void PutCondition(nlohmann::json& status, nlohmann::json condition, Time now);

// FindCondition gives the condition of a type in status.conditions, or null.
const nlohmann::json* FindCondition(const nlohmann::json& object, std::string_view type);

}  // namespace berth::apiserver
