// SPDX-License-Identifier: Apache-2.0
#include "api/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/container.h"
#include "base/json/json.h"

namespace berth::api {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<Selector> Compile(std::string_view text) {
  const auto source = json::Decode<LabelSelector>(text);
  EXPECT_TRUE(source) << text;
  return Selector::Create(*source);
}

CompiledNodeSelector CompileNode(std::string_view terms) {
  const auto source =
      json::Decode<NodeSelector>("{\"nodeSelectorTerms\":" + std::string(terms) + "}");
  EXPECT_TRUE(source) << terms;
  return CompiledNodeSelector::Create(*source);
}

TEST(Selector, MatchesLabels) {
  struct Case {
    std::string_view selector;
    StringMap labels;
    bool matches;
  };
  const Case cases[] = {
      {"{}", {}, true},
      {R"({"matchLabels":{"a":"1"}})", {{"a", "1"}, {"b", "2"}}, true},
      {R"({"matchLabels":{"a":"1"}})", {{"a", "2"}}, false},
      {R"({"matchLabels":{"a":""}})", {}, false},
      {R"({"matchLabels":{"a":"1","b":"2"}})", {{"a", "1"}}, false},
      {R"({"matchExpressions":[{"key":"a","operator":"In","values":["1","2"]}]})",
       {{"a", "2"}},
       true},
      {R"({"matchExpressions":[{"key":"a","operator":"In","values":["1","2"]}]})", {}, false},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})",
       {{"a", "1"}},
       false},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})",
       {{"a", "2"}},
       true},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})", {}, true},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", {{"a", ""}}, true},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", {{"b", ""}}, false},
      {R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", {{"a", ""}}, false},
      {R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", {}, true},
      {R"({"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"Exists"}]})",
       {{"a", "1"}},
       false},
  };
  for (const Case& c : cases) {
    const auto selector = Compile(c.selector);
    ASSERT_TRUE(selector) << selector.error().message();
    EXPECT_EQ(selector->Matches(c.labels), c.matches) << c.selector;
  }
}

TEST(Selector, DistinguishesNothingFromEverything) {
  const auto nothing = Selector::Create(Rare<LabelSelector>());
  EXPECT_TRUE(nothing->IsNothing());
  EXPECT_FALSE(nothing->IsEmpty());
  EXPECT_FALSE(nothing->Matches({}));
  const auto everything = Selector::Create(LabelSelector{});
  EXPECT_TRUE(everything->IsEmpty());
  EXPECT_FALSE(everything->IsNothing());
  EXPECT_TRUE(everything->Matches({}));

  Selector narrowed = *nothing;
  narrowed.Add({.key = "a"});
  EXPECT_FALSE(narrowed.Matches({{"a", "1"}}));
  EXPECT_EQ(narrowed, *nothing);
}

TEST(Selector, FromMapDoesNotCheckValues) {
  const Selector selector = Selector::FromMap({{"a", "not a label value!"}});
  EXPECT_TRUE(selector.Matches({{"a", "not a label value!"}}));
  EXPECT_TRUE(Selector::FromMap({}).IsEmpty());
}

TEST(Selector, ReportsErrorsWithUpstreamsText) {
  struct Case {
    std::string_view selector, message;
  };
  const Case cases[] = {
      {R"({"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]})",
       R"("Gt" is not a valid label selector operator)"},
      {R"({"matchExpressions":[{"key":"a","operator":"In"}]})",
       "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists","values":["x"]}]})",
       R"(values: Invalid value: ["x"]: values set must be empty for exists and does not exist)"},
  };
  for (const Case& c : cases) EXPECT_EQ(Compile(c.selector).error().message(), c.message);
  EXPECT_THAT(Compile(R"({"matchLabels":{"a":"-x"}})").error().message(),
              StartsWith(R"(values[0][a]: Invalid value: "-x": a valid label must be)"));
  EXPECT_THAT(Compile(R"({"matchLabels":{"/a":"x"}})").error().message(),
              StartsWith(R"(key: Invalid value: "/a": prefix part must be non-empty)"));
}

TEST(Requirement, ComparesIntegers) {
  struct Case {
    std::string_view op, bound, label;
    bool matches;
  };
  const Case cases[] = {
      {"Gt", "5", "6", true},
      {"Gt", "5", "5", false},
      {"Lt", "5", "4", true},
      {"Lt", "5", "5", false},
      {"Gt", "5", "x", false},
      {"Gt", "5", "", false},
      {"Gt", "5", "6.5", false},
      {"Gt", "5", "+6", true},
      {"Gt", "5", "+-6", false},
      {"Lt", "0", "-1", true},
      {"Gt", "5", " 6", false},
      {"Gt", "9223372036854775806", "9223372036854775807", true},
      {"Gt", "5", "9223372036854775808", false},
  };
  for (const Case& c : cases) {
    std::vector<Requirement> out;
    std::vector<FieldError> errors;
    Requirement::Parse({"k", std::string(c.op), {std::string(c.bound)}}, "p", out, errors);
    ASSERT_EQ(out.size(), 1u) << c.bound << Aggregate(errors);
    EXPECT_EQ(out[0].Matches({{"k", std::string(c.label)}}), c.matches) << c.op << c.label;
    EXPECT_FALSE(out[0].Matches({}));
  }
}

TEST(Requirement, ReportsErrorsWithUpstreamsText) {
  struct Case {
    NodeSelectorRequirement source;
    std::string_view message;
  };
  const Case cases[] = {
      {{"k", "Gt", {}},
       "p.values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one value is required"},
      {{"k", "Lt", {"x"}},
       "p.values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"},
      {{"k", "gt", {"1"}},
       "p.operator: Unsupported value: \"gt\": supported values: \"In\", \"NotIn\", \"Exists\", "
       "\"DoesNotExist\", \"Gt\", \"Lt\""},
  };
  for (const Case& c : cases) {
    std::vector<Requirement> out;
    std::vector<FieldError> errors;
    Requirement::Parse(c.source, "p", out, errors);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(Aggregate(errors), c.message);
  }
}

TEST(CompiledNodeSelector, OrsTermsAndAndsRequirements) {
  const auto selector = CompileNode(R"([
    {"matchExpressions":[{"key":"a","operator":"In","values":["1"]},{"key":"b","operator":"Exists"}]},
    {"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}])");
  EXPECT_TRUE(selector.Matches({{"a", "1"}, {"b", ""}}, "n2"));
  EXPECT_FALSE(selector.Matches({{"a", "1"}}, "n2"));
  EXPECT_TRUE(selector.Matches({}, "n1"));
}

TEST(CompiledNodeSelector, DropsEmptyTerms) {
  EXPECT_FALSE(CompileNode("[]").Matches({}, "n"));
  EXPECT_FALSE(CompileNode("[{}]").Matches({}, "n"));
  EXPECT_TRUE(CompileNode("[{}]").terms().empty());
  EXPECT_FALSE(*CompileNode("[{}]").Match({}, "n"));
}

TEST(CompiledNodeSelector, MatchesFields) {
  const auto other = CompileNode(
      R"([{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n1"]}]}])");
  EXPECT_FALSE(other.Matches({}, "n1"));
  EXPECT_TRUE(other.Matches({}, "n2"));
  const auto unknown =
      CompileNode(R"([{"matchFields":[{"key":"spec.x","operator":"In","values":["v"]}]}])");
  EXPECT_FALSE(unknown.Matches({}, "n1"));
  EXPECT_TRUE(unknown.Matches({}, "")) << "a node without a name has no fields to match";
}

TEST(CompiledNodeSelector, ReportsABadTermOnlyIfNoOtherMatches) {
  const auto selector = CompileNode(R"([
    {"matchExpressions":[{"key":"a","operator":"Gt","values":["x"]}]},
    {"matchFields":[{"key":"metadata.name","operator":"In","values":["n1","n2"]},
                    {"key":"metadata.name","operator":"Exists"}]},
    {"matchExpressions":[{"key":"good","operator":"Exists"}]}])");
  EXPECT_TRUE(*selector.Match({{"good", ""}}, "n"));
  const auto failed = selector.Match({{"a", "1"}}, "n");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "[nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', "
            "'Lt' operators, the value must be an integer, "
            "nodeSelectorTerms[1].matchFields[0].values: Invalid value: [\"n1\",\"n2\"]: must have "
            "one element, nodeSelectorTerms[1].matchFields[1].operator: Unsupported value: "
            "\"Exists\": supported values: \"In\", \"NotIn\"]");
  EXPECT_FALSE(selector.Matches({{"a", "1"}}, "n"));
  EXPECT_EQ(selector.Errors().size(), 3u);
}

Result<PreferredTerms> Prefer(std::string_view text) {
  const auto affinity = json::Decode<NodeAffinity>(
      "{\"preferredDuringSchedulingIgnoredDuringExecution\":" + std::string(text) + "}");
  EXPECT_TRUE(affinity) << text;
  return PreferredTerms::Create(affinity->preferred);
}

TEST(PreferredTerms, SumsWeightsOfMatchingTerms) {
  const auto terms = Prefer(R"([
    {"weight":5,"preference":{"matchExpressions":[{"key":"a","operator":"Exists"}]}},
    {"weight":7,"preference":{"matchExpressions":[{"key":"b","operator":"Exists"}]}},
    {"weight":9,"preference":{}},
    {"weight":0,"preference":{"matchExpressions":[{"key":"a","operator":"Bad"}]}}])");
  ASSERT_TRUE(terms) << terms.error().message();
  EXPECT_EQ(terms->terms().size(), 2u);
  EXPECT_EQ(terms->Score({{"a", ""}, {"b", ""}}, "n"), 12);
  EXPECT_EQ(terms->Score({{"b", ""}}, "n"), 7);
  EXPECT_EQ(terms->Score({}, "n"), 0);
}

TEST(PreferredTerms, CreateFailsForAnyBadTerm) {
  const auto terms = Prefer(R"([{"weight":1,"preference":
    {"matchExpressions":[{"key":"cores","operator":"Lt","values":["-4"]}]}}])");
  ASSERT_FALSE(terms);
  EXPECT_EQ(
      terms.error().message(),
      "[0].matchExpressions[0].values[0][cores]: Invalid value: \"-4\": a valid label must be "
      "an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
      "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
      "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
}

TEST(ExtendedResourceName, RequiresAForeignDomain) {
  EXPECT_TRUE(IsExtendedResourceName("nvidia.com/gpu"));
  EXPECT_FALSE(IsExtendedResourceName("cpu"));
  EXPECT_FALSE(IsExtendedResourceName("kubernetes.io/thing"));
  EXPECT_FALSE(IsExtendedResourceName("requests.example.com/gpu"));
  EXPECT_FALSE(IsExtendedResourceName("example.com/"));
}

}  // namespace
}  // namespace berth::api
