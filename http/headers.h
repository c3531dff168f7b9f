// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::http {

// Headers are the header lines of a message in order. Names are case-insensitive. Set replaces, so
// that a rotated token never appears beside the old one.
class Headers {
 public:
  using Entry = std::pair<std::string, std::string>;

  Headers() = default;
  Headers(std::initializer_list<Entry> entries) : entries_(entries) {}

  void Set(std::string_view name, std::string_view value);
  // Appends a line and keeps earlier lines of that name (for example several Warning lines).
  void Add(std::string_view name, std::string_view value);

  // Returns the first value of that name.
  std::optional<std::string_view> Find(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace berth::http
