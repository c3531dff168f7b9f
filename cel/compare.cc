// SPDX-License-Identifier: Apache-2.0
#include "cel/compare.h"

#include <cmath>
#include <cstring>

namespace berth::cel {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

bool IsNumber(const Value& value) {
  return value.Is(Kind::kInt) || value.Is(Kind::kUint) || value.Is(Kind::kDouble);
}

std::partial_ordering Reverse(std::partial_ordering order) {
  if (order == std::partial_ordering::less) return std::partial_ordering::greater;
  if (order == std::partial_ordering::greater) return std::partial_ordering::less;
  return order;
}

// Compares a double with an integer without rounding the integer: by range, then by integral part,
// then by fraction.
std::partial_ordering CompareDoubleInt(double a, int64_t b) {
  if (std::isnan(a)) return std::partial_ordering::unordered;
  if (a < -kTwoTo63) return std::partial_ordering::less;
  if (a >= kTwoTo63) return std::partial_ordering::greater;
  const double whole = std::trunc(a);
  const auto order = static_cast<int64_t>(whole) <=> b;
  return order != 0 ? std::partial_ordering(order) : a <=> whole;
}

std::partial_ordering CompareDoubleUint(double a, uint64_t b) {
  if (std::isnan(a)) return std::partial_ordering::unordered;
  if (a < 0) return std::partial_ordering::less;
  if (a >= kTwoTo64) return std::partial_ordering::greater;
  const double whole = std::trunc(a);
  const auto order = static_cast<uint64_t>(whole) <=> b;
  return order != 0 ? std::partial_ordering(order) : a <=> whole;
}

std::partial_ordering CompareIntUint(int64_t a, uint64_t b) {
  return a < 0 ? std::partial_ordering::less
               : std::partial_ordering(static_cast<uint64_t>(a) <=> b);
}

std::partial_ordering CompareNumbers(const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::kInt:
      if (b.Is(Kind::kInt)) return a.AsInt() <=> b.AsInt();
      if (b.Is(Kind::kUint)) return CompareIntUint(a.AsInt(), b.AsUint());
      return Reverse(CompareDoubleInt(b.AsDouble(), a.AsInt()));
    case Kind::kUint:
      if (b.Is(Kind::kUint)) return a.AsUint() <=> b.AsUint();
      if (b.Is(Kind::kInt)) return Reverse(CompareIntUint(b.AsInt(), a.AsUint()));
      return Reverse(CompareDoubleUint(b.AsDouble(), a.AsUint()));
    default:
      if (b.Is(Kind::kDouble)) return a.AsDouble() <=> b.AsDouble();
      if (b.Is(Kind::kInt)) return CompareDoubleInt(a.AsDouble(), b.AsInt());
      return CompareDoubleUint(a.AsDouble(), b.AsUint());
  }
}

// Byte order equals code point order.
std::partial_ordering CompareBytes(std::string_view a, std::string_view b) {
  return a.compare(b) <=> 0;
}

bool ListsEqual(const List& a, const List& b, int depth) {
  if (a.Size() != b.Size()) return false;
  for (size_t i = 0; i < a.Size(); ++i) {
    if (!Equals(a.At(i), b.At(i), depth)) return false;
  }
  return true;
}

bool MapsEqual(const Map& a, const Map& b, int depth) {
  if (a.Size() != b.Size()) return false;
  for (const Value& key : a.Keys()) {
    const auto left = a.Find(key);
    const auto right = b.Find(key);
    if (!left || !right || !Equals(*left, *right, depth)) return false;
  }
  return true;
}

bool OptionalsEqual(const Value* a, const Value* b, int depth) {
  if (a == nullptr || b == nullptr) return a == b;
  return Equals(*a, *b, depth);
}

}  // namespace

bool Equals(const Value& a, const Value& b, int depth) {
  if (depth > kMaxCompareDepth) return false;
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b) == std::partial_ordering::equivalent;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kList:
      return ListsEqual(a.AsList(), b.AsList(), depth + 1);
    case Kind::kMap:
      return MapsEqual(a.AsMap(), b.AsMap(), depth + 1);
    case Kind::kType:
      return a.AsType()->name() == b.AsType()->name();
    case Kind::kOptional:
      return OptionalsEqual(a.AsOptional(), b.AsOptional(), depth + 1);
    case Kind::kOpaque:
      return IsSame(*a.AsOpaque().type(), *b.AsOpaque().type()) &&
             a.AsOpaque().Equals(b.AsOpaque());
    default:
      return Compare(a, b) == std::partial_ordering::equivalent;
  }
}

std::optional<std::partial_ordering> Compare(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return CompareNumbers(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::kBool:
      return a.AsBool() <=> b.AsBool();
    case Kind::kString:
      return CompareBytes(a.AsString(), b.AsString());
    case Kind::kBytes:
      return CompareBytes(a.AsBytes(), b.AsBytes());
    case Kind::kTimestamp:
      return a.AsTimestamp() <=> b.AsTimestamp();
    case Kind::kDuration:
      return a.AsDuration() <=> b.AsDuration();
    default:
      return std::nullopt;
  }
}

std::optional<std::string> MapKey(const Value& key) {
  switch (key.kind()) {
    case Kind::kBool:
      return key.AsBool() ? "true" : "false";
    case Kind::kInt:
      return "#" + std::to_string(key.AsInt());
    case Kind::kUint:
      return "#" + std::to_string(key.AsUint());
    case Kind::kDouble: {
      const double number = key.AsDouble();
      if (std::trunc(number) == number && number >= -kTwoTo63 && number < kTwoTo64) {
        return number < 0 ? "#" + std::to_string(static_cast<int64_t>(number))
                          : "#" + std::to_string(static_cast<uint64_t>(number));
      }
      std::string bits(1 + sizeof number, '.');
      std::memcpy(bits.data() + 1, &number, sizeof number);
      return bits;
    }
    case Kind::kString:
      return "\"" + std::string(key.AsString());
    default:
      return std::nullopt;
  }
}

}  // namespace berth::cel
