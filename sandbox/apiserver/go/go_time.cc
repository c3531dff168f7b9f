// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_time.h"

#include <algorithm>
#include <chrono>

namespace berth::apiserver {
namespace {

bool IsDigit(std::string_view text, size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

std::string Quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code >= 0x80) {
      out.append("\\x").append(1, kHex[code >> 4]).append(1, kHex[code & 15]);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Reads a text along the layout of Go's RFC 3339, one element after the other.
class Reader {
 public:
  Reader(GoTime form, std::string_view text) : form_(form), text_(text), rest_(text) {}

  std::optional<std::string> Problem() {
    const bool fits = Year() && Literal("-") && Number("01", 1, 12, "month", &month_) &&
                      Literal("-") && Number("02", 0, 99, "day", &day_) && Literal("T") && Hour() &&
                      Literal(":") && Number("04", 0, 59, "minute") && Literal(":") &&
                      Number("05", 0, 59, "second") && Fraction() && Zone();
    if (fits && !rest_.empty()) Say(": extra text: " + Quoted(rest_));
    if (fits && rest_.empty() && !Date().ok()) Say(": day out of range");
    return problem_;
  }

 private:
  std::chrono::year_month_day Date() const {
    return {std::chrono::year(year_), std::chrono::month(static_cast<unsigned>(month_)),
            std::chrono::day(static_cast<unsigned>(day_))};
  }

  bool Say(const std::string& message) {
    problem_ = "parsing time " + Quoted(text_) + message;
    return false;
  }
  bool CannotParse(std::string_view element) {
    const char* layout = form_ == GoTime::kSeconds ? "2006-01-02T15:04:05Z07:00"
                                                   : "2006-01-02T15:04:05.000000Z07:00";
    return Say(" as " + Quoted(layout) + ": cannot parse " + Quoted(rest_) + " as " +
               Quoted(element));
  }

  bool Literal(std::string_view mark) {
    if (!rest_.starts_with(mark)) return CannotParse(mark);
    rest_.remove_prefix(mark.size());
    return true;
  }

  bool Year() {
    for (size_t i = 0; i < 4; ++i) {
      if (!IsDigit(rest_, i)) return CannotParse("2006");
      year_ = year_ * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(4);
    return true;
  }

  bool Number(std::string_view element, int low, int high, const char* name, int* value = nullptr,
              size_t fewest_digits = 2) {
    const size_t digits = IsDigit(rest_, 0) ? (IsDigit(rest_, 1) ? 2 : 1) : 0;
    if (digits < fewest_digits) return CannotParse(element);
    int number = 0;
    for (size_t i = 0; i < digits; ++i) number = number * 10 + (rest_[i] - '0');
    if (number < low || number > high) return Say(std::string(": ") + name + " out of range");
    if (value != nullptr) *value = number;
    rest_.remove_prefix(digits);
    return true;
  }

  bool Hour() { return Number("15", 0, 23, "hour", nullptr, 1); }

  bool Fraction() {
    const bool starts = !rest_.empty() && (rest_[0] == '.' || rest_[0] == ',');
    size_t digits = 0;
    while (starts && IsDigit(rest_, digits + 1)) ++digits;
    if (form_ == GoTime::kSeconds) {
      if (digits > 0) rest_.remove_prefix(digits + 1);
      return true;
    }
    constexpr size_t kDigits = 6;
    if (digits < kDigits) return CannotParse(".000000");
    rest_.remove_prefix(kDigits + 1);
    return true;
  }

  bool Zone() {
    constexpr std::string_view kElement = "Z07:00";
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return true;
    }
    const bool shaped = rest_.size() >= 6 && rest_[3] == ':' && IsDigit(rest_, 1) &&
                        IsDigit(rest_, 2) && IsDigit(rest_, 4) && IsDigit(rest_, 5);
    if (!shaped || (rest_[0] != '+' && rest_[0] != '-')) return CannotParse(kElement);
    const auto number = [this](size_t at) {
      return (rest_[at] - '0') * 10 + (rest_[at + 1] - '0');
    };
    if (number(1) > 24) return Say(": time zone offset hour out of range");
    if (number(4) > 60) return Say(": time zone offset minute out of range");
    rest_.remove_prefix(6);
    return true;
  }

  GoTime form_;
  std::string_view text_;
  std::string_view rest_;
  int year_ = 0;
  int month_ = 0;
  int day_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> GoTimeProblem(GoTime form, std::string_view text) {
  return Reader(form, text).Problem();
}

}  // namespace berth::apiserver
