// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "cel/ast.h"

namespace berth::cel {

inline constexpr size_t kMaxExpressionCodePoints = 100'000;
inline constexpr int kMaxNesting = 250;  // nested brackets, nested conditions

struct Parsed {
  ExprPtr root;  // null if there is an issue
  std::optional<Issue> issue;
};

// Parses an expression and expands its macros. Stops at the first syntax error and words it like
// cel-go: "Syntax error: mismatched input '}' expecting ...".
Parsed Parse(std::string_view text);

}  // namespace berth::cel
