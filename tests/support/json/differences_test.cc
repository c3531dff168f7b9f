// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json/differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::json {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Differences, NameThePathOfEachDifference) {
  const Json expected = {{"a", 1}, {"b", {1, 2}}, {"c", {{"d", "x"}}}, {"same", true}};
  const Json found = {{"a", 2}, {"b", {1, 2, 3}}, {"c", Json::object()}, {"same", true}};
  EXPECT_THAT(Differences(expected, found, "body"),
              ElementsAre("body.a: 2, expected 1", "body.b.2: 3, expected nothing",
                          "body.c.d: nothing, expected \"x\""));
  EXPECT_THAT(Differences(expected, expected, "body"), IsEmpty());
}

TEST(Differences, DistinguishNullFromAbsent) {
  EXPECT_THAT(Differences({{"a", nullptr}}, Json::object(), "x"),
              ElementsAre("x.a: nothing, expected null"));
}

}  // namespace
}  // namespace berth::json
