// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cel/value.h"

namespace berth::cel {

// LiteralText writes a value as an expression that gives it, maps by their sorted keys, so that
// tables of cases can tell 1, 1u, 1.0 and "1" apart. Values of libraries are written bare.
std::string LiteralText(const Value& value);

}  // namespace berth::cel
