// SPDX-License-Identifier: Apache-2.0
// Evaluation of macros over lists and maps.
#include <algorithm>
#include <numeric>

#include "cel/compare.h"
#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/interpreter.h"
#include "cel/limits.h"

namespace berth::cel {
namespace {

// Bookkeeping cost of one iteration: reading the accumulator, testing the loop condition, adding to
// the accumulator. `all` reads and tests the accumulator; `exists` also negates it.
constexpr uint64_t kReadAccumulator = 1;
constexpr uint64_t kAllCondition = 2;
constexpr uint64_t kExistsCondition = 3;
constexpr uint64_t kAppend = 1;

bool IsFinal(const Value& value) { return value.IsError() && value.AsError().is_final; }

}  // namespace

Value Interpreter::ForEach(const Expr& expr, const Value& range,
                           const std::function<bool()>& turn) {
  const bool has_two = expr.slot2 >= 0;
  Value& first = locals_[static_cast<size_t>(expr.slot)];
  const auto set_second = [&](Value value) {
    locals_[static_cast<size_t>(expr.slot2)] = std::move(value);
  };
  if (range.Is(Kind::kList)) {
    const List& list = range.AsList();
    for (size_t i = 0; i < list.Size(); ++i) {
      first = has_two ? Value::Int(static_cast<int64_t>(i)) : list.At(i);
      if (has_two) set_second(list.At(i));
      if (!turn()) break;
    }
  } else if (range.Is(Kind::kMap)) {
    const Map& map = range.AsMap();
    for (const Value& key : map.Keys()) {
      first = key;
      if (has_two) set_second(map.Find(key).value_or(Value()));
      if (!turn()) break;
    }
  } else {
    return Value::Error("got '" + TypeOfValue(range)->name() + "', expected iterable type");
  }
  return Value::Bool(true);
}

Value Interpreter::EvaluateComprehension(const Expr& expr) {
  const uint64_t before = cost_;
  Value range = Evaluate(*expr.args[0]);
  if (range.IsError()) return range;
  switch (expr.macro) {
    case Macro::kAll:
    case Macro::kExists:
      return EvaluateQuantifier(expr, range);
    case Macro::kExistsOne:
      return EvaluateExistsOne(expr, range);
    case Macro::kEach:
    case Macro::kFilter:
    case Macro::kTransformList:
      return EvaluateListBuilder(expr, range);
    case Macro::kTransformMap:
    case Macro::kTransformMapEntry:
      return EvaluateMapBuilder(expr, range);
    case Macro::kSortBy:
      return EvaluateSortBy(expr, range);
    case Macro::kOptMap:
    case Macro::kOptFlatMap:
      return EvaluateOptionalMap(expr, range, cost_ - before);
  }
  return Value::Error("no such overload");
}

// As for `||` and `&&`, a deciding element takes precedence over a failing one.
Value Interpreter::EvaluateQuantifier(const Expr& expr, const Value& range) {
  const bool is_exists = expr.macro == Macro::kExists;
  const uint64_t condition = is_exists ? kExistsCondition : kAllCondition;
  Value result = Value::Bool(!is_exists);
  bool is_decided = false;
  const Value walked = ForEach(expr, range, [&] {
    Charge(condition);
    if (is_decided) return false;
    Charge(kReadAccumulator);
    Value element = Evaluate(*expr.args[1]);
    if (IsFinal(element)) {
      result = std::move(element);
      return false;
    }
    is_decided = element.Is(Kind::kBool) && element.AsBool() == is_exists;
    if (is_decided) {
      result = std::move(element);
    } else if (!element.Is(Kind::kBool) && !result.IsError()) {
      result = element.IsError() ? std::move(element) : Value::Error("no such overload");
    }
    return true;
  });
  Charge(kReadAccumulator);
  return walked.IsError() ? walked : result;
}

Value Interpreter::EvaluateExistsOne(const Expr& expr, const Value& range) {
  int64_t count = 0;
  Value error;
  Value walked = ForEach(expr, range, [&] {
    Value element = Evaluate(*expr.args[1]);
    if (!element.Is(Kind::kBool)) {
      error = element.IsError() ? std::move(element) : Value::Error("no such overload");
      return false;
    }
    if (element.AsBool()) {
      ++count;
      Charge(kReadAccumulator + kAppend);
    }
    return true;
  });
  if (walked.IsError()) return walked;
  Charge(2);  // compares the count with one
  return error.IsError() ? error : Value::Bool(count == 1);
}

bool Interpreter::PassesFilter(const Expr& expr, Value& error) {
  if (expr.macro != Macro::kFilter && expr.args.size() < 3) return true;
  Value passes = Evaluate(*expr.args[1]);
  if (passes.Is(Kind::kBool)) return passes.AsBool();
  error = passes.IsError() ? std::move(passes) : Value::Error("no such overload");
  return false;
}

Value Interpreter::EvaluateListBuilder(const Expr& expr, const Value& range) {
  const bool is_filter = expr.macro == Macro::kFilter;
  const Expr& body = *expr.args.back();
  // With a constant body its one-element list is a constant, too.
  const uint64_t list_cost = !is_filter && body.kind == ExprKind::kLiteral ? 0 : kListCost;
  std::vector<Value> elements;
  Value error;
  Value walked = ForEach(expr, range, [&] {
    if (!PassesFilter(expr, error)) return !error.IsError();
    Charge(kReadAccumulator + list_cost + kAppend);
    if (is_filter) {
      Charge(1);
      elements.push_back(locals_[static_cast<size_t>(expr.slot)]);
      return true;
    }
    Value element = Evaluate(body);
    if (element.IsError()) {
      error = std::move(element);
      return false;
    }
    elements.push_back(std::move(element));
    return true;
  });
  if (walked.IsError()) return walked;
  if (error.IsError()) return error;
  Charge(kReadAccumulator);
  return Value::ListOf(std::move(elements));
}

Value Interpreter::EvaluateMapBuilder(const Expr& expr, const Value& range) {
  const bool is_entry = expr.macro == Macro::kTransformMapEntry;
  std::vector<std::pair<Value, Value>> entries;
  std::map<std::string, bool> seen;
  Value error;
  const auto insert = [&](const Value& key, Value value) {
    if (!seen.emplace(MapKey(key).value_or(""), true).second) {
      error = Value::Error("insert failed: key " + ToText(key) + " already exists");
      return;
    }
    entries.emplace_back(key, std::move(value));
  };
  Value walked = ForEach(expr, range, [&] {
    if (!PassesFilter(expr, error)) return !error.IsError();
    Charge(kReadAccumulator + 1 + (is_entry ? 0 : 1));
    Value made = Evaluate(*expr.args.back());
    if (made.IsError()) {
      error = std::move(made);
    } else if (!is_entry) {
      insert(locals_[static_cast<size_t>(expr.slot)], std::move(made));
    } else if (!made.Is(Kind::kMap)) {
      error = Value::Error("no such overload");
    } else {
      for (const Value& key : made.AsMap().Keys()) {
        if (!error.IsError()) insert(key, made.AsMap().Find(key).value_or(Value()));
      }
    }
    return !error.IsError();
  });
  if (walked.IsError()) return walked;
  if (error.IsError()) return error;
  Charge(kReadAccumulator);
  return Value::MapOf(std::move(entries));
}

Value Interpreter::EvaluateSortBy(const Expr& expr, const Value& range) {
  if (!range.Is(Kind::kList)) return Value::Error("no such overload");
  Charge(2);  // the list is read for the keys and for sorting
  Value keys = EvaluateListBuilder(expr, range);
  if (keys.IsError()) return keys;
  const List& key_list = keys.AsList();
  for (size_t i = 0; i < key_list.Size(); ++i) {
    if (!Compare(key_list.At(0), key_list.At(i)))
      return Value::Error("list elements must have the same type");
  }
  const std::span<const Value> arguments(&keys, 1);
  uint64_t cost = 0;
  ApplyOverloads(expr, arguments, cost);
  Charge(cost);
  std::vector<size_t> order(key_list.Size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return Compare(key_list.At(a), key_list.At(b)) == std::partial_ordering::less;
  });
  std::vector<Value> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(range.AsList().At(i));
  return Value::ListOf(std::move(sorted));
}

// The macro expands to `target.hasValue() ? optional.of(body) : optional.none()`, and the body's
// variable to `target.value()`. So the target is charged twice.
Value Interpreter::EvaluateOptionalMap(const Expr& expr, const Value& target,
                                       uint64_t target_cost) {
  if (!target.Is(Kind::kOptional)) return Value::Error("no such overload");
  Charge(1);
  if (target.AsOptional() == nullptr) {
    Charge(1);
    return target;
  }
  Charge(target_cost + 1);
  locals_[static_cast<size_t>(expr.slot)] = *target.AsOptional();
  Value made = Evaluate(*expr.args[1]);
  if (made.IsError()) return made;
  if (expr.macro == Macro::kOptFlatMap) return made;
  Charge(1);
  return Value::Some(std::move(made));
}

}  // namespace berth::cel
