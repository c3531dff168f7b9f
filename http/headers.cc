// SPDX-License-Identifier: Apache-2.0
#include "http/headers.h"

#include <algorithm>
#include <cctype>

namespace berth::http {
namespace {

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

void Headers::Set(std::string_view name, std::string_view value) {
  std::erase_if(entries_, [&](const Entry& entry) { return SameName(entry.first, name); });
  Add(name, value);
}

void Headers::Add(std::string_view name, std::string_view value) {
  entries_.emplace_back(std::string(name), std::string(value));
}

std::optional<std::string_view> Headers::Find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (SameName(entry.first, name)) return entry.second;
  }
  return std::nullopt;
}

std::vector<std::string_view> Headers::All(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Entry& entry : entries_) {
    if (SameName(entry.first, name)) values.push_back(entry.second);
  }
  return values;
}

}  // namespace berth::http
