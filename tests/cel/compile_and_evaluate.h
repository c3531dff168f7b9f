// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::cel {

// Compiles the text as an expression and evaluates it on a small document. Whatever it is, that
// must end soon, without a crash and within the limits on cost; else it aborts.
void CompileAndEvaluate(std::string_view text);

}  // namespace berth::cel
