// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/defaults.h"

#include <gtest/gtest.h>

#include "sandbox/apiserver/schema/builtin.h"
#include "tests/sandbox/apiserver/schema/thing.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct Case {
  const char* why;
  const char* schema;
  const char* document;
  const char* result;
};

TEST(Default, SetsAbsentFields) {
  const Case kCases[] = {
      {"a property", R"({"properties":{"a":{"type":"string","default":"x"}}})", "{}",
       R"({"a":"x"})"},
      {"not a present value", R"({"properties":{"a":{"type":"string","default":"x"}}})",
       R"({"a":""})", R"({"a":""})"},
      {"fields inside a default",
       R"({"properties":{"o":{"type":"object","default":{},"properties":{"a":{"type":"string","default":"x"}}}}})",
       "{}", R"({"o":{"a":"x"}})"},
      {"nothing in an absent object",
       R"({"properties":{"o":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}})",
       "{}", "{}"},
      {"items of lists",
       R"({"properties":{"l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}})",
       R"({"l":[{},{"a":"y"}]})", R"({"l":[{"a":"x"},{"a":"y"}]})"},
      {"entries of maps",
       R"({"properties":{"m":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}})",
       R"({"m":{"k":{}}})", R"({"m":{"k":{"a":"x"}}})"},
      {"a null that is not allowed", R"({"properties":{"a":{"type":"string","default":"x"}}})",
       R"({"a":null})", R"({"a":"x"})"},
      {"a null without a default goes", R"({"properties":{"a":{"type":"string"}}})",
       R"({"a":null})", "{}"},
      {"a null that is allowed stays",
       R"({"properties":{"a":{"type":"string","nullable":true,"default":"x"}}})", R"({"a":null})",
       R"({"a":null})"},
      {"nulls of items",
       R"({"properties":{"l":{"type":"array","items":{"type":"string","default":"x"}}}})",
       R"({"l":[null]})", R"({"l":["x"]})"},
  };
  for (const Case& test : kCases) {
    const auto schema = ParseResourceSchema(json::parse(test.schema));
    ASSERT_TRUE(schema) << test.why;
    json document = json::parse(test.document);
    Default(**schema, &document);
    EXPECT_EQ(document.dump(), test.result) << test.why;
  }
}

TEST(Default, WritesBuiltInKindsLikeGo) {
  const Schema* role = BuiltinSchemas::Get().FindKind({"rbac.authorization.k8s.io", "v1", "Role"});
  json document = json::parse(R"({"metadata":{"name":"x"}})");
  Default(*role, &document);
  EXPECT_EQ(document.dump(), R"({"metadata":{"name":"x"},"rules":null})");

  const Schema* pod = BuiltinSchemas::Get().FindKind({"", "v1", "Pod"});
  document =
      json::parse(R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":80}]}]}})");
  Default(*pod, &document);
  EXPECT_EQ(
      document.dump(),
      R"({"metadata":{},"spec":{"containers":[{"name":"c","ports":[{"containerPort":80,"protocol":"TCP"}],"resources":{}}]},"status":{}})");
}

TEST(Default, OmitsZeroDefaultsWithOmitempty) {
  const Schema* spec = BuiltinSchemas::Get().Find("io.k8s.api.autoscaling.v1.ScaleSpec");
  ASSERT_NE(spec, nullptr);
  json scale = json::object();
  Default(*spec, &scale);
  EXPECT_EQ(scale, json::object());
}

TEST(EmptyObject, HasFieldsThatGoAlwaysWrites) {
  const Schema* deployment = BuiltinSchemas::Get().FindKind({"apps", "v1", "Deployment"});
  EXPECT_EQ(
      EmptyObject(*deployment).dump(),
      R"({"metadata":{},"spec":{"selector":null,"strategy":{},"template":{"metadata":{},"spec":{"containers":null}}},"status":{}})");
  EXPECT_EQ(EmptyObject(*ThingSchema()).dump(), "{}");
}

}  // namespace
}  // namespace berth::apiserver
