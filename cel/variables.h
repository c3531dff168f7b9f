// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cel/program.h"

namespace berth::cel {

// Variables are named expressions that other expressions read as `variables.name`, as a
// ValidatingAdmissionPolicy has them. One may read those added before it. Fill it, then share it;
// Bind may be called from any thread.
class Variables {
 public:
  // Depth of a variable: the height of its expression and of those it reads, one upon the other.
  static constexpr int kMaxDepth = 500;

  // Add compiles a variable and declares it in the environment. Errors (kInvalid) as Compile.
  Result<void> Add(std::string name, std::string_view expression, Environment& environment);

  // Bind lets expressions evaluated with the activation read the variables. Each is evaluated when
  // it is read first, and once; what that costs is taken from the budget, not from the limit of the
  // expression that reads. Requires: activation and budget stay where they are and outlive the
  // values read.
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
