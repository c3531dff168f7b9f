// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/quantity.h"
#include "base/strings.h"

namespace berth {
namespace {

__extension__ using Int128 = __int128;
using Format = Quantity::Format;

constexpr int kNanoDigits = 9;
constexpr int kMaxDigits = 38;    // any number with 38 decimal digits fits an Int128
constexpr size_t kMaxShort = 18;  // fits an int64_t, and with any suffix an Int128

struct Suffix {
  std::string_view text;
  Format format;
  int exponent;  // of 10, or of 2 for kBinarySi
};

constexpr std::array kSuffixes = {
    Suffix{"n", Format::kDecimalSi, -9}, Suffix{"u", Format::kDecimalSi, -6},
    Suffix{"m", Format::kDecimalSi, -3}, Suffix{"", Format::kDecimalSi, 0},
    Suffix{"k", Format::kDecimalSi, 3},  Suffix{"M", Format::kDecimalSi, 6},
    Suffix{"G", Format::kDecimalSi, 9},  Suffix{"T", Format::kDecimalSi, 12},
    Suffix{"P", Format::kDecimalSi, 15}, Suffix{"E", Format::kDecimalSi, 18},
    Suffix{"Ki", Format::kBinarySi, 10}, Suffix{"Mi", Format::kBinarySi, 20},
    Suffix{"Gi", Format::kBinarySi, 30}, Suffix{"Ti", Format::kBinarySi, 40},
    Suffix{"Pi", Format::kBinarySi, 50}, Suffix{"Ei", Format::kBinarySi, 60},
};

std::string_view SuffixFor(Format format, int exponent) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.exponent == exponent && suffix.format == format) return suffix.text;
  }
  return "";
}

// Parses the text after the digits. Exponents are clamped to +-9999, far outside the range of any
// amount.
std::optional<Suffix> ParseSuffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text == text) return suffix;
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  std::string_view number = text.substr(1);
  const bool negative = number[0] == '-';
  if (negative || number[0] == '+') number.remove_prefix(1);
  if (number.empty() || !std::all_of(number.begin(), number.end(), IsDigit)) return std::nullopt;
  int exponent = 9999;
  std::from_chars(number.data(), number.data() + number.size(), exponent);
  exponent = std::min(exponent, 9999);
  return Suffix{"", Format::kDecimalExponent, negative ? -exponent : exponent};
}

// Doubles a number given as decimal digits.
void Double(std::string& digits) {
  int carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const int doubled = (*digit - '0') * 2 + carry;
    *digit = static_cast<char>('0' + doubled % 10);
    carry = doubled / 10;
  }
  if (carry > 0) digits.insert(digits.begin(), '1');
}

// Returns digits * 10^exponent rounded up to an integer, or nullopt if that has more than
// kMaxDigits digits.
std::optional<Int128> Scale(std::string_view digits, int64_t exponent) {
  const size_t first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return 0;
  digits.remove_prefix(first);
  const int64_t whole = static_cast<int64_t>(digits.size()) + exponent;
  if (whole > kMaxDigits) return std::nullopt;
  Int128 number = 0;
  bool inexact = false;
  for (int64_t i = 0; i < static_cast<int64_t>(digits.size()); ++i) {
    const int digit = digits[static_cast<size_t>(i)] - '0';
    if (i < whole) {
      number = number * 10 + digit;
    } else if (digit != 0) {
      inexact = true;
    }
  }
  for (int64_t i = 0; i < exponent; ++i) number *= 10;
  return inexact ? number + 1 : number;
}

// Returns digits * 2^exponent * 10^9, for up to kMaxShort digits.
Int128 ScaleBinary(std::string_view digits, int exponent) {
  int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const Int128 units = Int128{number} << exponent;
  return std::min(units, Int128{std::numeric_limits<int64_t>::max()}) * 1'000'000'000;
}

// Appends a non-negative number.
void Append(Int128 number, std::string& out) {
  char text[48];
  char* const end = text + sizeof text;
  char* begin = end;
  do {
    *--begin = static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number > 0);
  out.append(begin, end);
}

// Appends nano * 1e-9 with the largest exponent that is a multiple of 3 and leaves no fraction.
void AppendDecimal(Int128 nano, Format format, std::string& out) {
  int exponent = -kNanoDigits;
  const int largest = format == Format::kDecimalSi ? 18 : kMaxDigits;
  while (nano % 1000 == 0 && exponent + 3 <= largest) {
    nano /= 1000;
    exponent += 3;
  }
  Append(nano, out);
  if (format == Format::kDecimalSi) {
    out += SuffixFor(format, exponent);
  } else if (exponent != 0) {
    out += 'e';
    out += std::to_string(exponent);
  }
}

void AppendBinary(Int128 units, std::string& out) {
  int exponent = 0;
  while (units % 1024 == 0 && exponent < 60) {
    units /= 1024;
    exponent += 10;
  }
  Append(units, out);
  if (exponent > 0) out += SuffixFor(Format::kBinarySi, exponent);
}

Failure Malformed(std::string_view text) {
  return ConfigError(
      "quantity \"" + std::string(text) +
      "\": expected a number with a suffix of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or "
      "an exponent such as e3, for example 100m, 1.5Gi or 2");
}

}  // namespace

Result<Quantity> Quantity::Parse(std::string_view text) {
  const std::string_view whole = TrimSpace(text);
  std::string_view rest = whole;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);

  std::string digits;
  int64_t fraction_digits = 0;
  bool in_fraction = false;
  size_t length = 0;
  for (; length < rest.size() && (IsDigit(rest[length]) || (rest[length] == '.' && !in_fraction));
       ++length) {
    if (rest[length] == '.') {
      in_fraction = true;
      continue;
    }
    digits += rest[length];
    if (in_fraction) ++fraction_digits;
  }
  const auto suffix = ParseSuffix(rest.substr(length));
  if (length == 0 || !suffix) return Malformed(text);

  const bool binary = suffix->format == Format::kBinarySi;
  if (binary && fraction_digits == 0 && digits.size() <= kMaxShort) {
    const Int128 nano = ScaleBinary(digits, suffix->exponent);
    return Quantity(negative ? -nano : nano, suffix->format);
  }
  for (int i = 0; binary && i < suffix->exponent; ++i) Double(digits);
  const int64_t exponent = (binary ? 0 : suffix->exponent) - fraction_digits + kNanoDigits;
  const Int128 most =
      binary ? Int128{std::numeric_limits<int64_t>::max()} * 1'000'000'000 : kMaxNano;
  const Int128 nano = std::min(Scale(digits, exponent).value_or(most), most);
  return Quantity(negative ? -nano : nano, suffix->format);
}

std::string Quantity::ToString() const {
  if (IsZero()) return "0";
  std::string out = nano_ < 0 ? "-" : "";
  const Int128 amount = nano_ < 0 ? -nano_ : nano_;
  const Int128 units = amount / 1'000'000'000;
  const bool whole = units * 1'000'000'000 == amount;
  const bool is_read_back = units <= std::numeric_limits<int64_t>::max();  // with a binary suffix
  if (format_ == Format::kBinarySi && whole && units >= 1024 && is_read_back) {
    AppendBinary(units, out);
  } else {
    AppendDecimal(amount, format_ == Format::kBinarySi ? Format::kDecimalSi : format_, out);
  }
  return out;
}

}  // namespace berth
