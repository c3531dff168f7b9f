// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"

namespace berth::convert {

// UnknownFields gives the paths of what a document has and its description has not: what reading it
// leniently leaves out in silence. Requires: the document decodes as the type.
std::vector<std::string> UnknownFields(std::string_view document, const json::Type& type);

}  // namespace berth::convert
