// SPDX-License-Identifier: Apache-2.0
#include "cel/literal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "cel/unicode.h"

namespace berth::cel {
namespace {

template <class T>
bool ReadWhole(std::string_view digits, bool is_negative, T& out) {
  const bool is_hex = digits.starts_with("0x");
  if (is_hex) digits.remove_prefix(2);
  const std::string text = (is_negative ? "-" : "") + std::string(digits);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out, is_hex ? 16 : 10);
  return error == std::errc() && stop == end;
}

Value DoubleLiteral(std::string_view digits, bool is_negative) {
  const double number = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isinf(number)) return Value::Error("invalid double literal");
  return Value::Double(is_negative ? -number : number);
}

char32_t Number(std::string_view digits, int base) {
  uint32_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

char SimpleEscape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

// Appends the value of the escape at the front of `rest` (without its backslash). \x and octal
// escapes are code points in strings and bytes in bytes. Returns false if the escape is not allowed
// there. The lexer has checked the form.
bool Unescape(std::string_view& rest, bool is_bytes, std::string& out) {
  const char c = rest[0];
  const bool is_octal = c >= '0' && c <= '3';
  const size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (!is_octal && digits == 0) {
    out += SimpleEscape(c);
    rest.remove_prefix(1);
    return true;
  }
  const char32_t point =
      is_octal ? Number(rest.substr(0, 3), 8) : Number(rest.substr(1, digits), 16);
  rest.remove_prefix(is_octal ? 3 : 1 + digits);
  if (is_bytes) {
    if (digits > 2) return false;
    out += static_cast<char>(point);
    return true;
  }
  if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return false;
  AppendUtf8(point, out);
  return true;
}

Value TextLiteral(std::string_view token, bool is_bytes) {
  if (is_bytes) token.remove_prefix(1);
  const bool is_raw = token[0] == 'r' || token[0] == 'R';
  if (is_raw) token.remove_prefix(1);
  const bool is_triple = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const size_t quotes = is_triple ? 3 : 1;
  std::string_view rest = token.substr(quotes, token.size() - 2 * quotes);
  std::string text;
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '\r') {  // line ends become \n
      if (!rest.starts_with('\n')) text += '\n';
    } else if (c != '\\' || is_raw) {
      text += c;
    } else if (!Unescape(rest, is_bytes, text)) {
      return Value::Error("unable to unescape string");
    }
  }
  return is_bytes ? Value::Bytes(std::move(text)) : Value::String(std::move(text));
}

}  // namespace

Value LiteralValue(const Token& token, bool is_negative) {
  switch (token.kind) {
    case TokenKind::kInt: {
      int64_t number = 0;
      if (!ReadWhole(token.text, is_negative, number)) return Value::Error("invalid int literal");
      return Value::Int(number);
    }
    case TokenKind::kUint: {
      uint64_t number = 0;
      if (!ReadWhole(token.text.substr(0, token.text.size() - 1), false, number)) {
        return Value::Error("invalid uint literal");
      }
      return Value::Uint(number);
    }
    case TokenKind::kDouble:
      return DoubleLiteral(token.text, is_negative);
    default:
      return TextLiteral(token.text, token.kind == TokenKind::kBytes);
  }
}

}  // namespace berth::cel
