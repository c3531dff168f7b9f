// SPDX-License-Identifier: Apache-2.0
#include "cel/access.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

Value Size(Arguments a) { return Value::Int(static_cast<int64_t>(SizeOf(a[0]))); }

Value Index(Arguments a) { return IndexInto(a[0], a[1], false); }
Value OptionalIndex(Arguments a) { return IndexInto(a[0], a[1], true); }

Value OptionalOfValue(Arguments a) { return Value::Some(a[0]); }
Value OptionalOfNonZero(Arguments a) { return IsZero(a[0]) ? Value::None() : Value::Some(a[0]); }
Value OptionalNone(Arguments /*a*/) { return Value::None(); }
Value HasValue(Arguments a) { return Value::Bool(a[0].AsOptional() != nullptr); }
Value Held(Arguments a) {
  const Value* held = a[0].AsOptional();
  return held == nullptr ? Value::Error("optional.none() dereference") : *held;
}
Value Or(Arguments a) { return a[0].AsOptional() == nullptr ? a[1] : a[0]; }
Value OrValue(Arguments a) { return a[0].AsOptional() == nullptr ? a[1] : *a[0].AsOptional(); }

Value First(Arguments a) {
  const List& list = a[0].AsList();
  return list.Size() == 0 ? Value::None() : Value::Some(list.At(0));
}
Value Last(Arguments a) {
  const List& list = a[0].AsList();
  return list.Size() == 0 ? Value::None() : Value::Some(list.At(list.Size() - 1));
}
Value Unwrap(Arguments a) {
  const List& list = a[0].AsList();
  std::vector<Value> held;
  for (size_t i = 0; i < list.Size(); ++i) {
    const Value element = list.At(i);
    if (!element.Is(Kind::kOptional)) return Value::Error("no such overload");
    if (element.AsOptional() != nullptr) held.push_back(*element.AsOptional());
  }
  return Value::ListOf(std::move(held));
}

// The interpreter evaluates indexes (access.h); these rows are for the checker.
constexpr FunctionRow kCollectionRows[] = {
    {"_[_](list(A), int) -> A", Index},
    {"_[_](map(A, B), A) -> B", Index},
    {"_[_](optional(list(A)), int) -> optional(A)", Index},
    {"_[_](optional(map(A, B)), A) -> optional(B)", Index},
    {"_[?_](list(A), int) -> optional(A)", OptionalIndex},
    {"_[?_](optional(list(A)), int) -> optional(A)", OptionalIndex},
    {"_[?_](map(A, B), A) -> optional(B)", OptionalIndex},
    {"_[?_](optional(map(A, B)), A) -> optional(B)", OptionalIndex},
    {"size(bytes) -> int", Size},
    {"size(list(A)) -> int", Size},
    {"size(map(A, B)) -> int", Size},
    {"size(string) -> int", Size},
    {"(bytes).size() -> int", Size},
    {"(list(A)).size() -> int", Size},
    {"(map(A, B)).size() -> int", Size},
    {"(string).size() -> int", Size},
    {"optional.of(A) -> optional(A)", OptionalOfValue},
    {"optional.ofNonZeroValue(A) -> optional(A)", OptionalOfNonZero},
    {"optional.none() -> optional(A)", OptionalNone},
    {"optional.unwrap(list(optional(A))) -> list(A)", Unwrap},
    {"(list(optional(A))).unwrapOpt() -> list(A)", Unwrap},
    {"(optional(A)).hasValue() -> bool", HasValue},
    {"(optional(A)).value() -> A", Held},
    {"(optional(A)).or(optional(A)) -> optional(A)", Or},
    {"(optional(A)).orValue(A) -> A", OrValue},
    {"(list(A)).first() -> optional(A)", First},
    {"(list(A)).last() -> optional(A)", Last},
};

}  // namespace

std::span<const FunctionRow> CollectionFunctions() { return kCollectionRows; }

}  // namespace berth::cel
