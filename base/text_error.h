// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth {

// TextError is where a text stops being what it should be, and why.
struct TextError {
  int line = 0;    // from 1; 0: the mistake is one of the text as a whole
  int column = 0;  // from 1, in bytes
  std::string message;

  // "line 3, column 7: expected ..."
  std::string ToString() const;
  bool operator==(const TextError&) const = default;
};

// Excerpt shows the place in `text`: the line before, the line itself and a caret below the column,
// each with its number. Very long lines are cut around the caret. Empty for a mistake of no line.
std::string Excerpt(std::string_view text, const TextError& error);

}  // namespace berth
