// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <algorithm>
#include <limits>

namespace berth {
namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kNanoPerUnit = 1'000'000'000;
constexpr Int128 kNanoPerMilli = 1'000'000;

// Divides, rounds away from zero and saturates at int64.
int64_t DivideAwayFromZero(Int128 amount, Int128 by) {
  Int128 quotient = amount / by;
  if (quotient * by != amount) quotient += amount > 0 ? 1 : -1;
  const Int128 low = std::numeric_limits<int64_t>::min();
  const Int128 high = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(quotient, low, high));
}

}  // namespace

Quantity Quantity::FromValue(int64_t units, Format format) {
  return {Int128{units} * kNanoPerUnit, format};
}

Quantity Quantity::FromMilli(int64_t milli_units) {
  return {Int128{milli_units} * kNanoPerMilli, Format::kDecimalSi};
}

int64_t Quantity::Value() const { return DivideAwayFromZero(nano_, kNanoPerUnit); }

int64_t Quantity::MilliValue() const { return DivideAwayFromZero(nano_, kNanoPerMilli); }

Quantity& Quantity::operator+=(const Quantity& other) {
  if (IsZero()) format_ = other.format_;
  nano_ = std::clamp(nano_ + other.nano_, -kMaxNano, kMaxNano);
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) {
  if (IsZero()) format_ = other.format_;
  nano_ = std::clamp(nano_ - other.nano_, -kMaxNano, kMaxNano);
  return *this;
}

}  // namespace berth
