// SPDX-License-Identifier: Apache-2.0
#include "base/shell.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ShellWord, LeavesPlainTextUnquoted) {
  EXPECT_EQ(ShellWord("/tmp/berth-demo-a1B2c3/admin.kubeconfig"),
            "/tmp/berth-demo-a1B2c3/admin.kubeconfig");
}

TEST(ShellWord, QuotesTextThatTheShellWouldSplitOrExpand) {
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("/tmp/my demo"), "'/tmp/my demo'");
  EXPECT_EQ(ShellWord("$HOME/*;a"), "'$HOME/*;a'");
  EXPECT_EQ(ShellWord("~"), "'~'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace berth
