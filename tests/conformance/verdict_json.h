// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "scheduler/framework/status.h"

namespace berth::conformance {

// VerdictJson writes a status as fixtures do: code, and sorted reasons where there are any; the
// plugin where one is given.
nlohmann::json VerdictJson(const scheduler::Status& status, std::string_view plugin = {});

// SuccessJson is the verdict of a node that passes.
inline nlohmann::json SuccessJson() { return VerdictJson(scheduler::Status::Success()); }

}  // namespace berth::conformance
