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

// KeyText builds a text of parts under which something is kept: one sequence of parts gives one
// text, and no other sequence of the same kinds gives it. A number is its eight bytes, a string and
// a list come behind their length in eight more: it is bytes, not words, and means nothing to
// another process. Before parts that may be missing, add how many there are.
class KeyText {
 public:
  // `bytes` is how long the text is likely to get: kNumber for a number, kNumber and its size for a
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
  void Clear() { text_.clear(); }  // the memory stays, for the next text

 private:
  std::string text_;
};

}  // namespace berth::scheduler
