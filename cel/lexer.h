// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/source.h"

namespace berth::cel {

enum class TokenKind {
  kEnd,
  kIdentifier,
  kInt,     // 12, 0x1F
  kUint,    // 12u
  kDouble,  // 1.5, 1e3, .5
  kString,  // including quotes and prefix
  kBytes,
  kSymbol,  // an operator, a bracket, or one of in, true, false, null
};

struct Token {
  TokenKind kind;
  std::string_view text;  // a part of the expression; empty at the end
  Position position;
};

// Tokens is the result of Tokenize, which splits an expression into tokens ending with kEnd. White
// space and comments (`//` to the end of the line) are skipped. Fails at the first character that
// begins no token. Source: CEL language definition, "Syntax".
struct Tokens {
  std::vector<Token> tokens;
  std::optional<Issue> issue;
};
Tokens Tokenize(std::string_view text);

// Reports whether a word is reserved for later versions of the language.
bool IsReservedWord(std::string_view word);

}  // namespace berth::cel
