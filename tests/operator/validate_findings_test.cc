// SPDX-License-Identifier: Apache-2.0
// The findings of `berth validate` for hostile documents.
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

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

// Returns the findings of `berth validate -o json`, without the file and the document.
nlohmann::json FindingsOf(const std::string& spec) {
  const Answer answer =
      Berth({"validate", "-f", "-", "-o", "json"}, kMinimal + ("spec: " + spec + "\n"));
  nlohmann::json findings = nlohmann::json::parse(answer.out)["findings"];
  for (auto& finding : findings) {
    finding.erase("file");
    finding.erase("document");
    finding.erase("severity");
  }
  return findings;
}

TEST(ValidateFindings, HavePathValueAndMessageApart) {
  const auto urls = FindingsOf(R"({"extenders": [{"urlPrefix": "http://a: b/"}]})");
  ASSERT_EQ(urls.size(), 1U);
  EXPECT_EQ(urls[0]["path"], R"(spec.extenders[urlPrefix="http://a: b/"].urlPrefix)");
  EXPECT_EQ(urls[0]["value"], "http://a: b/");
  EXPECT_EQ(urls[0]["message"], "Invalid value: must not have spaces or control characters");

  const auto labels = FindingsOf("{deployment: {podLabels: {app: web}}}");
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0]["path"], "spec.deployment.podLabels[app]");
  EXPECT_EQ(labels[0]["value"], "app");
  EXPECT_THAT(std::string(labels[0]["message"]), StartsWith("is not allowed here; allowed: none"));

  const auto memory = FindingsOf("{deployment: {resources: {requests: {memory: 9Gi}}}}");
  ASSERT_EQ(memory.size(), 1U);
  EXPECT_EQ(memory[0]["path"], "spec.deployment.resources.requests[memory]");
  EXPECT_EQ(memory[0]["value"], "9Gi");

  const auto unread = FindingsOf("{deployment: {resources: {requests: {memory: abc}}}}");
  ASSERT_EQ(unread.size(), 1U);
  EXPECT_EQ(unread[0]["path"], "spec.deployment.resources.requests.memory");
  EXPECT_EQ(unread[0]["value"], "abc");
}

TEST(ValidateFindings, CutLongValuesInLinesOnly) {
  const struct {
    std::string field, before, after;
  } cases[] = {
      {"type", "Unsupported value: ", ": supported values: "},  // an error
      {"image", "", " is not allowed here"},                    // a rejection
  };
  const std::string longer(1000, 'x');
  for (const auto& [field, before, after] : cases) {
    const std::string spec = "{engine: {" + field + ": " + longer + "}}";
    EXPECT_THAT(LinesFor(spec),
                ElementsAre(StartsWith("error: standard input: spec.engine." + field + ": " +
                                       before + "\"" + std::string(40, 'x') + "...\"" + after)));
    const auto findings = FindingsOf(spec);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0]["value"], longer);
  }
}

TEST(ValidateFindings, WarningsHavePathAndMessageApart) {
  const auto arguments = FindingsOf(
      "{plugins: {score: {disabled: [{name: NodeAffinity}]}, filter: {disabled: [{name: "
      "NodeAffinity}]}, preScore: {disabled: [{name: NodeAffinity}]}, preFilter: {disabled: "
      "[{name: NodeAffinity}]}}, pluginConfig: [{name: NodeAffinity, args: {}}]}");
  ASSERT_EQ(arguments.size(), 1U);
  EXPECT_EQ(arguments[0]["path"], "spec.pluginConfig[name=NodeAffinity]");
  EXPECT_EQ(arguments[0]["message"], "the arguments have no effect: the plugin is not enabled");

  const auto weight = FindingsOf(
      "{plugins: {score: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity, weight: 100}, "
      "{name: ImageLocality}]}}}");
  ASSERT_EQ(weight.size(), 1U);
  EXPECT_EQ(weight[0].value("path", ""), "") << "about all weights";
  EXPECT_THAT(std::string(weight[0]["message"]),
              StartsWith("weight 100 of NodeAffinity dominates"));
}

TEST(ValidateFindings, WarnAboutAPauseWithAWrongValue) {
  const Answer answer = Berth({"validate", "-f", "-"},
                              "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\n"
                              "metadata: {name: a, annotations: {berth.dev/paused: 'yes'}}\n");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err,
              HasSubstr("warning: standard input: metadata.annotations[berth.dev/paused]"
                        ": found \"yes\", allowed: \"true\""));
}

TEST(ValidateFindings, CutLongLinesOfExpressions) {
  const auto lines = LinesFor(
      "{plugins: {filter: {enabled: [{name: Expressions}]}}, pluginConfig: "
      "[{name: Expressions, args: {filters: [{expression: \"'" +
      std::string(200'000, 'x') + "' == ''\"}]}}]}");
  ASSERT_FALSE(lines.empty());
  for (const std::string& line : lines) EXPECT_LT(line.size(), 1100U);
}

// With a quadratic check each of the documents takes more than a minute.
TEST(ValidateFindings, TimeIsLinearInTheNumberOfEntries) {
  std::string ones = "1";
  std::string variables = "{name: A, x: 1}";
  for (int i = 0; i < 10'000; ++i) {
    ones += ",1";
    variables += ",{name: A" + std::to_string(i) + ", x: 1}";
  }
  const std::clock_t begin = std::clock();
  EXPECT_THAT(LinesFor("{aliases: [" + ones + "]}"), SizeIs(testing::Ge(10'000U)));
  EXPECT_THAT(LinesFor("{deployment: {env: [" + variables + "]}}"), SizeIs(testing::Ge(10'000U)));
  EXPECT_LT(std::clock() - begin, 30 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace berth::operator_
