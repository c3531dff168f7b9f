// SPDX-License-Identifier: Apache-2.0
#include "base/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::yaml {
namespace {

using nlohmann::json;

// Reports whether text has the form xx, Xx or XX.
bool IsInUsualCase(std::string_view text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::string_view tail = text.substr(1);
  if (std::all_of(tail.begin(), tail.end(), is_lower)) return true;
  return is_upper(text[0]) && std::all_of(tail.begin(), tail.end(), is_upper);
}

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Resolves null, booleans and special numbers (.inf, .nan).
std::optional<json> ResolveWord(std::string_view text) {
  if (text.empty() || text == "~") return json(nullptr);
  const bool negative = text[0] == '-';
  const std::string_view unsigned_text = negative || text[0] == '+' ? text.substr(1) : text;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (IsOneOf(unsigned_text, {".inf", ".Inf", ".INF"}))
    return json(negative ? -kInfinity : kInfinity);
  if (IsOneOf(text, {".nan", ".NaN", ".NAN"}))
    return json(std::numeric_limits<double>::quiet_NaN());
  if (text.size() > 5 || !std::all_of(text.begin(), text.end(), IsLetter) || !IsInUsualCase(text)) {
    return std::nullopt;
  }
  const std::string word = ToLower(text);
  if (word == "null") return json(nullptr);
  if (IsOneOf(word, {"true", "yes", "on", "y"})) return json(true);
  if (IsOneOf(word, {"false", "no", "off", "n"})) return json(false);
  return std::nullopt;
}

// Resolves decimal, 0x, 0b, 0o and 0 (octal) integers with an optional sign, up to 64 bits.
std::optional<json> ResolveInteger(std::string_view text) {
  const bool has_sign = text[0] == '-' || text[0] == '+';
  const bool negative = text[0] == '-';
  std::string_view digits = has_sign ? text.substr(1) : text;
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
    const char letter = digits[1];
    if (letter == 'x' || letter == 'X') base = 16;
    if (letter == 'b' || letter == 'B') base = 2;
    digits.remove_prefix(base != 8 || letter == 'o' || letter == 'O' ? 2 : 1);
  }
  uint64_t amount = 0;
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), amount, base);
  if (digits.empty() || end != digits.data() + digits.size() || code != std::errc()) {
    return std::nullopt;
  }
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (negative) {
    if (amount > kMost + 1) return std::nullopt;
    return json(static_cast<int64_t>(0 - amount));
  }
  if (amount <= kMost) return json(static_cast<int64_t>(amount));
  return has_sign ? std::nullopt : std::optional<json>(amount);
}

// Reports whether text is digits with at most one dot and at least one digit, and an optional
// exponent.
bool LooksLikeFloat(std::string_view text) {
  size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const auto skip_digits = [&] {
    const size_t first = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i > first;
  };
  const bool whole = skip_digits();
  bool fraction = false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    fraction = skip_digits();
  }
  if (!whole && !fraction) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (!skip_digits()) return false;
  }
  return i == text.size();
}

std::optional<json> ResolveFloat(std::string_view text) {
  if (!LooksLikeFloat(text)) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double number = 0;
  const auto code = std::from_chars(text.data(), text.data() + text.size(), number).ec;
  if (code == std::errc::result_out_of_range) {
    // Underflow becomes zero. Overflow stays text, because a Quantity may still accept it.
    if (text.find("e-") == std::string_view::npos && text.find("E-") == std::string_view::npos) {
      return std::nullopt;
    }
    number = 0;
  }
  // Write whole floats without a fraction like Go, so that they can be read as integers.
  constexpr double kLimit = 9.2e18;
  if (number > -kLimit && number < kLimit) {
    const auto whole = static_cast<int64_t>(number);
    if (static_cast<double>(whole) == number) return json(whole);
  }
  return json(number);
}

}  // namespace

json ResolvePlain(std::string_view text) {
  if (auto word = ResolveWord(text)) return *std::move(word);
  const bool may_be_number = IsDigit(text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.';
  if (may_be_number) {
    std::string number(text);
    if (text[0] != '.') std::erase(number, '_');
    if (auto integer = ResolveInteger(number)) return *std::move(integer);
    if (auto real = ResolveFloat(number)) return *std::move(real);
  }
  return std::string(text);
}

bool IsPlainWord(std::string_view text) {
  if (text.empty() || text.back() == ' ' || text.back() == ':') return false;
  if (!IsLetter(text[0]) && text[0] != '/' && text[0] != '_') return false;
  constexpr std::string_view kHarmless = " _-./+@,=():";
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!IsLetter(c) && !IsDigit(c) && kHarmless.find(c) == std::string_view::npos) return false;
    // at the last position ':' was rejected above
    if (c == ':' && text[i + 1] == ' ') return false;
  }
  return !IsOneOf(ToLower(text), {"null", "true", "false", "yes", "no", "on", "off", "y", "n",
                                  "nan", "inf", "infinity"});
}

}  // namespace berth::yaml
