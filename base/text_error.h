// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth {

// TextError is the position and the reason of a syntax error.
struct TextError {
  int line = 0;    // from 1; 0: the error has no line
  int column = 0;  // from 1, in bytes
  std::string message;

  // "line 3, column 7: expected ..."
  std::string ToString() const;
  bool operator==(const TextError&) const = default;
};

// Returns an excerpt of `text`: the preceding line, the line itself and a caret below the column,
// with line numbers. Very long lines are cut around the caret. Empty if the error has no line.
std::string Excerpt(std::string_view text, const TextError& error);

}  // namespace berth
