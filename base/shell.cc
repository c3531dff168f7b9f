// SPDX-License-Identifier: Apache-2.0
#include "base/shell.h"

#include <algorithm>

#include "base/strings.h"

namespace berth {
namespace {

bool IsPlain(char c) {
  return IsLetter(c) || IsDigit(c) || std::string_view("_-./:,@%+=").find(c) != std::string::npos;
}

}  // namespace

std::string ShellWord(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, IsPlain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace berth
