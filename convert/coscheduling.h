// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// kCoscheduling is the plugin of the scheduler-plugins project. Berth's plugin of the same name
// replaces it.
inline constexpr std::string_view kCoscheduling = "Coscheduling";

// Removes the arguments that Berth's Coscheduling does not have, of all versions of the original.
// Source: scheduler-plugins apis/config/v1/types.go, v0.34.7; pkg/apis/config/v1beta1/types.go,
// v0.22.6, and earlier.
void ConvertCoscheduling(const std::string& path, const Reporter& reporter, Members& args);

}  // namespace berth::convert
