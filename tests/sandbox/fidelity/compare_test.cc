// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/fidelity/select.h"

namespace berth::fidelity {
namespace {

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

TEST(Differences, TellNullFromNothing) {
  EXPECT_THAT(Differences({{"a", nullptr}}, Json::object(), "x"),
              ElementsAre("x.a: nothing, expected null"));
}

TEST(Select, FollowsFieldsIndicesNamesAndAll) {
  const Json document = Json::parse(R"({"items": [
      {"metadata": {"name": "a", "labels": {"x.io/y": "1"}}},
      {"metadata": {"name": "b"}}]})");
  EXPECT_EQ(Select(document, "items.1.metadata.name"), "b");
  EXPECT_EQ(Select(document, "items.*.metadata.name"), Json({"a", "b"}));
  EXPECT_EQ(Select(document, "items.[metadata.name=a].metadata.labels.[x.io/y]"), "1");
  EXPECT_EQ(Select(document, "items.[metadata.name=c]"), nullptr);
  EXPECT_EQ(Select(document, "items.2.metadata"), nullptr);
  EXPECT_EQ(Select(document, "items.name"), nullptr);
}

}  // namespace
}  // namespace berth::fidelity
