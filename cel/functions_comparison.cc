// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cel/compare.h"
#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

Value Equal(Arguments a) { return Value::Bool(Equals(a[0], a[1])); }
Value NotEqual(Arguments a) { return Value::Bool(!Equals(a[0], a[1])); }

// Applies `holds` to the order of two ordered values.
template <class Holds>
Value Ordered(Arguments a, Holds holds) {
  const auto order = Compare(a[0], a[1]);
  if (!order) return Value::Error("no such overload");
  if (*order == std::partial_ordering::unordered) {
    return Value::Error("NaN values cannot be ordered");
  }
  return Value::Bool(holds(*order));
}
Value Less(Arguments a) {
  return Ordered(a, [](std::partial_ordering order) { return order < 0; });
}
Value LessOrEqual(Arguments a) {
  return Ordered(a, [](std::partial_ordering order) { return order <= 0; });
}
Value Greater(Arguments a) {
  return Ordered(a, [](std::partial_ordering order) { return order > 0; });
}
Value GreaterOrEqual(Arguments a) {
  return Ordered(a, [](std::partial_ordering order) { return order >= 0; });
}

Value InList(Arguments a) {
  const List& list = a[1].AsList();
  for (size_t i = 0; i < list.Size(); ++i) {
    if (Equals(list.At(i), a[0])) return Value::Bool(true);
  }
  return Value::Bool(false);
}
Value InMap(Arguments a) { return Value::Bool(a[1].AsMap().Find(a[0]).has_value()); }

// Two values are compared up to the end of the shorter one; opaque values cost their size.
uint64_t ComparisonCost(Arguments a, const Value& /*result*/) {
  if (a[0].Is(Kind::kOpaque)) return 1;
  return TextCost(std::min(SizeOf(a[0]), SizeOf(a[1])));
}
uint64_t SearchCost(Arguments a, const Value& /*result*/) { return SizeOf(a[1]); }

#define BERTH_CEL_ORDER(op, function)                                                            \
  {"_" op "_(bool, bool) -> bool", function}, {"_" op "_(int, int) -> bool", function},          \
      {"_" op "_(int, double) -> bool", function}, {"_" op "_(int, uint) -> bool", function},    \
      {"_" op "_(uint, uint) -> bool", function}, {"_" op "_(uint, double) -> bool", function},  \
      {"_" op "_(uint, int) -> bool", function}, {"_" op "_(double, double) -> bool", function}, \
      {"_" op "_(double, int) -> bool", function}, {"_" op "_(double, uint) -> bool", function}, \
      {"_" op "_(string, string) -> bool", function, ComparisonCost},                            \
      {"_" op "_(bytes, bytes) -> bool", function, ComparisonCost},                              \
      {"_" op "_(timestamp, timestamp) -> bool", function}, {                                    \
    "_" op "_(duration, duration) -> bool", function                                             \
  }

constexpr FunctionRow kComparisonRows[] = {
    {"_==_(A, A) -> bool", Equal, ComparisonCost},
    {"_!=_(A, A) -> bool", NotEqual, ComparisonCost},
    {"@in(A, list(A)) -> bool", InList, SearchCost},
    {"@in(A, map(A, B)) -> bool", InMap},
    BERTH_CEL_ORDER("<", Less),
    BERTH_CEL_ORDER("<=", LessOrEqual),
    BERTH_CEL_ORDER(">", Greater),
    BERTH_CEL_ORDER(">=", GreaterOrEqual),
};

#undef BERTH_CEL_ORDER

}  // namespace

std::span<const FunctionRow> ComparisonFunctions() { return kComparisonRows; }

}  // namespace berth::cel
