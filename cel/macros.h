// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cel/ast.h"

namespace berth::cel {

// ExpandMacro turns a call that is a macro into what it stands for: has() into kHas, all(),
// exists(), map() and their kin into kComprehension; other calls stay. Macros are told by name,
// call style and number of arguments. Gives an issue if an argument that must be a name or a field
// is none.
std::optional<Issue> ExpandMacro(Expr& call);

// MacroIntroduced gives the minor of the Kubernetes release 1.MINOR that added the macro of a
// kComprehension; 0: older than what Berth supports.
// Source: apiserver pkg/cel/environment/base.go, baseOpts.
unsigned MacroIntroduced(const Expr& comprehension);

}  // namespace berth::cel
