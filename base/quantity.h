// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/scalar.h"

namespace berth {

// Quantity is an amount of a resource in Kubernetes' notation: "100m", "2", "1.5Gi", "12e6".
// Source: apimachinery's resource.Quantity.
//
// The amount is exact to 1e-9 units. Finer digits round away from zero, so that a tiny request does
// not become zero. It saturates at plus or minus 5e28 units, far beyond int64; binary suffixes
// saturate at 2^63-1 units while parsing, as upstream. No operation overflows. A value type; any
// thread may use it.
//
// Deviation: upstream's Value() returns 0 or a wrapped number for amounts beyond int64, such as
// 1e400. Here Value() returns the nearest int64, so that such a request fits no node instead of
// every node.
// everywhere.
class Quantity {
 public:
  // Format is the suffix family that an amount was parsed with and is printed with.
  enum class Format : uint8_t {
    kDecimalSi,        // n u m, none, k M G T P E
    kBinarySi,         // Ki Mi Gi Ti Pi Ei
    kDecimalExponent,  // e3, E-6
  };

  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kQuantity;

  constexpr Quantity() = default;

  // Parses the wire form; pass a bare JSON number as its text. Errors (kConfig) contain the text
  // and the allowed form.
  static Result<Quantity> Parse(std::string_view text);

  static Quantity FromValue(int64_t units, Format format = Format::kDecimalSi);
  static Quantity FromMilli(int64_t milli_units);  // FromMilli(1500) is 1500m of a CPU

  // Value returns whole units, MilliValue thousandths. Both round away from zero (1.2 -> 2, -1.2 ->
  // -2) and saturate at int64.
  int64_t Value() const;
  int64_t MilliValue() const;

  bool IsZero() const { return nano_ == 0; }
  // A zero field of a struct is omitted on encoding; use std::optional if "0" and absent differ.
  // Map entries are always written.
  bool IsEmpty() const { return IsZero(); }

  Format format() const { return format_; }

  // Returns upstream's canonical form, with the largest suffix of the format that leaves no
  // fraction. A binary amount is printed as decimal if it has a fraction, is below 1024 or is
  // beyond int64 (possible for sums). Parse(ToString()) returns the same amount.
  std::string ToString() const;

  // Saturates. The result keeps the left format, unless the left side is zero.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  // Compares amounts, not formats: 1Gi == 1024Mi.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nano_ == b.nano_; }
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    if (a.nano_ < b.nano_) return std::strong_ordering::less;
    return a.nano_ > b.nano_ ? std::strong_ordering::greater : std::strong_ordering::equal;
  }

 private:
  __extension__ using Int128 = __int128;

  constexpr Quantity(Int128 nano, Format format) : nano_(nano), format_(format) {}

  // Invariant: |nano_| <= kMaxNano, so that the sum of two fits an Int128 (1.7e38).
  static constexpr Int128 kMaxNano =
      Int128{50'000'000'000'000'000} * 1'000'000'000'000 * 1'000'000'000;

  Int128 nano_ = 0;
  Format format_ = Format::kDecimalSi;
};

}  // namespace berth
