// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/select.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace berth::fidelity {
namespace {

// Splits the first segment from a path; brackets protect dots.
std::pair<std::string_view, std::string_view> Cut(std::string_view path) {
  size_t end = 0;
  if (path.starts_with('[')) {
    end = std::min(path.find(']'), path.size() - 1) + 1;
  } else {
    end = std::min(path.find('.'), path.size());
  }
  return {path.substr(0, end), end < path.size() ? path.substr(end + 1) : std::string_view()};
}

Json Element(const Json& list, std::string_view index) {
  size_t i = 0;
  const auto read = std::from_chars(index.data(), index.data() + index.size(), i);
  if (read.ec != std::errc() || i >= list.size()) return nullptr;
  return list[i];
}

Json ElementWith(const Json& list, std::string_view field, std::string_view value) {
  for (const Json& element : list) {
    if (Select(element, field) == Json(value)) return element;
  }
  return nullptr;
}

Json Inner(const Json& document, std::string_view segment) {
  if (segment.starts_with('[')) segment = segment.substr(1, segment.size() - 2);
  if (document.is_object()) {
    const auto found = document.find(segment);
    return found == document.end() ? Json() : *found;
  }
  if (!document.is_array()) return nullptr;
  const size_t equals = segment.find('=');
  if (equals == std::string_view::npos) return Element(document, segment);
  return ElementWith(document, segment.substr(0, equals), segment.substr(equals + 1));
}

}  // namespace

Json Select(const Json& document, std::string_view path) {
  if (path.empty()) return document;
  const auto [segment, rest] = Cut(path);
  if (segment != "*") return Select(Inner(document, segment), rest);
  if (!document.is_structured()) return nullptr;
  Json all = Json::array();
  for (const Json& element : document) all.push_back(Select(element, rest));
  return all;
}

}  // namespace berth::fidelity
