// SPDX-License-Identifier: Apache-2.0
#include "tests/convert/policy_choice.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/strings.h"
#include "tests/integration/harness/process.h"

namespace berth::convert {
namespace {

constexpr const char* kFolder = "tests/convert/policy/cases";
constexpr const char* kReference = "tests/convert/policy/policy_reference.py";

std::vector<PolicyCase> Cases(const std::string& what, std::string_view lines) {
  auto cases = CasesIn(lines);
  if (cases) return *std::move(cases);
  ADD_FAILURE() << what << ": " << cases.error().message();
  return {};
}

void ExpectThatPass(const std::vector<PolicyCase>& cases) {
  for (const PolicyCase& each : cases) {
    const auto differences = DifferencesOf(each);
    EXPECT_TRUE(differences.empty()) << each.name << "\n  " << Join(differences, "\n  ");
  }
}

TEST(PolicyChoice, MatchesTheTables) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const auto lines = ReadFile(entry.path());
    ASSERT_TRUE(lines) << lines.error().message();
    const auto cases = Cases(entry.path().string(), *lines);
    ExpectThatPass(cases);
    count += cases.size();
  }
  EXPECT_GE(count, 200U);
}

// BERTH_POLICY_CASES is "SEED COUNT", for longer runs: `make random-checks CHECK=policy`.
TEST(PolicyChoice, MatchesRandomPolicies) {
  if (integration::Run({"sh", "-c", "command -v python3"}).exit_code != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  const char* asked = std::getenv("BERTH_POLICY_CASES");
  integration::Arguments arguments{"python3", kReference, "random"};
  for (const std::string_view word : Split(asked != nullptr ? asked : "1 1000", ' ')) {
    arguments.emplace_back(word);
  }
  const integration::ProcessOutcome reference = integration::Run(arguments);
  ASSERT_EQ(reference.exit_code, 0) << reference.err;
  const auto cases = Cases(kReference, reference.out);
  EXPECT_EQ(std::to_string(cases.size()), arguments.back());
  ExpectThatPass(cases);
  std::printf("seed %s: %zu Policies\n", arguments.end()[-2].c_str(), cases.size());
}

constexpr const char* kCase =
    R"({"name": "one node", "policy": {"kind": "Policy", "predicates": [], "priorities": []},)"
    R"( "objects": {"nodes": [{"metadata": {"name": "a"}}]}, "pod": {"metadata": {"name": "p"}},)"
    R"( "expect": {"feasible": ["a"], "total": {"a": 0}, "best": ["a"]}})";

std::vector<std::string> DifferencesWith(const std::string& change) {
  PolicyCase one = Cases("kCase", kCase).at(0);
  one.document.merge_patch(nlohmann::json::parse(change));
  return DifferencesOf(one);
}

TEST(PolicyChoice, DetectsDifferences) {
  EXPECT_TRUE(DifferencesWith("{}").empty());
  for (const char* change : {
           R"({"expect": {"feasible": [], "total": null}})",
           R"({"expect": {"feasible": ["a", "b"], "total": {"b": 0}}})",
           R"({"named": "what no report says"})",
           R"({"differs": "choice"})",
           R"({"differs": "scores"})",
           R"({"policy": {"predicates": [{"name": "Unheard"}]}})",
           R"({"policy": {"extenders": [{"urlPrefix": "http://e/", "filterVerb": "f"}]}})",
       }) {
    EXPECT_FALSE(DifferencesWith(change).empty()) << change;
  }
}

TEST(PolicyChoice, ParsesCases) {
  EXPECT_EQ(CasesIn("{}\n").error().message(), "line 1 is not a case");
  EXPECT_EQ(CasesIn(std::string(kCase) + "\n{").error().message(), "line 2 is not a case");
}

}  // namespace
}  // namespace berth::convert
