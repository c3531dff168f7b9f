// SPDX-License-Identifier: Apache-2.0
#include "base/text_error.h"

#include <string>

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(TextError, ShowsTheLineBeforeTheLineAndACaret) {
  EXPECT_EQ(Excerpt("one\ntwo\nthree\n", {2, 3, "why"}),
            "     1 | one\n"
            "     2 | two\n"
            "       |   ^\n");
  EXPECT_EQ(Excerpt("one", {1, 1, "why"}),
            "     1 | one\n"
            "       | ^\n");
}

TEST(TextError, ShowsATabAsOneColumn) {
  EXPECT_EQ(Excerpt("a:\r\n\tb: 1\r\n", {2, 1, "why"}),
            "     1 | a:\n"
            "     2 |  b: 1\n"
            "       | ^\n");
}

TEST(TextError, CutsLongLinesAroundTheCaret) {
  const std::string line = std::string(300, 'a') + "!" + std::string(300, 'b');
  EXPECT_EQ(Excerpt(line, {1, 301, "why"}), "     1 | " + std::string(59, 'a') + "!" +
                                                std::string(40, 'b') + "\n       | " +
                                                std::string(59, ' ') + "^\n");
}

TEST(TextError, ReturnsNoExcerptWithoutALine) {
  EXPECT_EQ(Excerpt("one", {0, 0, "why"}), "");
  EXPECT_EQ(Excerpt("one", {2, 1, "why"}), "");
  EXPECT_EQ((TextError{0, 0, "why"}.ToString()), "why");
  EXPECT_EQ((TextError{2, 5, "why"}.ToString()), "line 2, column 5: why");
}

TEST(TextError, ClampsTheColumnToTheLine) {
  EXPECT_EQ(Excerpt("one", {1, 9, "why"}),
            "     1 | one\n"
            "       |    ^\n");
}

}  // namespace
}  // namespace berth
