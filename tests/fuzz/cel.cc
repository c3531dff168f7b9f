// SPDX-License-Identifier: Apache-2.0
#include "tests/cel/compile_and_evaluate.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

void Cel(std::string_view input) { cel::CompileAndEvaluate(input); }

}  // namespace berth::fuzz
