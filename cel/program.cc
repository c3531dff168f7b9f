// SPDX-License-Identifier: Apache-2.0
#include "cel/program.h"

#include <algorithm>

#include "cel/checker.h"
#include "cel/interpreter.h"
#include "cel/parser.h"
#include "cel/prepare.h"

namespace berth::cel {
namespace {

bool ReadsGlobal(const Expr& expr, std::string_view variable) {
  if (expr.kind == ExprKind::kIdentifier && expr.slot < 0 && expr.name == variable) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const ExprPtr& arg) { return ReadsGlobal(*arg, variable); });
}

}  // namespace

Result<Program> Compile(std::string_view text, const Environment& environment,
                        const TypePtr& wanted) {
  Parsed parsed = Parse(text);
  if (parsed.issue) return Fail(ToError(text, {*parsed.issue}));
  Expr& root = *parsed.root;
  Checked checked = Check(root, environment);
  if (checked.issues.empty()) Validate(root, checked.issues);
  if (checked.issues.empty()) Fold(root, checked.issues);
  if (!checked.issues.empty()) {
    std::stable_sort(checked.issues.begin(), checked.issues.end(),
                     [](const Issue& a, const Issue& b) {
                       return std::pair(a.position.line, a.position.column) <
                              std::pair(b.position.line, b.position.column);
                     });
    return Fail(ToError(text, checked.issues));
  }
  if (wanted != nullptr && root.type->kind() != Kind::kDyn && !IsSame(*wanted, *root.type)) {
    return Fail(Reason::kInvalid, "must evaluate to " + ToString(*wanted) + ", but evaluates to " +
                                      ToString(*root.type));
  }
  Shorten(root, environment);
  return Program(std::shared_ptr<const Expr>(std::move(parsed.root)), checked.slots);
}

bool Program::Names(std::string_view variable) const { return ReadsGlobal(*root_, variable); }

Result<Value> Program::Evaluate(const Activation& activation, Budget& budget) const {
  Value value = Run(activation, budget);
  if (value.IsError()) return Fail(Reason::kInvalid, value.AsError().message);
  return value;
}

Value Program::Run(const Activation& activation, Budget& budget) const {
  if (budget.IsExhausted()) {
    return Value::FinalError(
        "validation failed due to running out of cost budget, no further validation rules "
        "will be run");
  }
  Interpreter interpreter(activation, budget.call_limit(), slots_);
  Value value = interpreter.Evaluate(*root_);
  budget.Spend(interpreter.cost());
  return value;
}

}  // namespace berth::cel
