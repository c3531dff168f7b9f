// SPDX-License-Identifier: Apache-2.0
#include "base/regex.h"
#include "cel/convert.h"
#include "cel/prepare.h"

namespace berth::cel {
namespace {

class Validator {
 public:
  explicit Validator(std::vector<Issue>& issues) : issues_(issues) {}

  void Visit(const Expr& expr) {
    if (expr.kind == ExprKind::kList) CheckList(expr);
    if (expr.kind == ExprKind::kMap) CheckMap(expr);
    if (expr.kind == ExprKind::kCall) CheckLiterals(expr);
    for (const ExprPtr& arg : expr.args) Visit(*arg);
  }

 private:
  static TypePtr ElementType(const Expr& expr, bool is_optional) {
    return is_optional && expr.type->kind() == Kind::kOptional ? expr.type->parameters()[0]
                                                               : expr.type;
  }

  // Records the first type of a literal and reports whether other types equal it.
  bool Same(const Expr& expr, bool is_optional, TypePtr& first) {
    TypePtr type = ElementType(expr, is_optional);
    if (first == nullptr) first = type;
    if (IsSame(*first, *type)) return true;
    issues_.push_back({expr.position, "expected type '" + ToString(*first) + "' but found '" +
                                          ToString(*type) + "'"});
    return false;
  }

  void CheckList(const Expr& expr) {
    TypePtr first;
    for (size_t i = 0; i < expr.args.size(); ++i) {
      if (!Same(*expr.args[i], expr.optional[i], first)) return;
    }
  }

  void CheckMap(const Expr& expr) {
    TypePtr first_key;
    TypePtr first_value;
    for (size_t i = 0; i < expr.optional.size(); ++i) {
      Same(*expr.args[2 * i], false, first_key);
      Same(*expr.args[2 * i + 1], expr.optional[i], first_value);
    }
  }

  void CheckLiterals(const Expr& expr) {
    if (expr.args.empty() || expr.args.back()->kind != ExprKind::kLiteral ||
        !expr.args.back()->literal.Is(Kind::kString)) {
      return;
    }
    const std::string_view text = expr.args.back()->literal.AsString();
    const bool is_wrong =
        (expr.name == "duration" && !ParseDuration(text)) ||
        (expr.name == "timestamp" && !ParseTimestamp(text)) ||
        (expr.name == "matches" && expr.args.size() == 2 && !Regex::Compile(text));
    if (!is_wrong) return;
    issues_.push_back({expr.args.back()->position, "invalid " + expr.name + " argument"});
  }

  std::vector<Issue>& issues_;
};

}  // namespace

void Validate(const Expr& root, std::vector<Issue>& issues) { Validator(issues).Visit(root); }

}  // namespace berth::cel
