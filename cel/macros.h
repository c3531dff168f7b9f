// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cel/ast.h"

namespace berth::cel {

// Expands a macro call in place: has() becomes kHas; all(), exists(), map() and similar become
// kComprehension. Other calls are unchanged. Macros are identified by name, call style and number
// of arguments. Returns an issue if an argument is not a name or a field where one is required.
std::optional<Issue> ExpandMacro(Expr& call);

// Returns the minor of the Kubernetes release 1.MINOR that added the macro of a kComprehension; 0:
// older than the supported releases. Source: apiserver pkg/cel/environment/base.go, baseOpts.
unsigned MacroIntroduced(const Expr& comprehension);

}  // namespace berth::cel
