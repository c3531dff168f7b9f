// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// kCoscheduling is the plugin of the scheduler-plugins project, and ours, which takes its place.
inline constexpr std::string_view kCoscheduling = "Coscheduling";

// ConvertCoscheduling takes out what ours has no use for of the arguments that theirs had in any
// version. Source: scheduler-plugins apis/config/v1/types.go, v0.34.7;
// pkg/apis/config/v1beta1/types.go, v0.22.6, and before.
void ConvertCoscheduling(const std::string& path, const Reporter& reporter, Members& args);

}  // namespace berth::convert
