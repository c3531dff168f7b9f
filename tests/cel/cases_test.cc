// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "cel/function.h"
#include "tests/cel/case_file.h"

namespace berth::cel {
namespace {

TEST(Cases, MatchTheRecordedValuesErrorsAndCosts) {
  const std::vector<Case> cases = ReadCases();
  ASSERT_GE(cases.size(), 700u);
  for (const Case& row : cases) {
    EXPECT_EQ(Outcome(row), row.expected) << row.place << ": " << row.expression;
  }
}

// At least one row calls each function.
TEST(Cases, CallEveryFunction) {
  std::string all;
  for (const Case& row : ReadCases()) all += row.expression + "\n";
  for (const std::string_view name : FunctionNames()) {
    const bool is_operator = name.find_first_of("_@") != std::string_view::npos;
    if (is_operator) continue;
    EXPECT_NE(all.find(std::string(name) + "("), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace berth::cel
