// SPDX-License-Identifier: Apache-2.0
// The findings of `berth validate` for hostile documents.
#include <ctime>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/operator/berth.h"

namespace berth::operator_ {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

// Returns the lines that `berth validate` prints to standard error for a profile with this spec.
std::vector<std::string> LinesFor(const std::string& spec) {
  std::istringstream text(Berth({"validate", "-f", "-"}, kMinimal + ("spec: " + spec + "\n")).err);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(ValidateFindings, NamesWithBracketsAreNoListEntries) {
  EXPECT_THAT(LinesFor(R"({"aliases[x]": 1, "aliases": [a], "engine": {"type": "X"}})"),
              ElementsAre(StartsWith("error: standard input: spec[\"aliases[x]\"]: Forbidden: "),
                          HasSubstr("spec.engine.type: Unsupported value: \"X\"")));
}

TEST(ValidateFindings, NamesOfFieldsPrintNoLinesOfTheirOwn) {
  const auto lines = LinesFor(R"({"a\nerror: fake": 1, "": 1, "[": 1, "]": 1, "deployment":
      {"env": [{"name": "A\nerror: fake", "x": 1}], "podLabels": {"a\nerror: fake": "b c"}}})");
  EXPECT_THAT(lines, SizeIs(testing::Ge(6U)));
  EXPECT_THAT(lines, Each(StartsWith("error: standard input: ")));
  for (const char* path :
       {R"(: spec["a\nerror: fake"]: )", R"(: spec[""]: )", R"(: spec["["]: )", R"(: spec["]"]: )",
        R"(: spec.deployment.env[name="A\nerror: fake"].x: )"}) {
    EXPECT_THAT(lines, testing::Contains(HasSubstr(path)));
  }
}

// With a quadratic check each of the documents takes more than a minute.
TEST(ValidateFindings, TimeIsLinearInTheNumberOfEntries) {
  std::string ones = "1";
  std::string variables = "{name: A, x: 1}";
  for (int i = 0; i < 20'000; ++i) {
    ones += ",1";
    variables += ",{name: A" + std::to_string(i) + ", x: 1}";
  }
  const std::clock_t begin = std::clock();
  EXPECT_THAT(LinesFor("{aliases: [" + ones + "]}"), SizeIs(testing::Ge(20'000U)));
  EXPECT_THAT(LinesFor("{deployment: {env: [" + variables + "]}}"), SizeIs(testing::Ge(20'000U)));
  EXPECT_LT(std::clock() - begin, 30 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace berth::operator_
