// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/program.h"

// What an expression reads, and when: for those who evaluate one expression for many values of one
// of its variables.
namespace berth::cel {

// Divided is an expression in two: the greatest parts that do not read some variables, to be
// evaluated once, and the rest, which reads what came of them, errors too, as variables.
// `pod.spec.priority > 10 || node.metadata.name == pod.spec.nodeName`, divided by `node`, has the
// parts `pod.spec.priority > 10` and `pod.spec.nodeName`.
struct Divided {
  std::vector<Program> parts;
  std::vector<std::string> names;  // of the variables that the rest reads, one for each part
  Program rest;
};

// Divide parts a program by variables. Constants stay where they are. What comes of the parts is
// named by `prefix` and a number; no variable of the program may begin so.
Divided Divide(const Program& program, std::span<const std::string> variables,
               std::string_view prefix);

// FieldsRead gives the paths of fields of a variable that are read, as far as they are named:
// "spec.taints" for `node.spec.taints.exists(...)`, "" for the variable itself.
std::set<std::string> FieldsRead(const Expr& expr, std::string_view variable);

}  // namespace berth::cel
