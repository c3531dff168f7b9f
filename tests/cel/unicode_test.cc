// SPDX-License-Identifier: Apache-2.0
#include "cel/unicode.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

// ASCII prefixes are counted several bytes at a time. The result must be the number of code points
// regardless of the end of the prefix.
TEST(CountCodePoints, CountsMixedTextsCorrectly) {
  const struct {
    const char* text;
    size_t points;
  } kRows[] = {{"", 0}, {"x", 1}, {"ü", 1}, {"日本", 2}, {"😀", 1}, {"\x80", 1}, {"\xe6\x97", 2}};
  for (const auto& row : kRows) {
    for (size_t before = 0; before < 20; ++before) {
      for (size_t behind = 0; behind < 20; ++behind) {
        const std::string text = std::string(before, 'a') + row.text + std::string(behind, 'b');
        EXPECT_EQ(CountCodePoints(text), before + row.points + behind) << text;
      }
    }
  }
}

}  // namespace
}  // namespace berth::cel
