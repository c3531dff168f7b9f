// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/tables/json_path.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

json First(const char* path) {
  static const json kDocument = json::parse(
      R"({"a": {"b.c": 1, "list": [{"type": "Ready", "s": "x]"}, {"type": "Z", "s": 2}]}})");
  const auto found = FindJsonPath(kDocument, path);
  return found.empty() ? json("nothing") : *found[0];
}

TEST(FindJsonPath, FollowsFieldsIndicesAndFilters) {
  EXPECT_EQ(First(".a['b.c']"), 1);
  EXPECT_EQ(First(".a.b\\.c"), 1);
  EXPECT_EQ(First(".a.list[1].s"), 2);
  EXPECT_EQ(First(".a.list[-1].s"), 2);
  EXPECT_EQ(First(".a.list[?(@.type==\"Ready\")].s"), "x]");
  EXPECT_EQ(First(".a.list[?(@.type!=\"Ready\")].s"), 2);
  EXPECT_EQ(First(".a.list[?(@.s==\"x]\")].type"), "Ready");
  EXPECT_EQ(First(".a.none"), "nothing");
  EXPECT_EQ(First(".a.list[7]"), "nothing");
  EXPECT_EQ(First(".a.list[?(@.type"), "nothing");
}

}  // namespace
}  // namespace berth::apiserver
