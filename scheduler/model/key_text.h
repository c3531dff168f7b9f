// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/labels.h"

namespace berth::scheduler {

// KeyText builds a cache key from parts. Equal sequences of parts give equal keys, different
// sequences of the same types give different keys. A number is eight bytes; a string or list is
// preceded by its length, in eight bytes. Keys are binary and only valid within this process.
// Before optional parts, add their count.
class KeyText {
 public:
  // `bytes` is the expected length of the key: kNumber per number, kNumber plus its size per
  // string.
  static constexpr size_t kNumber = sizeof(int64_t);
  explicit KeyText(size_t bytes = 0) { text_.reserve(bytes); }

  KeyText& Add(std::integral auto number) {
    const auto wide = static_cast<int64_t>(number);
    text_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    return *this;
  }
  KeyText& Add(std::string_view part) {
    Add(part.size());
    text_.append(part);
    return *this;
  }
  template <class List>
  KeyText& AddCount(const List& list) {
    return Add(list.size());
  }
  KeyText& Add(const std::vector<std::string>& parts) {
    AddCount(parts);
    for (const std::string& part : parts) Add(part);
    return *this;
  }
  KeyText& Add(const api::Selector& selector) {
    Add(selector.IsNothing()).AddCount(selector.requirements());
    for (const api::Requirement& requirement : selector.requirements()) {
      Add(requirement.key).Add(static_cast<int>(requirement.op)).Add(requirement.values);
    }
    return *this;
  }

  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }
  void Clear() { text_.clear(); }  // keeps the memory for the next key

 private:
  std::string text_;
};

}  // namespace berth::scheduler
