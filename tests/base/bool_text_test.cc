// SPDX-License-Identifier: Apache-2.0
#include "base/bool_text.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ParseBool, ReadsTheFormsOfGo) {
  for (const char* text : {"1", "t", "T", "true", "TRUE", "True"}) {
    EXPECT_EQ(ParseBool(text), true) << text;
  }
  for (const char* text : {"0", "f", "F", "false", "FALSE", "False"}) {
    EXPECT_EQ(ParseBool(text), false) << text;
  }
  for (const char* text : {"", "yes", "no", "tRUE", " true", "2"}) {
    EXPECT_EQ(ParseBool(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace berth
