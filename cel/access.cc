// SPDX-License-Identifier: Apache-2.0
#include "cel/access.h"

#include <cmath>

#include "cel/convert.h"

namespace berth::cel {
namespace {

// Reached is the result of a step: a value, nothing (with the error for it), or an error that also
// stays an error in an optional.
struct Reached {
  std::optional<Value> value;
  Value missing;
};

Value NoSuchKey(const Value& key) { return Value::Error("no such key: " + ToText(key)); }

Reached ReachInList(const List& list, const Value& key) {
  int64_t index = -1;
  if (key.Is(Kind::kInt)) {
    index = key.AsInt();
  } else if (key.Is(Kind::kUint)) {
    index = key.AsUint() < list.Size() ? static_cast<int64_t>(key.AsUint()) : -1;
  } else if (key.Is(Kind::kDouble)) {
    if (std::trunc(key.AsDouble()) != key.AsDouble() || std::fabs(key.AsDouble()) > 1e15) {
      return {Value::Error("unsupported index value " + ToText(key) + " in list"), {}};
    }
    index = static_cast<int64_t>(key.AsDouble());
  } else {
    return {Value::Error("unsupported index type '" + TypeOfValue(key)->name() + "' in list"), {}};
  }
  if (index < 0 || static_cast<uint64_t>(index) >= list.Size()) {
    return {std::nullopt, Value::Error("index out of bounds: " + ToText(key))};
  }
  return {list.At(static_cast<size_t>(index)), {}};
}

Reached Reach(const Value& operand, const Value& key) {
  if (operand.Is(Kind::kMap)) {
    auto found = operand.AsMap().Find(key);
    if (found) return {std::move(found), {}};
    return {std::nullopt, NoSuchKey(key)};
  }
  if (operand.Is(Kind::kList)) return ReachInList(operand.AsList(), key);
  return {NoSuchKey(key), {}};
}

Value Step(const Value& operand, const Value& key, bool is_optional) {
  const bool in_optional = operand.Is(Kind::kOptional);
  if (in_optional && operand.AsOptional() == nullptr) return operand;
  const Value& container = in_optional ? *operand.AsOptional() : operand;
  Reached reached = Reach(container, key);
  if (!in_optional && !is_optional) {
    return reached.value ? std::move(*reached.value) : std::move(reached.missing);
  }
  const bool is_unset = container.Is(Kind::kMap) && container.AsMap().IsUnset(key);
  if (!reached.value || is_unset) return Value::None();
  return reached.value->IsError() ? std::move(*reached.value) : Value::Some(*reached.value);
}

}  // namespace

Value SelectField(const Value& operand, std::string_view field, bool is_optional) {
  return Step(operand, Value::BorrowedString(field), is_optional);
}

Value HasField(const Value& operand, std::string_view field) {
  if (operand.Is(Kind::kOptional)) {
    return operand.AsOptional() == nullptr ? Value::Bool(false)
                                           : HasField(*operand.AsOptional(), field);
  }
  if (!operand.Is(Kind::kMap)) return Value::Error("no such overload");
  const Value key = Value::BorrowedString(field);
  const auto found = operand.AsMap().Find(key);
  if (found && found->IsError()) return *found;
  return Value::Bool(found.has_value() && !operand.AsMap().IsUnset(key));
}

Value IndexInto(const Value& operand, const Value& key, bool is_optional) {
  return Step(operand, key, is_optional);
}

}  // namespace berth::cel
