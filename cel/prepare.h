// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"

namespace berth::cel {

// Validate looks at what only a checked tree shows: lists and maps that mix types, constants that
// are no duration, timestamp or pattern, formats that do not fit their arguments.
void Validate(const Expr& root, std::vector<Issue>& issues);

// Fold evaluates what is constant (literal lists and maps, conversions) and compiles literal
// patterns, so that an evaluation neither repeats nor pays for it. Conversions that fail are
// issues.
void Fold(Expr& root, std::vector<Issue>& issues);

// Shorten gives the paths that begin at a variable of a described struct their shortcuts, and
// comparisons of such a path with a constant text.
void Shorten(Expr& root, const Environment& environment);

}  // namespace berth::cel
