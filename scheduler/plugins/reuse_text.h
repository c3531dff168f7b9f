// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace berth::scheduler {

// ReuseText builds the text of a ReuseKey from parts: a number is its eight bytes, a string comes
// behind its length in eight more. It is bytes, not words, and means nothing to another process.
// One sequence of parts gives one text, and no other sequence of the same kinds gives it. Before
// parts that may be missing, or a list of any length, add how many there are.
class ReuseText {
 public:
  // `bytes` is how long the text is likely to get: kNumber for a number, kNumber and its size for a
  // string.
  static constexpr size_t kNumber = sizeof(int64_t);
  explicit ReuseText(size_t bytes = 0) { text_.reserve(bytes); }

  ReuseText& Add(int64_t number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  ReuseText& Add(std::string_view part) {
    Add(static_cast<int64_t>(part.size()));
    text_.append(part);
    return *this;
  }
  template <class List>
  ReuseText& AddCount(const List& list) {
    return Add(static_cast<int64_t>(list.size()));
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace berth::scheduler
