// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "scheduler/framework/status.h"

namespace berth::conformance {

// Returns a status in the form of fixtures: code, sorted reasons if any, and the plugin if given.
nlohmann::json VerdictJson(const scheduler::Status& status, std::string_view plugin = {});

// The verdict of a node that fits.
inline nlohmann::json SuccessJson() { return VerdictJson(scheduler::Status::Success()); }

}  // namespace berth::conformance
