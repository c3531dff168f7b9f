// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/selector.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

const api::StringMap kLabels = {{"app", "web"}, {"tier", "front"}, {"size", "5"}, {"empty", ""}};

TEST(LabelSelector, MatchesLikeUpstream) {
  const struct {
    const char* text;
    bool matches;
  } cases[] = {
      {"", true},
      {"app=web", true},
      {" app == web , tier!=back ", true},
      {"app=db", false},
      {"app", true},
      {"!app", false},
      {"!nothing", true},
      {"nothing!=x", true},
      {"app in (db, web)", true},
      {"app notin (db,web)", false},
      {"nothing notin (a)", true},
      {"in in (in)", false},
      {"size>4", true},
      {"size<5", false},
      {"empty=", true},
      {"app=,tier=front", false},
      {"empty in ()", true},
      {"empty in (,a)", true},
      {"app=web,app!=web", false},
  };
  for (const auto& [text, matches] : cases) {
    const auto selector = ParseLabelSelector(text);
    ASSERT_TRUE(selector) << text << ": " << selector.error().message();
    EXPECT_EQ(selector->Matches(kLabels), matches) << text;
  }
}

TEST(LabelSelector, ErrorsHaveUpstreamsText) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"=a", "found '=', expected: !, identifier, or 'end of string'"},
      {"a=b,", "found '', expected: identifier after ','"},
      {"a=b c", "found 'c', expected: ',' or 'end of string'"},
      {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a in b", "unable to parse requirement: found 'b' expected: '('"},
      {"a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"},
      {"a==)", "unable to parse requirement: found ')', expected: identifier"},
      {"!=a", "found '!=', expected: !, identifier, or 'end of string'"},
      {"a>b",
       "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, "
       "the value must be an integer"},
  };
  for (const auto& [text, message] : cases) {
    const auto selector = ParseLabelSelector(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().message(), message) << text;
    EXPECT_EQ(selector.error().reason(), Reason::kBadRequest);
  }
  const auto key = ParseLabelSelector("-a=b");
  ASSERT_FALSE(key);
  EXPECT_TRUE(key.error().message().starts_with(
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of"))
      << key.error().message();
  const auto value = ParseLabelSelector("a=-b");
  ASSERT_FALSE(value);
  EXPECT_TRUE(value.error().message().starts_with(
      "unable to parse requirement: values[0][a]: Invalid value: \"-b\""))
      << value.error().message();
}

class FieldSelectors : public ::testing::Test {
 protected:
  const std::vector<std::string> fields_ = {"spec.nodeName", "status.phase"};
  const Metadata pod_{.namespace_ = "ns", .name = "a", .fields = {"node-1", "Run,ning"}};
};

TEST_F(FieldSelectors, MatchLikeUpstream) {
  const struct {
    const char* text;
    bool matches;
  } cases[] = {
      {"", true},
      {"metadata.name=a", true},
      {"metadata.name!=a", false},
      {"metadata.namespace==ns,spec.nodeName=node-1", true},
      {"spec.nodeName=", false},
      {"spec.nodeName!=", true},
      {"status.phase=Run\\,ning", true},
      {",metadata.name=a,", true},
  };
  for (const auto& [text, matches] : cases) {
    const auto selector = FieldSelector::Parse(text, fields_);
    ASSERT_TRUE(selector) << text << ": " << selector.error().message();
    EXPECT_EQ(selector->Matches(pod_), matches) << text;
  }
}

TEST_F(FieldSelectors, ErrorsHaveUpstreamsText) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"a", "invalid selector: 'a'; can't understand 'a'"},
      {"spec.x=1", "field label not supported: spec.x"},
      {"metadata.name=a\\b", "invalid field selector: invalid escape sequence: \\b"},
      {"metadata.name=a\\", "invalid field selector: invalid escape sequence: \\"},
      {"metadata.name=a=b", "invalid field selector: unescaped character in value: 61"},
  };
  for (const auto& [text, message] : cases) {
    const auto selector = FieldSelector::Parse(text, fields_);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().message(), message);
  }
  const auto plain = FieldSelector::Parse("spec.x=1", {}, FieldSelector::Unknown::kNotKnown);
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error().message(),
            "\"spec.x\" is not a known field selector: only \"metadata.name\", "
            "\"metadata.namespace\"");
}

}  // namespace
}  // namespace berth::apiserver
