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

// Program is a compiled expression. Immutable; any number of threads may evaluate it concurrently.
class Program {
 public:
  Program(std::shared_ptr<const Expr> root, int slots) : root_(std::move(root)), slots_(slots) {}

  // The type of the result, as far as it is statically known.
  const TypePtr& type() const { return root_->type; }

  // Reports whether the expression reads the variable. Example: a rule that reads `oldSelf` applies
  // only to updates.
  bool Names(std::string_view variable) const;

  // Evaluates the expression and charges its cost to the budget. Values in the result may be views
  // of the activation's documents. Errors (kInvalid): "no such key: x", "division by zero" and
  // similar; "operation cancelled: actual cost limit exceeded"; an exhausted budget.
  Result<Value> Evaluate(const Activation& activation, Budget& budget) const;

  // Evaluate with the error as a value, for callers that continue with it.
  Value Run(const Activation& activation, Budget& budget) const;

  const Expr& root() const { return *root_; }
  int slots() const { return slots_; }  // maximum number of local variables alive at once

 private:
  std::shared_ptr<const Expr> root_;
  int slots_;
};

// Parses and checks an expression. `wanted`, if set, is the required result type, unless the type
// is only known at evaluation. Errors (kInvalid) list every issue with its position; source.h shows
// the format.
Result<Program> Compile(std::string_view text, const Environment& environment,
                        const TypePtr& wanted = nullptr);

}  // namespace berth::cel
