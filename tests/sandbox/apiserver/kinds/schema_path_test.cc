// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/schema_path.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

std::string Resolved(std::string_view path, PathNotation notation = PathNotation::kDotsAndKeys) {
  const auto schema = nlohmann::json::parse(R"({"properties": {
      "a": {"properties": {"b.c": {"type": "string"}}},
      "m": {"additionalProperties": {"properties": {"x": {"type": "integer"}}}}}})");
  const auto place = ResolveSchemaPath(schema, path, notation);
  return place ? place->text : "error: " + place.error().message();
}

TEST(ResolveSchemaPath, FollowsPropertiesAndEntries) {
  EXPECT_EQ(Resolved(".a"), "a");
  EXPECT_EQ(Resolved(".a['b.c']"), "a.b.c");
  EXPECT_EQ(Resolved(".m['k'].x"), "m[k].x");
  EXPECT_EQ(Resolved(".m.k.x"), "m[k].x");
  EXPECT_EQ(Resolved(R"(.m['it\'s'])"), "m[it's]");
}

TEST(ResolveSchemaPath, SaysWhatIsWrong) {
  EXPECT_EQ(Resolved("a"), "error: expected [ or . but got: a");
  EXPECT_EQ(Resolved("."), "error: unexpected end of JSON path");
  EXPECT_EQ(Resolved(".z"), "error: does not refer to a valid field");
  EXPECT_EQ(Resolved(".a[b]"), "error: expected single quoted string but got b");
  EXPECT_EQ(Resolved(".m['k'"), "error: unexpected end of JSON path");
  EXPECT_EQ(Resolved(".a['b.c']", PathNotation::kDots), "error: array notation is not allowed");
}

}  // namespace
}  // namespace berth::apiserver
