// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/select.h"

#include <gtest/gtest.h>

namespace berth::fidelity {
namespace {

TEST(Select, FollowsFieldsIndicesNamesAndWildcards) {
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
