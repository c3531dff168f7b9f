// SPDX-License-Identifier: Apache-2.0
#include "cel/lexer.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/strings.h"

namespace berth::cel {
namespace {

constexpr std::array<std::string_view, 17> kReservedWords = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

// Longer symbols first.
constexpr std::array<std::string_view, 25> kSymbols = {
    "==", "!=", "<=", ">=", "&&", "||", "[", "]", "{", "}", "(", ")", ".",
    ",",  "-",  "!",  "?",  ":",  "+",  "*", "/", "%", "<", ">", "`"};

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool StartsIdentifier(char c) { return IsLetter(c) || c == '_'; }
bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens Run() {
    while (true) {
      SkipBlanks();
      if (at_ == text_.size()) {
        tokens_.tokens.push_back({TokenKind::kEnd, text_.substr(at_), position_});
        return std::move(tokens_);
      }
      const auto [kind, length] = Next();
      const std::string_view token = text_.substr(at_, length);
      if (kind == TokenKind::kEnd) {
        tokens_.issue = {position_,
                         "Syntax error: token recognition error at: '" + std::string(token) + "'"};
        return std::move(tokens_);
      }
      tokens_.tokens.push_back({kind, token, position_});
      Advance(length);
    }
  }

 private:
  struct Match {
    TokenKind kind;  // kEnd: no token begins here; `length` is the length of the unreadable text
    size_t length;
  };

  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void Advance(size_t count) {
    for (const char c : text_.substr(at_, count)) {
      if (c == '\n') {
        position_ = {position_.line + 1, 1};
      } else if (!IsContinuation(c)) {
        ++position_.column;
      }
    }
    at_ += count;
  }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\n\r\f").find(Peek()) != std::string_view::npos) {
        Advance(1);
      } else if (text_.substr(at_).starts_with("//")) {
        Advance(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else {
        return;
      }
    }
  }

  Match Next() const {
    if (const auto quoted = NextQuoted()) return *quoted;
    if (IsDigit(Peek()) || (Peek() == '.' && IsDigit(Peek(1)))) return NextNumber();
    if (StartsIdentifier(Peek())) {
      size_t length = 1;
      while (StartsIdentifier(Peek(length)) || IsDigit(Peek(length))) ++length;
      const std::string_view word = text_.substr(at_, length);
      const bool is_symbol = word == "in" || word == "true" || word == "false" || word == "null";
      return {is_symbol ? TokenKind::kSymbol : TokenKind::kIdentifier, length};
    }
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_).starts_with(symbol)) return {TokenKind::kSymbol, symbol.size()};
    }
    size_t length = 1;
    while (IsContinuation(Peek(length))) ++length;
    return {TokenKind::kEnd, length};
  }

  Match NextNumber() const {
    size_t length = 0;
    if (Peek() == '0' && Peek(1) == 'x' && IsHexDigit(Peek(2))) {
      length = 2;
      while (IsHexDigit(Peek(length))) ++length;
    } else {
      while (IsDigit(Peek(length))) ++length;
      bool is_double = false;
      if (Peek(length) == '.' && IsDigit(Peek(length + 1))) {
        is_double = true;
        ++length;
        while (IsDigit(Peek(length))) ++length;
      }
      const size_t exponent = ExponentLength(length);
      if (is_double || exponent > 0) return {TokenKind::kDouble, length + exponent};
    }
    if (Peek(length) == 'u' || Peek(length) == 'U') return {TokenKind::kUint, length + 1};
    return {TokenKind::kInt, length};
  }

  size_t ExponentLength(size_t start) const {
    if (Peek(start) != 'e' && Peek(start) != 'E') return 0;
    size_t at = start + 1;
    if (Peek(at) == '+' || Peek(at) == '-') ++at;
    if (!IsDigit(Peek(at))) return 0;
    while (IsDigit(Peek(at))) ++at;
    return at - start;
  }

  // A string may have the prefix b, r or br, in either case.
  std::optional<Match> NextQuoted() const {
    size_t start = 0;
    const bool is_bytes = Peek() == 'b' || Peek() == 'B';
    if (is_bytes) ++start;
    const bool is_raw = Peek(start) == 'r' || Peek(start) == 'R';
    if (is_raw) ++start;
    const char quote = Peek(start);
    if (quote != '"' && quote != '\'') return std::nullopt;
    const TokenKind kind = is_bytes ? TokenKind::kBytes : TokenKind::kString;
    const bool is_triple = Peek(start + 1) == quote && Peek(start + 2) == quote;
    size_t at = start + (is_triple ? 3 : 1);
    for (; at_ + at < text_.size(); ++at) {
      const char c = Peek(at);
      if (!is_triple && (c == '\n' || c == '\r')) break;
      if (c == '\\' && !is_raw) {
        if (!IsEscape(at)) return Match{TokenKind::kEnd, at + 2};
        ++at;
      } else if (c == quote && !is_triple) {
        return Match{kind, at + 1};
      } else if (c == quote && Peek(at + 1) == quote && Peek(at + 2) == quote) {
        return Match{kind, at + 3};
      }
    }
    return Match{TokenKind::kEnd, std::min(at, text_.size() - at_)};
  }

  // Reports whether the backslash at `at` begins a valid escape.
  bool IsEscape(size_t at) const {
    const char c = Peek(at + 1);
    if (std::string_view("abfnrtv\\?\"'`").find(c) != std::string_view::npos && c != '\0')
      return true;
    if (c >= '0' && c <= '3') return IsOctal(Peek(at + 2)) && IsOctal(Peek(at + 3));
    const size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    for (size_t i = 0; i < digits; ++i) {
      if (!IsHexDigit(Peek(at + 2 + i))) return false;
    }
    return digits > 0;
  }

  static bool IsOctal(char c) { return c >= '0' && c <= '7'; }

  std::string_view text_;
  size_t at_ = 0;
  Position position_;
  Tokens tokens_;
};

}  // namespace

Tokens Tokenize(std::string_view text) { return Lexer(text).Run(); }

bool IsReservedWord(std::string_view word) {
  return std::find(kReservedWords.begin(), kReservedWords.end(), word) != kReservedWords.end();
}

}  // namespace berth::cel
