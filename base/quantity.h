// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/scalar.h"

namespace berth {

// Quantity is an amount of a resource as Kubernetes writes it: "100m", "2", "1.5Gi", "12e6".
// Source: apimachinery's resource.Quantity.
//
// The amount is exact down to 1e-9 of a unit (finer digits are rounded away from zero, so that
// who asks for something gets something) and saturates at plus or minus 5e28 units, far beyond
// int64; binary suffixes saturate at 2^63-1 units already while parsing, as upstream. No operation
// overflows. A value, so any thread may use it.
//
// Deviation: upstream reads Value() of an amount beyond int64, such as 1e400, as 0 or a wrapped
// number; here it is the nearest int64, so that an absurd request fits nowhere instead of
// everywhere.
class Quantity {
 public:
  // The family of suffixes an amount was written in and is written back in.
  enum class Format : uint8_t {
    kDecimalSi,        // n u m, none, k M G T P E
    kBinarySi,         // Ki Mi Gi Ti Pi Ei
    kDecimalExponent,  // e3, E-6
  };

  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kQuantity;

  constexpr Quantity() = default;

  // Parse reads the wire form; a bare JSON number is passed as its text. Errors (kConfig) show the
  // text and the form allowed.
  static Result<Quantity> Parse(std::string_view text);

  static Quantity FromValue(int64_t units, Format format = Format::kDecimalSi);
  static Quantity FromMilli(int64_t milli_units);  // FromMilli(1500) is 1500m of a CPU

  // Value is whole units, MilliValue thousandths; both round away from zero (1.2 is 2, -1.2 is -2)
  // and saturate at int64.
  int64_t Value() const;
  int64_t MilliValue() const;

  bool IsZero() const { return nano_ == 0; }
  // A zero that stands directly in a struct is left out on encoding; wrap it in std::optional where
  // "0" and absent differ. Entries of maps are always written.
  bool IsEmpty() const { return IsZero(); }

  Format format() const { return format_; }

  // ToString is upstream's canonical form: the largest suffix of the format that leaves no
  // fraction; a binary amount that is not whole, is below 1024 or is beyond int64, as a sum may
  // be, is written decimal. Parse(ToString()) is the same amount.
  std::string ToString() const;

  // Sums saturate. The result keeps the left format, unless the left side is zero.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  // Amounts are compared, not formats: 1Gi == 1024Mi.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nano_ == b.nano_; }
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    if (a.nano_ < b.nano_) return std::strong_ordering::less;
    return a.nano_ > b.nano_ ? std::strong_ordering::greater : std::strong_ordering::equal;
  }

 private:
  __extension__ using Int128 = __int128;

  constexpr Quantity(Int128 nano, Format format) : nano_(nano), format_(format) {}

  // Invariant: |nano_| <= kMaxNano, so that the sum of two still fits an Int128 (1.7e38).
  static constexpr Int128 kMaxNano =
      Int128{50'000'000'000'000'000} * 1'000'000'000'000 * 1'000'000'000;

  Int128 nano_ = 0;
  Format format_ = Format::kDecimalSi;
};

}  // namespace berth
