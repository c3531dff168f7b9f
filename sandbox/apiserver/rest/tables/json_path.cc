// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/tables/json_path.h"

#include <charconv>
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
using Found = std::vector<const json*>;

Found Members(const Found& from, const std::string& name) {
  Found out;
  for (const json* value : from) {
    if (!value->is_object()) continue;
    if (const auto member = value->find(name); member != value->end()) out.push_back(&*member);
  }
  return out;
}

Found Children(const Found& from) {
  Found out;
  for (const json* value : from) {
    for (const json& child : *value) out.push_back(&child);
  }
  return out;
}

Found Element(const Found& from, std::string_view text) {
  int64_t index = 0;
  std::from_chars(text.data(), text.data() + text.size(), index);
  Found out;
  for (const json* value : from) {
    if (!value->is_array()) continue;
    const auto size = static_cast<int64_t>(value->size());
    const int64_t at = index < 0 ? size + index : index;
    if (at >= 0 && at < size) out.push_back(&(*value)[static_cast<size_t>(at)]);
  }
  return out;
}

std::string Unquoted(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// ?(@.type=="Ready")
Found Filtered(const Found& from, std::string_view condition) {
  const bool equal = condition.find("!=") == std::string_view::npos;
  const size_t op = condition.find(equal ? "==" : "!=");
  const size_t at = condition.find('@');
  if (op == std::string_view::npos || at == std::string_view::npos || op < at) return {};
  const std::string path = Unquoted(condition.substr(at + 1, op - at - 1));
  const std::string wanted = Unquoted(condition.substr(op + 2));
  Found out;
  for (const json* value : Children(from)) {
    const Found side = FindJsonPath(*value, path);
    if (side.empty()) continue;
    const std::string text =
        side[0]->is_string() ? side[0]->get<std::string>() : DocumentText(*side[0]);
    if ((text == wanted) == equal) out.push_back(value);
  }
  return out;
}

Found Bracket(const Found& from, std::string_view inside) {
  if (inside == "*") return Children(from);
  if (inside.starts_with("?(") && inside.ends_with(")"))
    return Filtered(from, inside.substr(2, inside.size() - 3));
  if (inside.starts_with('\'') || inside.starts_with('"')) return Members(from, Unquoted(inside));
  return Element(from, inside);
}

// Returns the position of the closing bracket after `from`; skips quotes and inner brackets.
size_t CloseOf(std::string_view path, size_t from) {
  int depth = 1;
  char quote = 0;
  for (size_t i = from; i < path.size(); ++i) {
    const char c = path[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Found FindJsonPath(const json& document, std::string_view path) {
  Found found = {&document};
  size_t at = 0;
  while (at < path.size() && !found.empty()) {
    if (path[at] == '[') {
      const size_t close = CloseOf(path, at + 1);
      if (close == std::string_view::npos) return {};
      found = Bracket(found, path.substr(at + 1, close - at - 1));
      at = close + 1;
      continue;
    }
    if (path[at] == '.') ++at;
    std::string name;
    for (; at < path.size() && path[at] != '.' && path[at] != '['; ++at) {
      if (path[at] == '\\' && at + 1 < path.size()) ++at;
      name += path[at];
    }
    if (name == "*")
      found = Children(found);
    else if (!name.empty())
      found = Members(found, name);
  }
  return found;
}

}  // namespace berth::apiserver
