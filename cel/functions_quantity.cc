// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <optional>

#include "base/quantity.h"
#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

class QuantityValue final : public Opaque {
 public:
  explicit QuantityValue(Quantity quantity) : quantity_(quantity) {}
  const TypePtr& type() const override { return QuantityType(); }
  bool Equals(const Opaque& other) const override {
    return quantity_ == static_cast<const QuantityValue&>(other).quantity_;
  }
  std::string ToString() const override { return quantity_.ToString(); }
  const Quantity& quantity() const { return quantity_; }

 private:
  Quantity quantity_;
};

const Quantity& AmountOf(const Value& value) {
  return static_cast<const QuantityValue&>(value.AsOpaque()).quantity();
}
std::optional<Quantity> QuantityRead(std::string_view text) {
  if (text.find_first_of(" \t\n\v\f\r") != std::string_view::npos) return std::nullopt;
  const auto quantity = Quantity::Parse(text);
  return quantity ? std::optional(*quantity) : std::nullopt;
}

Value QuantityFromString(Arguments a) {
  const auto quantity = QuantityRead(a[0].AsString());
  if (quantity) return QuantityOf(*quantity);
  return Value::Error(
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}
Value IsQuantity(Arguments a) { return Value::Bool(QuantityRead(a[0].AsString()).has_value()); }

int64_t Order(const Quantity& a, const Quantity& b) { return a < b ? -1 : a > b ? 1 : 0; }

Value QuantitySign(Arguments a) { return Value::Int(Order(AmountOf(a[0]), Quantity())); }
Value QuantityCompareTo(Arguments a) { return Value::Int(Order(AmountOf(a[0]), AmountOf(a[1]))); }
Value QuantityIsGreaterThan(Arguments a) { return Value::Bool(AmountOf(a[0]) > AmountOf(a[1])); }
Value QuantityIsLessThan(Arguments a) { return Value::Bool(AmountOf(a[0]) < AmountOf(a[1])); }

std::optional<int64_t> WholeUnits(const Quantity& quantity) {
  const int64_t units = quantity.Value();
  if (Quantity::FromValue(units) != quantity) return std::nullopt;
  return units;
}
Value IsInteger(Arguments a) { return Value::Bool(WholeUnits(AmountOf(a[0])).has_value()); }
Value AsInteger(Arguments a) {
  const auto units = WholeUnits(AmountOf(a[0]));
  return units ? Value::Int(*units) : Value::Error("cannot convert value to integer");
}

// The canonical text is an integer and a suffix, so one scaling gives the nearest double.
Value AsApproximateFloat(Arguments a) {
  const std::string text = AmountOf(a[0]).ToString();
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view suffix =
      std::string_view(text).substr(static_cast<size_t>(end - text.data()));
  if (suffix.empty()) return Value::Double(number);
  if (suffix[0] == 'e') {
    return Value::Double(number * std::pow(10, std::atoi(std::string(suffix.substr(1)).c_str())));
  }
  constexpr std::string_view kDecimal = "num?kMGTPE";  // from 1e-9 up; "?" is no suffix
  constexpr std::string_view kBinary = "KMGTPE";
  if (suffix.size() == 2) {
    return Value::Double(std::ldexp(number, 10 * (static_cast<int>(kBinary.find(suffix[0])) + 1)));
  }
  const int exponent = 3 * (static_cast<int>(kDecimal.find(suffix[0])) - 3);
  return Value::Double(exponent < 0 ? number / std::pow(10, -exponent)
                                    : number * std::pow(10, exponent));
}

Value QuantityAdd(Arguments a) { return QuantityOf(AmountOf(a[0]) + AmountOf(a[1])); }
Value QuantityAddInt(Arguments a) {
  return QuantityOf(AmountOf(a[0]) + Quantity::FromValue(a[1].AsInt()));
}
Value QuantitySubtract(Arguments a) { return QuantityOf(AmountOf(a[0]) - AmountOf(a[1])); }
Value QuantitySubtractInt(Arguments a) {
  return QuantityOf(AmountOf(a[0]) - Quantity::FromValue(a[1].AsInt()));
}

constexpr FunctionRow kQuantityRows[] = {
    {"quantity(string) -> quantity", QuantityFromString, TraversalCost},
    {"isQuantity(string) -> bool", IsQuantity, TraversalCost},
    {"sign(quantity) -> int", QuantitySign},
    {"(quantity).isGreaterThan(quantity) -> bool", QuantityIsGreaterThan},
    {"(quantity).isLessThan(quantity) -> bool", QuantityIsLessThan},
    {"(quantity).compareTo(quantity) -> int", QuantityCompareTo},
    {"(quantity).asApproximateFloat() -> double", AsApproximateFloat},
    {"(quantity).asInteger() -> int", AsInteger},
    {"(quantity).isInteger() -> bool", IsInteger},
    {"(quantity).add(quantity) -> quantity", QuantityAdd},
    {"(quantity).add(int) -> quantity", QuantityAddInt},
    {"(quantity).sub(quantity) -> quantity", QuantitySubtract},
    {"(quantity).sub(int) -> quantity", QuantitySubtractInt},
};

}  // namespace

const TypePtr& QuantityType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("kubernetes.Quantity"));
  return *kType;
}

Value QuantityOf(const Quantity& quantity) {
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<QuantityValue>(quantity)));
}

std::span<const FunctionRow> QuantityFunctions() { return kQuantityRows; }

}  // namespace berth::cel
