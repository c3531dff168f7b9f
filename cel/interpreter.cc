// SPDX-License-Identifier: Apache-2.0
#include "cel/interpreter.h"

#include <array>
#include <utility>

#include "cel/access.h"
#include "cel/cost.h"
#include "cel/function.h"

namespace berth::cel {
namespace {

// Reports whether the expression is a path: a variable or a condition followed by fields and
// indexes. The lookup is charged once, at its root.
bool IsPath(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kIdentifier:
    case ExprKind::kSelect:
    case ExprKind::kOptionalSelect:
    case ExprKind::kIndex:
    case ExprKind::kOptionalIndex:
    case ExprKind::kConditional:
      return true;
    default:
      return false;
  }
}

bool IsNone(const Value& value) {
  return value.Is(Kind::kOptional) && value.AsOptional() == nullptr;
}

}  // namespace

Value ApplyOverloads(const Expr& expr, std::span<const Value> arguments, uint64_t& cost) {
  for (const Overload* overload : expr.overloads) {
    if (!overload->Accepts(arguments)) continue;
    const Arguments call{arguments, expr.regex.get()};
    Value result = overload->call(call);
    const bool is_priced =
        overload->cost != nullptr && (overload->costs_always || expr.overloads.size() == 1);
    cost += is_priced && !result.IsError() ? overload->cost(call, result) : 1;
    return result;
  }
  ++cost;
  return Value::Error("no such overload");
}

Value Interpreter::Evaluate(const Expr& expr) {
  Value value = EvaluateNode(expr);
  if (cost_ > cost_limit_) {
    return Value::FinalError("operation cancelled: actual cost limit exceeded");
  }
  return value;
}

Value Interpreter::EvaluateNode(const Expr& expr) {
  if (expr.shortcut != nullptr) return EvaluateShortcut(expr);
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return expr.literal;
    case ExprKind::kIdentifier:
      return EvaluateIdentifier(expr);
    case ExprKind::kSelect:
    case ExprKind::kOptionalSelect:
      return EvaluateSelect(expr);
    case ExprKind::kHas:
      return EvaluateHas(expr);
    case ExprKind::kIndex:
    case ExprKind::kOptionalIndex:
      return EvaluateIndex(expr);
    case ExprKind::kCall:
      return EvaluateCall(expr);
    case ExprKind::kAnd:
      return EvaluateLogic(expr, false);
    case ExprKind::kOr:
      return EvaluateLogic(expr, true);
    case ExprKind::kConditional:
      return EvaluateConditional(expr);
    case ExprKind::kList:
      return EvaluateList(expr);
    case ExprKind::kMap:
      return EvaluateMap(expr);
    case ExprKind::kComprehension:
      return EvaluateComprehension(expr);
    case ExprKind::kStruct:
      break;  // the checker rejects it
  }
  return Value::Error("no such overload");
}

Value Interpreter::EvaluateIdentifier(const Expr& expr) {
  Charge(1);
  if (expr.slot >= 0) return locals_[static_cast<size_t>(expr.slot)];
  const Value* bound = activation_.Find(expr.name);
  return bound != nullptr ? *bound : Value::Error("no such attribute(s): " + expr.name);
}

Value Interpreter::EvaluateShortcut(const Expr& expr) {
  const Value* variable = activation_.Find(expr.root);
  if (variable != nullptr) return expr.shortcut->Evaluate(*variable, cost_);
  return Value::Error("no such attribute(s): " + expr.root);
}

// Evaluates the operand of a field or an index.
Value Interpreter::EvaluateOperand(const Expr& expr) {
  Value operand = Evaluate(expr);
  if (!IsPath(expr)) Charge(1);
  return operand;
}

Value Interpreter::EvaluateSelect(const Expr& expr) {
  Value operand = EvaluateOperand(*expr.args[0]);
  if (operand.IsError()) return operand;
  Value field = SelectField(operand, expr.name, expr.kind == ExprKind::kOptionalSelect);
  if (!IsNone(field)) Charge(1);
  return field;
}

Value Interpreter::EvaluateHas(const Expr& expr) {
  const Value operand = EvaluateOperand(*expr.args[0]);
  return operand.IsError() ? operand : HasField(operand, expr.name);
}

Value Interpreter::EvaluateIndex(const Expr& expr) {
  Value operand = EvaluateOperand(*expr.args[0]);
  if (operand.IsError()) return operand;
  Value key = Evaluate(*expr.args[1]);
  if (key.IsError()) return key;
  Value element = IndexInto(operand, key, expr.kind == ExprKind::kOptionalIndex);
  if (!IsPath(*expr.args[1]) && !IsNone(element)) Charge(1);
  return element;
}

// The deciding value ends the evaluation, even if earlier operands failed.
Value Interpreter::EvaluateLogic(const Expr& expr, bool decisive) {
  Value failed = Value::Bool(!decisive);
  for (const ExprPtr& arg : expr.args) {
    Value operand = Evaluate(*arg);
    if (operand.Is(Kind::kBool)) {
      if (operand.AsBool() == decisive) return operand;
      continue;
    }
    if (operand.IsError() && operand.AsError().is_final) return operand;
    if (failed.IsError()) continue;
    failed = operand.IsError() ? std::move(operand) : Value::Error("no such overload");
  }
  return failed;
}

Value Interpreter::EvaluateConditional(const Expr& expr) {
  Value condition = Evaluate(*expr.args[0]);
  if (condition.IsError()) return condition;
  if (!condition.Is(Kind::kBool)) return Value::Error("no such overload");
  const Expr& branch = *expr.args[condition.AsBool() ? 1 : 2];
  Value value = Evaluate(branch);
  // A path that continues the condition's path: its root is already charged.
  if (IsPath(branch) && branch.kind != ExprKind::kConditional) --cost_;
  return value;
}

// Most calls have few arguments; these need no heap allocation.
Value Interpreter::EvaluateCall(const Expr& expr) {
  constexpr size_t kFew = 3;
  if (expr.args.size() <= kFew) {
    std::array<Value, kFew> few;
    return EvaluateCall(expr, std::span(few).first(expr.args.size()));
  }
  std::vector<Value> many(expr.args.size());
  return EvaluateCall(expr, many);
}

Value Interpreter::EvaluateCall(const Expr& expr, std::span<Value> arguments) {
  const bool is_alternative = expr.is_member && (expr.name == "or" || expr.name == "orValue");
  for (size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = Evaluate(*expr.args[i]);
    Value& last = arguments[i];
    if (last.IsError()) {
      Charge(1);
      return std::move(last);
    }
    // The alternative of an optional with a value is not evaluated, and the call is not charged.
    if (is_alternative && last.Is(Kind::kOptional) && last.AsOptional() != nullptr) {
      return expr.name == "or" || i == 1 ? last : *last.AsOptional();
    }
  }
  if (is_alternative && arguments[0].Is(Kind::kOptional)) return arguments[1];
  return Call(expr, arguments);
}

Value Interpreter::Call(const Expr& expr, std::span<const Value> arguments) {
  // A list of constants is searched as a set.
  const bool is_free = expr.name == "@in" && expr.args[1]->kind == ExprKind::kLiteral &&
                       arguments[1].Is(Kind::kList);
  const uint64_t before = cost_;
  Value result = ApplyOverloads(expr, arguments, cost_);
  if (is_free) cost_ = before;
  return result;
}

Value Interpreter::EvaluateList(const Expr& expr) {
  std::vector<Value> elements;
  elements.reserve(expr.args.size());
  for (size_t i = 0; i < expr.args.size(); ++i) {
    Value element = Evaluate(*expr.args[i]);
    if (element.IsError()) return element;
    if (!expr.optional[i]) {
      elements.push_back(std::move(element));
    } else if (!element.Is(Kind::kOptional)) {
      return Value::Error("cannot initialize optional list element from non-optional value");
    } else if (element.AsOptional() != nullptr) {
      elements.push_back(*element.AsOptional());
    }
  }
  Charge(kListCost);
  return Value::ListOf(std::move(elements));
}

Value Interpreter::EvaluateMap(const Expr& expr) {
  std::vector<std::pair<Value, Value>> entries;
  entries.reserve(expr.optional.size());
  for (size_t i = 0; i < expr.optional.size(); ++i) {
    Value key = Evaluate(*expr.args[2 * i]);
    if (key.IsError()) return key;
    Value value = Evaluate(*expr.args[2 * i + 1]);
    if (value.IsError()) return value;
    if (expr.optional[i]) {
      if (!value.Is(Kind::kOptional)) {
        return Value::Error("cannot initialize optional entry from non-optional value");
      }
      if (value.AsOptional() == nullptr) continue;
      Value held = *value.AsOptional();  // direct assignment would destroy it with the optional
      value = std::move(held);
    }
    if (key.Is(Kind::kNull) || key.kind() > Kind::kString) {
      return Value::Error("unsupported key type: " + TypeOfValue(key)->name());
    }
    entries.emplace_back(std::move(key), std::move(value));
  }
  Charge(kMapCost);
  return Value::MapOf(std::move(entries));
}

}  // namespace berth::cel
