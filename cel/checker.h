// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"

namespace berth::cel {

struct Checked {
  std::vector<Issue> issues;
  int slots = 0;  // maximum number of local variables alive at once
};

// Determines the type of every node, the possible overloads of calls and the slots of local
// variables, and stores them in the tree. Checks on dyn types are deferred to evaluation. Issues
// have cel-go's text: "found no matching overload for '_+_' applied to '(string, int)'".
Checked Check(Expr& root, const Environment& environment);

}  // namespace berth::cel
