// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/program.h"

// Analysis of the variables an expression reads, for callers that evaluate one expression for many
// values of one variable.
namespace berth::cel {

// Divided is an expression split in two: the largest parts that do not read the given variables, to
// be evaluated once, and the rest, which reads the parts' results (including errors) as variables.
// Example: `pod.spec.priority > 10 || node.metadata.name == pod.spec.nodeName`, divided by `node`,
// has the parts `pod.spec.priority > 10` and `pod.spec.nodeName`.
struct SplitExpression {
  std::vector<Program> parts;
  std::vector<std::string> names;  // the rest's variable for each part
  Program rest;
};

// Splits a program by variables. Constants stay in place. The results of the parts are named
// `prefix` plus a number; no variable of the program may begin with the prefix.
SplitExpression Divide(const Program& program, std::span<const std::string> variables,
                       std::string_view prefix);

// Returns the field paths of a variable that the expression reads: "spec.taints" for
// `node.spec.taints.exists(...)`, "" for the variable itself.
std::set<std::string> FieldsRead(const Expr& expr, std::string_view variable);

}  // namespace berth::cel
