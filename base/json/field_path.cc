// SPDX-License-Identifier: Apache-2.0
#include "base/json/field_path.h"

#include <algorithm>

#include "base/json/json.h"

namespace berth::json {
namespace {

bool IsClear(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f' && c != '"' && c != '[' && c != ']';
  });
}

}  // namespace

std::string PathName(std::string_view name) {
  return IsClear(name) ? std::string(name) : Quoted(name);
}

std::string MemberPath(std::string_view path, std::string_view name) {
  if (!IsClear(name) || name.find('.') != name.npos) return MapEntryPath(path, name);
  std::string text(path);
  if (!text.empty()) text += '.';
  return text.append(name);
}

std::string MapEntryPath(std::string_view path, std::string_view key) {
  return std::string(path) + "[" + PathName(key) + "]";
}

std::string ListEntryPath(std::string_view path, std::string_view key, std::string_view value) {
  return std::string(path) + "[" + std::string(key) + "=" + PathName(value) + "]";
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= ' ') {
      line += c;
    } else {
      const std::string quoted = Quoted(std::string_view(&c, 1));
      line.append(quoted, 1, quoted.size() - 2);
    }
  }
  return line;
}

std::string PathText(std::span<const PathStep> steps) {
  std::string text;
  for (const PathStep& step : steps) {
    const std::string* name = std::get_if<std::string>(&step);
    text = name != nullptr ? MemberPath(text, *name)
                           : text + "[" + std::to_string(std::get<size_t>(step)) + "]";
  }
  return text;
}

}  // namespace berth::json
