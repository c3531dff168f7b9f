// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/field_set.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

FieldSet Parsed(const char* text) {
  auto set = FieldSet::Parse(json::parse(text));
  EXPECT_TRUE(set) << text;
  return set ? *set : FieldSet();
}

std::vector<std::string> Paths(const FieldSet& set) {
  std::vector<std::string> paths;
  set.ForEach([&](const FieldPath& path) { paths.push_back(ToString(path)); });
  return paths;
}

TEST(PathElement, ReadsAndWritesTheWireForm) {
  for (const char* wire :
       {"f:spec", "f:", "f:a.b/c", R"(k:{"name":"c"})",
        R"(k:{"containerPort":80,"protocol":"TCP"})", R"(v:"x")", "v:1", "i:3"}) {
    const auto element = PathElement::Parse(wire);
    ASSERT_TRUE(element) << wire;
    EXPECT_EQ(element->Wire(), wire);
  }
  for (const char* wire : {"", "f", "spec", "x:1", "k:[1]", "k:{", "v:", "i:a"})
    EXPECT_FALSE(PathElement::Parse(wire)) << wire;
}

TEST(PathElement, WritesKeysCanonically) {
  EXPECT_EQ(PathElement::Parse(R"(k:{"b": 1, "a": "x"})")->Wire(), R"(k:{"a":"x","b":1})");
}

TEST(PathElement, IsOrderedByKindThenName) {
  const char* const kSorted[] = {"f:a",
                                 "f:b",
                                 R"(k:{"a":1})",
                                 R"(k:{"a":1,"b":2})",
                                 R"(k:{"a":2})",
                                 R"(k:{"a":10})",
                                 R"(k:{"a":"1"})",
                                 R"(k:{"b":1})",
                                 "v:9",
                                 "v:10",
                                 R"(v:"a")",
                                 "v:false",
                                 "v:true",
                                 "i:2",
                                 "i:10"};
  for (size_t i = 1; i < std::size(kSorted); ++i)
    EXPECT_LT(*PathElement::Parse(kSorted[i - 1]), *PathElement::Parse(kSorted[i])) << kSorted[i];
}

TEST(PathElement, ToStringMatchesMessages) {
  EXPECT_EQ(PathElement::Parse("f:spec")->ToString(), ".spec");
  EXPECT_EQ(PathElement::Parse(R"(k:{"port":80,"protocol":"TCP"})")->ToString(),
            R"([port=80,protocol="TCP"])");
  EXPECT_EQ(PathElement::Parse(R"(v:"x")")->ToString(), R"([="x"])");
  EXPECT_EQ(PathElement::Parse("i:4")->ToString(), "[4]");
}

TEST(FieldSet, ReadsAndWritesFieldsV1) {
  const char* const kText =
      R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:list":{"k:{\"p\":10}":{".":{},"f:p":{}},"k:{\"p\":9}":{}}}})";
  const FieldSet set = Parsed(kText);
  EXPECT_EQ(set.ToJson(), json::parse(kText));
  EXPECT_EQ(Paths(set),
            (std::vector<std::string>{".metadata.labels", ".metadata.labels.a", ".spec.list[p=9]",
                                      ".spec.list[p=10]", ".spec.list[p=10].p"}));
  EXPECT_EQ(set.Size(), 5u);
}

TEST(FieldSet, RejectsInvalidPathElement) {
  const auto set = FieldSet::Parse(json::parse(R"({"f:spec":{"replicas":{}}})"));
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message(),
            "fieldsV1: \"replicas\" is not a path element; allowed are f:, k:, v: and i:");
  EXPECT_FALSE(FieldSet::Parse(json::array()));
}

struct SetCase {
  const char* a;
  const char* b;
  const char* united;
  const char* intersection;
  const char* difference;
  const char* recursive_difference;
};

TEST(FieldSet, SetOperationsMatchUpstream) {
  const SetCase kCases[] = {
      {R"({})", R"({"f:a":{}})", R"({"f:a":{}})", "{}", "{}", "{}"},
      {R"({"f:a":{},"f:c":{}})", R"({"f:b":{},"f:c":{}})", R"({"f:a":{},"f:b":{},"f:c":{}})",
       R"({"f:c":{}})", R"({"f:a":{}})", R"({"f:a":{}})"},
      // A parent is not its children.
      {R"({"f:a":{"f:b":{}}})", R"({"f:a":{}})", R"({"f:a":{".":{},"f:b":{}}})", "{}",
       R"({"f:a":{"f:b":{}}})", "{}"},
      {R"({"f:a":{}})", R"({"f:a":{"f:b":{}}})", R"({"f:a":{".":{},"f:b":{}}})", "{}",
       R"({"f:a":{}})", R"({"f:a":{}})"},
      {R"({"f:a":{".":{},"f:b":{},"f:c":{}}})", R"({"f:a":{".":{},"f:b":{}}})",
       R"({"f:a":{".":{},"f:b":{},"f:c":{}}})", R"({"f:a":{".":{},"f:b":{}}})",
       R"({"f:a":{"f:c":{}}})", "{}"},
  };
  for (const SetCase& test : kCases) {
    const FieldSet a = Parsed(test.a), b = Parsed(test.b);
    FieldSet united = a, difference = a, recursive = a;
    united.Unite(b);
    difference.Subtract(b);
    recursive.SubtractRecursively(b);
    EXPECT_EQ(united.ToJson(), json::parse(test.united)) << test.a << " " << test.b;
    EXPECT_EQ(a.Intersection(b).ToJson(), json::parse(test.intersection))
        << test.a << " " << test.b;
    EXPECT_EQ(difference.ToJson(), json::parse(test.difference)) << test.a << " " << test.b;
    EXPECT_EQ(recursive.ToJson(), json::parse(test.recursive_difference))
        << test.a << " " << test.b;
  }
}

TEST(FieldSet, HasReportsMembers) {
  const FieldSet set = FieldSet::Of({{"spec", "a"}, {"status"}});
  EXPECT_TRUE(set.Has({PathElement::Field("spec"), PathElement::Field("a")}));
  EXPECT_FALSE(set.Has({PathElement::Field("spec")}));
  EXPECT_FALSE(set.Has({}));
  EXPECT_TRUE(set.Has({PathElement::Field("status")}));
  EXPECT_FALSE(FieldSet::Of({{"a"}}).Empty());
  EXPECT_TRUE(FieldSet().Empty());
}

}  // namespace
}  // namespace berth::apiserver
