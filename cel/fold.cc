// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/regex.h"
#include "cel/function.h"
#include "cel/interpreter.h"
#include "cel/prepare.h"

namespace berth::cel {
namespace {

constexpr std::array<std::string_view, 10> kConversions = {
    "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};

bool IsConversion(const Expr& expr) {
  return expr.kind == ExprKind::kCall && !expr.is_member && expr.args.size() == 1 &&
         std::find(kConversions.begin(), kConversions.end(), expr.name) != kConversions.end();
}

bool HasLiteralArguments(const Expr& expr) {
  return std::all_of(expr.args.begin(), expr.args.end(),
                     [](const ExprPtr& arg) { return arg->kind == ExprKind::kLiteral; });
}

bool HasOptional(const Expr& expr) {
  return std::find(expr.optional.begin(), expr.optional.end(), true) != expr.optional.end();
}

void CompilePattern(Expr& expr, std::vector<Issue>& issues) {
  const bool takes_pattern =
      expr.kind == ExprKind::kCall && expr.args.size() >= 2 &&
      (expr.name == "matches" || expr.name == "find" || expr.name == "findAll");
  if (!takes_pattern || expr.args[1]->kind != ExprKind::kLiteral ||
      !expr.args[1]->literal.Is(Kind::kString)) {
    return;
  }
  auto regex = Regex::Compile(expr.args[1]->literal.AsString());
  if (regex) {
    expr.regex = std::move(*regex);
  } else {
    issues.push_back({expr.args[1]->position, regex.error().message()});
  }
}

}  // namespace

void Fold(Expr& root, std::vector<Issue>& issues) {
  for (const ExprPtr& arg : root.args) Fold(*arg, issues);
  CompilePattern(root, issues);
  const bool is_collection =
      (root.kind == ExprKind::kList || root.kind == ExprKind::kMap) && !HasOptional(root);
  if ((!is_collection && !IsConversion(root)) || !HasLiteralArguments(root)) return;
  const Activation nothing;
  Value value = Interpreter(nothing, UINT64_MAX, 0).Evaluate(root);
  if (value.IsError()) {
    issues.push_back({root.position, value.AsError().message});
    return;
  }
  root.kind = ExprKind::kLiteral;
  root.literal = std::move(value);
  root.args.clear();
}

}  // namespace berth::cel
