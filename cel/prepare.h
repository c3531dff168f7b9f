// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"

namespace berth::cel {

// Validates a checked tree: literal lists and maps with mixed types, constants that are not valid
// durations, timestamps or patterns, formats that do not fit their arguments.
void Validate(const Expr& root, std::vector<Issue>& issues);

// Evaluates constant subexpressions (literal lists and maps, conversions) and compiles literal
// patterns, so that evaluations neither repeat nor pay for them. Failed conversions become issues.
void Fold(Expr& root, std::vector<Issue>& issues);

// Sets shortcuts on paths that begin at a variable of a described struct, and on comparisons of
// such a path with a constant string.
void Shorten(Expr& root, const Environment& environment);

}  // namespace berth::cel
