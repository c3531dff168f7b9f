// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::scheduler {

// ReuseText builds the text of a ReuseKey from parts; each carries its length, so different lists
// of parts never give one text.
class ReuseText {
 public:
  ReuseText& Add(std::string_view part) {
    text_.append(std::to_string(part.size())).append(":").append(part);
    return *this;
  }
  ReuseText& Add(int64_t number) {
    text_.append(std::to_string(number)).append(";");
    return *this;
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace berth::scheduler
