// SPDX-License-Identifier: Apache-2.0
#include "cel/divide.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace berth::cel {
namespace {

class Divider {
 public:
  Divider(std::span<const std::string> variables, std::string_view prefix, int slots,
          SplitExpression& out)
      : variables_(variables), prefix_(prefix), slots_(slots), out_(out) {}

  void Visit(ExprPtr& expr) {
    if (expr->kind == ExprKind::kLiteral) return;
    if (IsFixed(*expr)) return TakeOut(expr);
    for (ExprPtr& arg : expr->args) Visit(arg);
  }

 private:
  // Reports whether the expression reads none of the variables and no local variable of an
  // enclosing macro.
  bool IsFixed(const Expr& expr) {
    if (expr.kind == ExprKind::kIdentifier) {
      if (expr.slot >= 0) return inner_.contains(expr.slot);
      return std::ranges::find(variables_, expr.name) == variables_.end();
    }
    if (expr.kind != ExprKind::kComprehension) return AreFixed(expr, 0);
    if (!IsFixed(*expr.args[0])) return false;
    std::vector<int> added;
    for (const int slot : {expr.slot, expr.slot2}) {
      if (slot >= 0 && inner_.insert(slot).second) added.push_back(slot);
    }
    const bool is_fixed = AreFixed(expr, 1);
    for (const int slot : added) inner_.erase(slot);
    return is_fixed;
  }

  bool AreFixed(const Expr& expr, size_t from) {
    return std::all_of(expr.args.begin() + static_cast<std::ptrdiff_t>(from), expr.args.end(),
                       [this](const ExprPtr& arg) { return IsFixed(*arg); });
  }

  void TakeOut(ExprPtr& expr) {
    std::string name = std::string(prefix_) + std::to_string(out_.parts.size());
    auto variable = std::make_unique<Expr>();
    variable->kind = ExprKind::kIdentifier;
    variable->position = expr->position;
    variable->name = name;
    variable->type = expr->type;
    out_.parts.emplace_back(std::shared_ptr<const Expr>(std::move(expr)), slots_);
    out_.names.push_back(std::move(name));
    expr = std::move(variable);
  }

  std::span<const std::string> variables_;
  std::string_view prefix_;
  int slots_;
  SplitExpression& out_;
  std::set<int> inner_;  // local variables of macros inside the expression
};

// Returns the path of fields that begins at the variable, or nullopt.
std::optional<std::string> PathOf(const Expr& expr, std::string_view variable) {
  if (expr.kind == ExprKind::kIdentifier) {
    return expr.slot < 0 && expr.name == variable ? std::optional(std::string()) : std::nullopt;
  }
  if (expr.kind != ExprKind::kSelect && expr.kind != ExprKind::kOptionalSelect &&
      expr.kind != ExprKind::kHas) {
    return std::nullopt;
  }
  auto path = PathOf(*expr.args[0], variable);
  if (!path) return path;
  return path->empty() ? expr.name : *path + "." + expr.name;
}

void AddFieldsRead(const Expr& expr, std::string_view variable, std::set<std::string>& out) {
  if (auto path = PathOf(expr, variable)) {
    out.insert(std::move(*path));
    return;
  }
  for (const ExprPtr& arg : expr.args) AddFieldsRead(*arg, variable, out);
}

}  // namespace

SplitExpression Divide(const Program& program, std::span<const std::string> variables,
                       std::string_view prefix) {
  SplitExpression divided{{}, {}, program};
  ExprPtr root = Copy(program.root());
  Divider(variables, prefix, program.slots(), divided).Visit(root);
  divided.rest = Program(std::shared_ptr<const Expr>(std::move(root)), program.slots());
  return divided;
}

std::set<std::string> FieldsRead(const Expr& expr, std::string_view variable) {
  std::set<std::string> paths;
  AddFieldsRead(expr, variable, paths);
  return paths;
}

}  // namespace berth::cel
