// SPDX-License-Identifier: Apache-2.0
#include "base/text_error.h"

#include <algorithm>

#include "base/strings.h"

namespace berth {
namespace {

constexpr size_t kShown = 100;  // maximum bytes shown per line
constexpr size_t kAround = 60;  // bytes shown before the caret in a cut line
constexpr size_t kNumbers = 6;  // width of the line numbers

std::string Numbered(const std::string& number, std::string_view line) {
  const std::string blanks(kNumbers - std::min(kNumbers, number.size()), ' ');
  return blanks + number + " | " + std::string(line) + "\n";
}

// Replaces tabs and other characters that are not one column wide; they would misplace the caret.
std::string Plain(std::string_view line) {
  std::string plain(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
  return ReplaceInvalidUtf8(plain);
}

}  // namespace

std::string TextError::ToString() const {
  if (line == 0) return message;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

std::string Excerpt(std::string_view text, const TextError& error) {
  const auto lines = Split(text, '\n');
  const auto row = static_cast<size_t>(error.line);
  if (error.line < 1 || row > lines.size()) return "";
  auto column = static_cast<size_t>(std::max(error.column, 1));
  const size_t cut = lines[row - 1].size() > kShown && column > kAround ? column - kAround : 0;
  const auto shown = [cut](std::string_view line) {
    return Plain(line.substr(std::min(cut, line.size())).substr(0, kShown));
  };
  std::string out;
  if (row > 1) out += Numbered(std::to_string(row - 1), shown(lines[row - 2]));
  out += Numbered(std::to_string(row), shown(lines[row - 1]));
  column = std::min(column - cut, shown(lines[row - 1]).size() + 1);
  return out + Numbered("", std::string(column - 1, ' ') + "^");
}

}  // namespace berth
