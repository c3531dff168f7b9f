// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"

namespace berth::cel {

struct Checked {
  std::vector<Issue> issues;
  int slots = 0;  // how many local variables live at once at most
};

// Check finds the type of every node, the overloads that its calls may mean and the slots of its
// local variables, and notes them in the tree. Where a type is dyn, checks are left to evaluation.
// Issues are worded as cel-go words them: "found no matching overload for '_+_' applied to
// '(string, int)'".
Checked Check(Expr& root, const Environment& environment);

}  // namespace berth::cel
