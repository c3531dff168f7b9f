// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <vector>

namespace berth::yaml {

// Returns random text of up to `most_pieces` pieces that have a meaning in YAML.
inline std::string RandomText(std::mt19937& random, size_t most_pieces) {
  static const std::vector<std::string> kPieces = {
      "a",      "word",   "yes",       "no",   "null", "true",   "~",      "0",      "1",
      "0644",   "1e3",    ".",         ".inf", "-",    "- ",     ":",      ": ",     "#",
      " #",     "? ",     "|",         ">",    "&a",   "*a",     "!",      "!!str",  "%",
      "@",      "`",      "'",         "\"",   "\\",   "{",      "}",      "[",      "]",
      ",",      " ",      "  ",        "\n",   "\n\n", "\t",     "\r",     "---",    "...",
      "<<",     "=",      "\x01",      "\x1f", "\x7f", "\u0085", "\u00a0", "\u00e9", "\u2028",
      "\ufeff", "\uffff", "\U0001F600"};
  std::string text;
  for (size_t n = random() % (most_pieces + 1); n > 0; --n)
    text += kPieces[random() % kPieces.size()];
  return text;
}

}  // namespace berth::yaml
