// SPDX-License-Identifier: Apache-2.0
#include "controllers/difference.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::controllers {
namespace {

struct Case {
  const char* what;
  const char* desired;
  const char* live;
  const char* path;  // "" = no difference
};

class FirstDifferenceOf : public testing::TestWithParam<Case> {};

TEST_P(FirstDifferenceOf, IsThePathOrNothing) {
  const Case& c = GetParam();
  EXPECT_EQ(FirstDifference(c.desired, c.live).value_or(""), c.path) << c.what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, FirstDifferenceOf,
    testing::Values(Case{"equal", R"({"a":1})", R"({"a":1})", ""},
                    Case{"a field of others", R"({"a":1})", R"({"a":1,"b":2})", ""},
                    Case{"another value", R"({"spec":{"replicas":1}})",
                         R"({"spec":{"replicas":3}})", "spec.replicas"},
                    Case{"a missing field", R"({"data":{"x":"1"}})", R"({"data":{}})", "data.x"},
                    Case{"a missing object", R"({"spec":{"a":1}})", R"({})", "spec"},
                    Case{"another type", R"({"a":"1"})", R"({"a":1})", "a"},
                    Case{"a replaced list that is longer", R"({"subjects":[{"name":"a"}]})",
                         R"({"subjects":[{"name":"a"},{"name":"b"}]})", "subjects"},
                    Case{"a replaced list with another order", R"({"args":["a","b"]})",
                         R"({"args":["b","a"]})", "args[0]"},
                    Case{"a sidecar of others", R"({"containers":[{"name":"s","image":"i"}]})",
                         R"({"containers":[{"name":"x"},{"name":"s","image":"i","tty":true}]})",
                         ""},
                    Case{"our container changed", R"({"containers":[{"name":"s","image":"i"}]})",
                         R"({"containers":[{"name":"s","image":"evil"}]})", "containers[0].image"},
                    Case{"our container is gone", R"({"containers":[{"name":"s"}]})",
                         R"({"containers":[{"name":"x"}]})", "containers[0]"},
                    Case{"a key added to a selector", R"({"spec":{"selector":{"app":"a"}}})",
                         R"({"spec":{"selector":{"app":"a","other":"b"}}})", "spec.selector"},
                    Case{"an owner added", R"({"ownerReferences":[{"uid":"1"}]})",
                         R"({"ownerReferences":[{"uid":"2"},{"uid":"1"}]})", ""}));

TEST(MergePatch, TurnsOneIntoTheOther) {
  const char* from = R"({"a":1,"b":{"x":1,"y":2},"c":[1,2],"gone":true})";
  const char* to = R"({"a":1,"b":{"x":1,"y":3,"z":4},"c":[2],"new":"n"})";
  nlohmann::json patched = nlohmann::json::parse(from);
  patched.merge_patch(nlohmann::json::parse(MergePatch(from, to)));
  EXPECT_EQ(patched, nlohmann::json::parse(to));
}

TEST(MergePatch, SaysOnlyWhatDiffers) {
  EXPECT_EQ(MergePatch(R"({"a":1,"b":2})", R"({"a":1,"b":3})"), R"({"b":3})");
  EXPECT_EQ(MergePatch(R"({"a":{"b":1}})", R"({"a":{"b":1}})"), "{}");
}

}  // namespace
}  // namespace berth::controllers
