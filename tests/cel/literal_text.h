// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cel/value.h"

namespace berth::cel {

// Formats a value as an expression for it, with maps sorted by key, so that case files can
// distinguish 1, 1u, 1.0 and "1". Opaque values are written without quotes.
std::string LiteralText(const Value& value);

}  // namespace berth::cel
