// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cel/program.h"

namespace berth::cel {

// Variables are named expressions that other expressions read as `variables.name`, as in a
// ValidatingAdmissionPolicy. A variable may read variables added before it. Fill it, then share it;
// any thread may call Bind.
class Variables {
 public:
  // Depth of a variable: the height of its expression with the expressions of the variables it
  // reads inlined.
  static constexpr int kMaxDepth = 500;

  // Compiles a variable and declares it in the environment. Errors (kInvalid) as Compile.
  Result<void> Add(std::string name, std::string_view expression, Environment& environment);

  // Makes the variables readable in the activation. Each is evaluated once, on first read. Its cost
  // is charged to the budget, not to the limit of the reading expression. Requires: activation and
  // budget do not move and outlive the values read.
  void Bind(Activation& activation, Budget& budget) const;

  struct Variable {
    std::string name;
    Program program;
    int depth;
  };

 private:
  int DepthOf(const Expr& expr) const;

  std::vector<Variable> variables_;
};

}  // namespace berth::cel
