// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/json/scalar.h"

namespace berth {

// IntOrString is a port or an amount: a 32-bit integer (a JSON number) or a string such as "http"
// or "25%" (a JSON string). The JSON string "80" is decoded as the integer 80, because valid
// strings of Kubernetes' fields contain a letter or '%'. Integer 0 is the empty value and is
// omitted on encoding; use std::optional if 0 and an absent field differ.
class IntOrString {
 public:
  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kIntOrString;

  IntOrString() = default;
  IntOrString(int32_t number) : value_(number) {}  // NOLINT: meant to be implicit
  explicit IntOrString(std::string word) : value_(std::move(word)) {}

  // Fails (kConfig) only for an integer that does not fit 32 bits.
  static Result<IntOrString> Parse(std::string_view text) {
    int32_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.empty()) return IntOrString(std::string(text));
    if (code == std::errc::result_out_of_range) {
      return ConfigError("integer " + std::string(text) +
                         " is out of range [-2147483648, 2147483647]");
    }
    return IntOrString(number);
  }

  bool IsInt() const { return std::holds_alternative<int32_t>(value_); }
  int32_t number() const { return IsInt() ? std::get<int32_t>(value_) : 0; }
  std::string_view word() const {
    return IsInt() ? "" : std::string_view(std::get<std::string>(value_));
  }

  bool IsEmpty() const { return IsInt() ? number() == 0 : word().empty(); }
  std::string ToString() const { return IsInt() ? std::to_string(number()) : std::string(word()); }

  bool operator==(const IntOrString&) const = default;

 private:
  std::variant<int32_t, std::string> value_ = 0;
};

}  // namespace berth
