// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::cel {

// Compiles the text as an expression and evaluates it on a small document. Aborts if this crashes
// or exceeds the cost limits.
void CompileAndEvaluate(std::string_view text);

}  // namespace berth::cel
