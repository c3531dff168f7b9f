// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"

namespace berth::convert {

// Returns the paths of fields that the type does not describe, which lenient decoding skips.
// Requires: the document decodes as the type.
std::vector<std::string> UnknownFields(std::string_view document, const json::Type& type);

}  // namespace berth::convert
