// SPDX-License-Identifier: Apache-2.0
#include "crds/place.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::crds {
namespace {

using Steps = std::vector<json::PathStep>;

std::string KeyedPath(std::string_view document, const Steps& steps) {
  return ProfileJson(document).KeyedPath(steps);
}

TEST(KeyedPath, NamesEntriesByTheirKeys) {
  constexpr std::string_view kProfile =
      R"({"spec": {"deployment": {"env": [{"nam": 1}, {"name": "A\nb", "x": 1}, 5]}}})";
  const auto at = [&](size_t i) {
    return KeyedPath(kProfile, {"spec", "deployment", "env", i, "x"});
  };
  EXPECT_EQ(at(0), "spec.deployment.env[0].x");
  EXPECT_EQ(at(1), R"(spec.deployment.env[name="A\nb"].x)");
  EXPECT_EQ(at(2), "spec.deployment.env[2].x");
}

TEST(KeyedPath, TakesNamesWithBrackets) {
  EXPECT_EQ(KeyedPath(R"({"spec": {"aliases[x]": 1, "aliases": ["a"]}})", {"spec", "aliases[x]"}),
            R"(spec["aliases[x]"])");
}

// The last of two members with one name wins.
TEST(KeyedPath, TakesPathsThatTheDocumentDoesNotHave) {
  constexpr std::string_view kProfile = R"({"spec": {"aliases": [1, 2], "aliases": 3}})";
  EXPECT_EQ(KeyedPath(kProfile, {"spec", "aliases", size_t{1}}), "spec.aliases[1]");
  EXPECT_EQ(KeyedPath(kProfile, {"a", "b", size_t{1}, "c"}), "a.b[1].c");
}

}  // namespace
}  // namespace berth::crds
