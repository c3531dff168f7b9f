// SPDX-License-Identifier: Apache-2.0
// Kubernetes' lists library (isSorted, sum, min, max, indexOf), CEL's extended lists library and
// CEL's sets.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "cel/compare.h"
#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/function.h"
#include "cel/libraries.h"
#include "cel/limits.h"

namespace berth::cel {
namespace {

Value NoOverload() { return Value::Error("no such overload"); }

Value IsSorted(Arguments a) {
  const List& list = a[0].AsList();
  for (size_t i = 1; i < list.Size(); ++i) {
    const auto order = Compare(list.At(i - 1), list.At(i));
    if (!order) return NoOverload();
    if (*order == std::partial_ordering::greater) return Value::Bool(false);
  }
  return Value::Bool(true);
}

// Adds the elements to the zero value of their type with the operator `+`.
Value SumFrom(Arguments a, Value sum) {
  const List& list = a[0].AsList();
  const std::span<const Overload> plus = FindFunction("_+_");
  for (size_t i = 0; i < list.Size(); ++i) {
    const Value terms[] = {sum, list.At(i)};
    const auto overload = std::find_if(plus.begin(), plus.end(), [&](const Overload& candidate) {
      return candidate.Accepts(terms);
    });
    if (overload == plus.end()) return NoOverload();
    sum = overload->call({terms});
    if (sum.IsError()) return sum;
  }
  return sum;
}
// A list of unknown type is summed with the type of its first element.
Value Sum(Arguments a, Value zero) {
  const List& list = a[0].AsList();
  if (list.Size() == 0 || list.At(0).kind() == zero.kind()) return SumFrom(a, std::move(zero));
  switch (list.At(0).kind()) {
    case Kind::kInt:
      return SumFrom(a, Value::Int(0));
    case Kind::kUint:
      return SumFrom(a, Value::Uint(0));
    case Kind::kDouble:
      return SumFrom(a, Value::Double(0));
    case Kind::kDuration:
      return SumFrom(a, Value::Of(Duration{}));
    default:
      return NoOverload();
  }
}
Value SumInts(Arguments a) { return Sum(a, Value::Int(0)); }
Value SumUints(Arguments a) { return Sum(a, Value::Uint(0)); }
Value SumDoubles(Arguments a) { return Sum(a, Value::Double(0)); }
Value SumDurations(Arguments a) { return Sum(a, Value::Of(Duration{})); }

Value Extreme(Arguments a, std::partial_ordering wanted, const char* name) {
  const List& list = a[0].AsList();
  if (list.Size() == 0) return Value::Error(std::string(name) + " called on empty list");
  Value best = list.At(0);
  for (size_t i = 1; i < list.Size(); ++i) {
    Value next = list.At(i);
    const auto order = Compare(next, best);
    if (!order) return NoOverload();
    if (*order == wanted) best = std::move(next);
  }
  return best;
}
Value Min(Arguments a) { return Extreme(a, std::partial_ordering::less, "min"); }
Value Max(Arguments a) { return Extreme(a, std::partial_ordering::greater, "max"); }

Value ListIndexOf(Arguments a) {
  const List& list = a[0].AsList();
  for (size_t i = 0; i < list.Size(); ++i) {
    if (Equals(list.At(i), a[1])) return Value::Int(static_cast<int64_t>(i));
  }
  return Value::Int(-1);
}
Value ListLastIndexOf(Arguments a) {
  const List& list = a[0].AsList();
  for (size_t i = list.Size(); i > 0; --i) {
    if (Equals(list.At(i - 1), a[1])) return Value::Int(static_cast<int64_t>(i) - 1);
  }
  return Value::Int(-1);
}

// A value that is no list includes itself.
Value Includes(Arguments a) {
  if (a[0].Is(Kind::kList)) return Value::Bool(ListIndexOf(a).AsInt() >= 0);
  return Value::Bool(Equals(a[0], a[1]));
}

Value Slice(Arguments a) {
  const List& list = a[0].AsList();
  const int64_t start = a[1].AsInt();
  const int64_t end = a[2].AsInt();
  const std::string call =
      "cannot slice(" + std::to_string(start) + ", " + std::to_string(end) + "), ";
  if (start < 0 || end < 0) return Value::Error(call + "negative indexes not supported");
  if (start > end) {
    return Value::Error(call + "start index must be less than or equal to end index");
  }
  if (static_cast<uint64_t>(end) > list.Size()) {
    return Value::Error(call + "list is length " + std::to_string(list.Size()));
  }
  std::vector<Value> part;
  for (int64_t i = start; i < end; ++i) part.push_back(list.At(static_cast<size_t>(i)));
  return Value::ListOf(std::move(part));
}

bool FlattenInto(const List& list, int64_t depth, std::vector<Value>& out) {
  for (size_t i = 0; i < list.Size(); ++i) {
    Value element = list.At(i);
    if (element.Is(Kind::kList) && depth > 0) {
      if (!FlattenInto(element.AsList(), depth - 1, out)) return false;
    } else {
      out.push_back(std::move(element));
    }
    if (out.size() > kMaxListElements) return false;
  }
  return true;
}
Value Flatten(Arguments a) {
  const int64_t depth = a.size() > 1 ? a[1].AsInt() : 1;
  if (depth < 0) return Value::Error("level must be non-negative");
  std::vector<Value> flat;
  if (!FlattenInto(a[0].AsList(), std::min<int64_t>(depth, kMaxCompareDepth), flat)) {
    return Value::Error("list exceeds the size limit of " + std::to_string(kMaxListElements));
  }
  return Value::ListOf(std::move(flat));
}

Value Sort(Arguments a) {
  const List& list = a[0].AsList();
  std::vector<Value> sorted;
  for (size_t i = 0; i < list.Size(); ++i) {
    sorted.push_back(list.At(i));
    if (sorted[i].kind() != sorted[0].kind() || !Compare(sorted[0], sorted[i])) {
      return Value::Error("list elements must have the same type");
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Value& x, const Value& y) {
    return Compare(x, y) == std::partial_ordering::less;
  });
  return Value::ListOf(std::move(sorted));
}

Value Range(Arguments a) {
  const int64_t count = a[0].AsInt();
  if (count < 0) {
    return Value::Error("lists.range: size must be non-negative, got " + std::to_string(count));
  }
  if (count > static_cast<int64_t>(kMaxListElements)) {
    return Value::Error("lists.range: size " + std::to_string(count) +
                        " exceeds maximum allowed (" + std::to_string(kMaxListElements) + ")");
  }
  std::vector<Value> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(Value::Int(i));
  return Value::ListOf(std::move(numbers));
}

Value ReverseList(Arguments a) {
  const List& list = a[0].AsList();
  std::vector<Value> reversed;
  for (size_t i = list.Size(); i > 0; --i) reversed.push_back(list.At(i - 1));
  return Value::ListOf(std::move(reversed));
}

// Returns the cost limit error if comparing each element of one list with each of the other exceeds
// the limit.
std::optional<Value> TooManyPairs(const List& a, const List& b) {
  if (a.Size() == 0 || b.Size() <= kMaxPairs / a.Size()) return std::nullopt;
  return Value::FinalError("operation cancelled: actual cost limit exceeded");
}

Value Distinct(Arguments a) {
  const List& list = a[0].AsList();
  if (auto error = TooManyPairs(list, list)) return *error;
  std::vector<Value> distinct;
  std::unordered_set<std::string> keys;
  for (size_t i = 0; i < list.Size(); ++i) {
    Value element = list.At(i);
    const auto key = MapKey(element);
    const bool is_new =
        key ? keys.insert(*key).second
            : std::none_of(distinct.begin(), distinct.end(),
                           [&](const Value& known) { return Equals(known, element); });
    if (is_new) distinct.push_back(std::move(element));
  }
  return Value::ListOf(std::move(distinct));
}

bool Holds(const List& list, const Value& wanted) {
  for (size_t i = 0; i < list.Size(); ++i) {
    if (Equals(list.At(i), wanted)) return true;
  }
  return false;
}
bool HoldsAll(const List& list, const List& wanted) {
  for (size_t i = 0; i < wanted.Size(); ++i) {
    if (!Holds(list, wanted.At(i))) return false;
  }
  return true;
}
bool HoldsAny(const List& list, const List& wanted) {
  for (size_t i = 0; i < wanted.Size(); ++i) {
    if (Holds(list, wanted.At(i))) return true;
  }
  return false;
}
bool HoldSame(const List& a, const List& b) { return HoldsAll(a, b) && HoldsAll(b, a); }

template <bool (*relation)(const List&, const List&)>
Value Sets(Arguments a) {
  if (auto error = TooManyPairs(a[0].AsList(), a[1].AsList())) return *error;
  return Value::Bool(relation(a[0].AsList(), a[1].AsList()));
}

// The cost of walking over all nested values.
uint64_t WalkCost(const Value& value, int depth) {
  if (depth > kMaxCompareDepth) return 1;
  uint64_t cost = 0;
  switch (value.kind()) {
    case Kind::kString:
      return value.AsString().size() / 10;
    case Kind::kBytes:
      return value.AsBytes().size() / 10;
    case Kind::kList:
      for (size_t i = 0; i < value.AsList().Size(); ++i) {
        cost += WalkCost(value.AsList().At(i), depth + 1);
      }
      return cost;
    case Kind::kMap:
      for (const Value& key : value.AsMap().Keys()) {
        cost += WalkCost(key, depth + 1) +
                WalkCost(value.AsMap().Find(key).value_or(Value()), depth + 1);
      }
      return cost;
    default:
      return 1;
  }
}
uint64_t ElementsCost(Arguments a, const Value& /*result*/) { return WalkCost(a[0], 0); }

uint64_t NewListCost(uint64_t work) { return work + 1 + kListCost; }
uint64_t ResultCost(Arguments /*a*/, const Value& result) { return NewListCost(SizeOf(result)); }
uint64_t FlattenCost(Arguments a, const Value& /*result*/) {
  const uint64_t depth = a.size() > 1 ? static_cast<uint64_t>(a[1].AsInt()) : 1;
  return NewListCost(std::min<uint64_t>(depth, kMaxCompareDepth) * SizeOf(a[0]));
}
// Each element is compared with each other one, twice; strings cost a tenth more.
uint64_t SelfCompareCost(Arguments a, const Value& /*result*/) {
  const List& list = a[0].AsList();
  const uint64_t pairs = list.Size() * list.Size();
  const bool is_text =
      list.Size() > 0 && (list.At(0).Is(Kind::kString) || list.At(0).Is(Kind::kBytes));
  return NewListCost(is_text ? pairs * 21 / 10 : pairs * 2);
}
uint64_t SetCost(Arguments a, const Value& /*result*/) { return 1 + SizeOf(a[0]) * SizeOf(a[1]); }
uint64_t TwiceSetCost(Arguments a, const Value& /*result*/) {
  return 1 + 2 * SizeOf(a[0]) * SizeOf(a[1]);
}

// The functions on ordered elements, for each ordered type.
#define BERTH_CEL_ORDERED(type)                                          \
  {"(list(" type ")).isSorted() -> bool", IsSorted, ElementsCost, true}, \
      {"(list(" type ")).min() -> " type, Min, ElementsCost, true}, {    \
    "(list(" type ")).max() -> " type, Max, ElementsCost, true           \
  }

#define BERTH_CEL_SORT(type) \
  { "(list(" type ")).sort() -> list(" type ")", Sort, SelfCompareCost }

constexpr FunctionRow kListsRows[] = {
    BERTH_CEL_ORDERED("int"),
    BERTH_CEL_ORDERED("uint"),
    BERTH_CEL_ORDERED("double"),
    BERTH_CEL_ORDERED("bool"),
    BERTH_CEL_ORDERED("duration"),
    BERTH_CEL_ORDERED("timestamp"),
    BERTH_CEL_ORDERED("string"),
    BERTH_CEL_ORDERED("bytes"),
    {"(list(int)).sum() -> int", SumInts, ElementsCost, true},
    {"(list(uint)).sum() -> uint", SumUints, ElementsCost, true},
    {"(list(double)).sum() -> double", SumDoubles, ElementsCost, true},
    {"(list(duration)).sum() -> duration", SumDurations, ElementsCost, true},
    {"(list(A)).indexOf(A) -> int", ListIndexOf, ElementsCost, true},
    {"(list(A)).lastIndexOf(A) -> int", ListLastIndexOf, ElementsCost, true},
    {"sets.contains(list(A), list(A)) -> bool", Sets<HoldsAll>, SetCost},
    {"sets.equivalent(list(A), list(A)) -> bool", Sets<HoldSame>, TwiceSetCost},
    {"sets.intersects(list(A), list(A)) -> bool", Sets<HoldsAny>, SetCost},
};

constexpr FunctionRow kExtendedListsRows[] = {
    BERTH_CEL_SORT("int"),
    BERTH_CEL_SORT("uint"),
    BERTH_CEL_SORT("double"),
    BERTH_CEL_SORT("bool"),
    BERTH_CEL_SORT("duration"),
    BERTH_CEL_SORT("timestamp"),
    BERTH_CEL_SORT("string"),
    BERTH_CEL_SORT("bytes"),
    {"(list(A)).slice(int, int) -> list(A)", Slice, ResultCost},
    {"(list(list(A))).flatten() -> list(A)", Flatten, FlattenCost},
    {"(list(dyn)).flatten(int) -> list(dyn)", Flatten, FlattenCost},
    {"lists.range(int) -> list(int)", Range, ResultCost},
    {"(list(A)).reverse() -> list(A)", ReverseList, ResultCost},
    {"(list(A)).distinct() -> list(A)", Distinct, SelfCompareCost},
};

constexpr FunctionRow kIncludesRows[] = {
    {"(dyn).includes(dyn) -> bool", Includes, ElementsCost, true},
};

#undef BERTH_CEL_ORDERED
#undef BERTH_CEL_SORT

}  // namespace

std::span<const FunctionRow> ListFunctions() { return kListsRows; }
std::span<const FunctionRow> ExtendedListFunctions() { return kExtendedListsRows; }
std::span<const FunctionRow> IncludesFunctions() { return kIncludesRows; }

}  // namespace berth::cel
