// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/suite.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::fidelity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<Case> Named(const std::vector<std::string>& names) {
  std::vector<Case> cases;
  for (const std::string& name : names) cases.emplace_back().name = name;
  return cases;
}

const std::vector<Outcome> kOneFails = {{.answers = Json::array(), .faults = {}},
                                        {.answers = Json::array(), .faults = {"code: 1"}}};

TEST(Judge, CountsPassedAndFailedCases) {
  const Verdict verdict = Judge(Named({"a/one", "a/two"}), kOneFails, {}, Scope::kWhole);
  EXPECT_EQ(verdict.passed, 1U);
  EXPECT_THAT(verdict.failures, ElementsAre("a/two: code: 1"));
}

TEST(Judge, AcceptsAKnownDeviation) {
  const Verdict verdict =
      Judge(Named({"a/one", "a/two"}), kOneFails, {{"a/two", "why"}}, Scope::kWhole);
  EXPECT_EQ(verdict.passed, 1U);
  EXPECT_EQ(verdict.known, 1U);
  EXPECT_THAT(verdict.failures, IsEmpty());
}

TEST(Judge, RejectsDeviationWhoseCasePasses) {
  const Verdict verdict = Judge(Named({"a/one", "a/two"}), kOneFails,
                                {{"a/one", "why"}, {"a/two", "why"}}, Scope::kWhole);
  EXPECT_THAT(verdict.failures, ElementsAre(HasSubstr("a/one: is listed as a deviation")));
}

TEST(Judge, RejectsDeviationWithoutCaseUnlessPartial) {
  const Deviations deviations = {{"a/two", "why"}, {"a/onn", "why"}};
  EXPECT_THAT(Judge(Named({"a/one", "a/two"}), kOneFails, deviations, Scope::kWhole).failures,
              ElementsAre(HasSubstr("; nearest: a/one")));
  EXPECT_THAT(Judge(Named({"a/one", "a/two"}), kOneFails, deviations, Scope::kPartial).failures,
              IsEmpty());
}

TEST(ParseDeviations, ReadsTablesOfCases) {
  const auto deviations = ParseDeviations(
      "| folder | holds |\n|---|---|\n| `store/` | objects |\n\n"
      "| case | why |\n|---|---|\n| `watch/too-old` | history begins with the server |\n"
      "| `list/pages` | no |\n\ntext\n| `other/thing` | not in a table of cases |\n");
  ASSERT_TRUE(deviations);
  EXPECT_THAT(*deviations, ElementsAre(Pair("list/pages", "no"),
                                       Pair("watch/too-old", "history begins with the server")));
}

TEST(ParseDeviations, RejectsDuplicateCase) {
  const auto deviations = ParseDeviations("| case | why |\n| `a/b` | x |\n| `a/b` | z |\n");
  ASSERT_FALSE(deviations);
  EXPECT_THAT(deviations.error().message(), HasSubstr("a/b"));
}

}  // namespace
}  // namespace berth::fidelity
