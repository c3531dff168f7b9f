// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth::scheduler {

// Returns the reference of names that expressions may use: fields of pod and node, macros,
// functions. Plain text, one line per struct or function.
std::string ExpressionManual();

}  // namespace berth::scheduler
