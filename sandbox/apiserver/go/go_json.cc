// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_json.h"

#include <cctype>
#include <string>

namespace berth::apiserver {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// As Go writes a byte in a message: the character of that code, quoted, and escaped where it cannot
// be shown.
std::string Quoted(char c) {
  constexpr std::string_view kShort = "\a\b\f\n\r\t\v\\'";
  constexpr std::string_view kLetters = "abfnrtv\\'";
  const auto code = static_cast<unsigned char>(c);
  if (const size_t at = kShort.find(c); at != kShort.npos)
    return std::string("'\\") + kLetters[at] + "'";
  if (code >= 0x20 && code < 0x7f) return {'\'', c, '\''};
  if (code > 0xa0 && code != 0xad) {
    return {'\'', static_cast<char>(0xc0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3f)),
            '\''};
  }
  constexpr const char* kDigits = "0123456789abcdef";
  return std::string(code < 0x80 ? "'\\x" : "'\\u00") + kDigits[code >> 4] + kDigits[code & 15] +
         "'";
}

// Reads one value with the places at which Go's scanner stops. A true result means to go on.
class GoScanner {
 public:
  GoScanner(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {}

  Result<void> Run() {
    if (Value() && (SkipBlanks(), at_ < text_.size())) Stop("after top-level value");
    if (problem_.empty()) return {};
    return Fail(Reason::kBadRequest, problem_);
  }

 private:
  bool Stop(const std::string& where) {
    problem_ = at_ >= text_.size() ? "unexpected end of JSON input"
                                   : "invalid character " + Quoted(text_[at_]) + " " + where;
    return false;
  }

  void SkipBlanks() {
    while (at_ < text_.size() && kBlanks.find(text_[at_]) != kBlanks.npos) ++at_;
  }

  // The next character that counts; 0 at the end.
  char Next() {
    SkipBlanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Value() {
    switch (const char c = Next()) {
      case '{':
        return Nested(&GoScanner::Member, '}', "after object key:value pair");
      case '[':
        return Nested(&GoScanner::Value, ']', "after array element");
      case '"':
        return Text();
      case 't':
        return Literal("true");
      case 'f':
        return Literal("false");
      case 'n':
        return Literal("null");
      default:
        if (c == '-' || IsDigit()) return Number();
        return Stop("looking for beginning of value");
    }
  }

  bool Nested(bool (GoScanner::*entry)(), char end, const char* after) {
    if (++depth_ > max_depth_) return Stop("exceeded max depth");
    ++at_;
    if (Next() == end) return Leave();
    while (true) {
      if (!(this->*entry)()) return false;
      const char c = Next();
      if (c == end) return Leave();
      if (c != ',') return Stop(after);
      ++at_;
    }
  }

  bool Leave() {
    --depth_;
    ++at_;
    return true;
  }

  bool Member() {
    if (Next() != '"') return Stop("looking for beginning of object key string");
    if (!Text()) return false;
    if (Next() != ':') return Stop("after object key");
    ++at_;
    return Value();
  }

  bool Text() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (c == '\\' && !Escape()) return false;
      if (static_cast<unsigned char>(c) < 0x20) return Stop("in string literal");
    }
    return Stop({});
  }

  // Leaves the position at the last character of the escape.
  bool Escape() {
    constexpr std::string_view kEscapes = "bfnrt\\/\"u";
    ++at_;
    if (at_ >= text_.size() || kEscapes.find(text_[at_]) == kEscapes.npos)
      return Stop("in string escape code");
    if (text_[at_] != 'u') return true;
    for (int i = 0; i < 4; ++i) {
      ++at_;
      if (at_ >= text_.size() || std::isxdigit(static_cast<unsigned char>(text_[at_])) == 0)
        return Stop("in \\u hexadecimal character escape");
    }
    return true;
  }

  bool Literal(std::string_view word) {
    for (size_t i = 1; i < word.size(); ++i) {
      ++at_;
      if (at_ >= text_.size() || text_[at_] != word[i])
        return Stop("in literal " + std::string(word) + " (expecting '" + word[i] + "')");
    }
    return ++at_, true;
  }

  bool IsDigit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }

  bool Digits(const char* where) {
    if (!IsDigit()) return Stop(where);
    while (IsDigit()) ++at_;
    return true;
  }

  bool Is(std::string_view set) const {
    return at_ < text_.size() && set.find(text_[at_]) != set.npos;
  }

  bool Number() {
    if (Is("-")) ++at_;
    if (Is("0"))
      ++at_;
    else if (!Digits("in numeric literal"))
      return false;
    if (Is(".") && (++at_, !Digits("after decimal point in numeric literal"))) return false;
    if (!Is("eE")) return true;
    ++at_;
    if (Is("+-")) ++at_;
    return Digits("in exponent of numeric literal");
  }

  const std::string_view text_;
  const int max_depth_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string problem_;
};

}  // namespace

Result<void> CheckGoSyntax(std::string_view text, int max_depth) {
  return GoScanner(text, max_depth).Run();
}

}  // namespace berth::apiserver
