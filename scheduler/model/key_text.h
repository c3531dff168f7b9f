// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/labels.h"

namespace berth::scheduler {

// KeyText appends parts to a text so that no two sequences of parts give the same: numbers have one
// length, and strings and lists begin with theirs. The numbers are bytes, not digits: such a text
// is made for each question about counts.
class KeyText {
 public:
  // Requires: `text` outlives this.
  explicit KeyText(std::string& text) : text_(text) {}

  void Add(size_t number) {
    const auto narrow = static_cast<uint32_t>(number);
    text_.append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
  }
  void Add(const std::string& part) {
    Add(part.size());
    text_ += part;
  }
  void Add(const std::vector<std::string>& parts) {
    Add(parts.size());
    for (const std::string& part : parts) Add(part);
  }
  void Add(const api::Selector& selector) {
    Add(selector.IsNothing() ? size_t{1} : size_t{0});
    Add(selector.requirements().size());
    for (const api::Requirement& requirement : selector.requirements()) {
      Add(requirement.key);
      Add(static_cast<size_t>(requirement.op));
      Add(requirement.values);
    }
  }

 private:
  std::string& text_;
};

}  // namespace berth::scheduler
