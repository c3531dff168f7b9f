// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"
#include "cel/activation.h"
#include "cel/ast.h"
#include "cel/budget.h"
#include "cel/environment.h"

namespace berth::cel {

// Program is a compiled expression. Immutable; any number of threads may evaluate it at once.
class Program {
 public:
  Program(std::shared_ptr<const Expr> root, int slots) : root_(std::move(root)), slots_(slots) {}

  // The type of the result as far as it is known before evaluation.
  const TypePtr& type() const { return root_->type; }

  // Names says whether the expression reads the variable: a rule that names `oldSelf` holds for
  // updates only.
  bool Names(std::string_view variable) const;

  // Evaluate computes the expression and takes what it cost from the budget. Values in the result
  // may be views of documents that the activation's values are views of. Errors (kInvalid):
  // "no such key: x", "division by zero" and their like; "operation cancelled: actual cost limit
  // exceeded"; that the budget is used up.
  Result<Value> Evaluate(const Activation& activation, Budget& budget) const;

  // Run is Evaluate with an error as a value, for those who go on with it.
  Value Run(const Activation& activation, Budget& budget) const;

  const Expr& root() const { return *root_; }
  int slots() const { return slots_; }  // how many local variables live at once at most

 private:
  std::shared_ptr<const Expr> root_;
  int slots_;
};

// Compile parses and checks an expression. `wanted`, if given, is the type that the result must
// have, unless it is known only at evaluation. Errors (kInvalid) list every issue with its place;
// source.h shows their form.
Result<Program> Compile(std::string_view text, const Environment& environment,
                        const TypePtr& wanted = nullptr);

}  // namespace berth::cel
