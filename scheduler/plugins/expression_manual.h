// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth::scheduler {

// ExpressionManual says what expressions may name: the fields of pod and node, macros, functions.
// Plain text, a line for each struct.
std::string ExpressionManual();

}  // namespace berth::scheduler
