// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/normalise.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "base/time.h"

namespace berth::fidelity {
namespace {

constexpr const char* kOne = "11111111-2222-3333-4444-555555555555";
constexpr const char* kTwo = "99999999-2222-3333-4444-555555555555";

class NormaliserTest : public testing::Test {
 protected:
  Json Of(Json body) { return normaliser_.Values(normaliser_.Whole(std::move(body))); }

  Normaliser normaliser_{"f-case"};
};

TEST_F(NormaliserTest, NumbersUidsAndVersionsInOrderOfAppearance) {
  const auto object = [](const char* uid, const char* version) {
    return Json{{"metadata", {{"uid", uid}, {"resourceVersion", version}}}};
  };
  EXPECT_EQ(Of(object(kTwo, "30")), object("<uid 1>", "<version 1>"));
  EXPECT_EQ(Of(object(kOne, "20")), object("<uid 2>", "<version 2>"));
  EXPECT_EQ(Of(object(kTwo, "20")), object("<uid 1>", "<version 2>"));
}

TEST_F(NormaliserTest, FindsUidsVersionsAndTheNamespaceInMessages) {
  EXPECT_EQ(Of("the UID in the precondition (" + std::string(kOne) + ") of f-case-b"),
            "the UID in the precondition (<uid 1>) of <ns>-b");
  EXPECT_EQ(Of("too old resource version: 1 (77)"), "too old resource version: 1 (<version>)");
  EXPECT_EQ(Of("Too large resource version: 999, current: 12"),
            "Too large resource version: 999, current: <version>");
}

TEST_F(NormaliserTest, HidesTimesOfThisRunAndKeepsThoseOfTheCase) {
  const std::string now = Time(std::chrono::system_clock::now()).ToString();
  EXPECT_EQ(Of({{"at", now}}), Json({{"at", "<time>"}}));
  EXPECT_EQ(Of({{"at", "2020-01-01T00:00:00Z"}}), Json({{"at", "2020-01-01T00:00:00Z"}}));
}

TEST_F(NormaliserTest, ReplacesGeneratedNamesInLaterAnswers) {
  const Json made = {{"metadata", {{"generateName", "web-"}, {"name", "web-x7zq2"}}}};
  EXPECT_EQ(Of(made)["metadata"]["name"], "web-<suffix>");
  EXPECT_EQ(Of("pods \"web-x7zq2\" not found"), "pods \"web-<suffix>\" not found");
}

TEST_F(NormaliserTest, DoesNotNumberTheVersionOfAList) {
  const Json list = {{"items", Json::array()},
                     {"metadata", {{"resourceVersion", "12"}, {"continue", "abc"}}}};
  const Json expected = {{"resourceVersion", "<version>"}, {"continue", "<continue>"}};
  EXPECT_EQ(Of(list)["metadata"], expected);
  const Json bookmark = {{"type", "BOOKMARK"},
                         {"object", {{"metadata", {{"resourceVersion", "13"}}}}}};
  EXPECT_EQ(Of(bookmark)["object"]["metadata"]["resourceVersion"], "<version>");
}

TEST_F(NormaliserTest, HidesAgesInTables) {
  const Json table = {{"rows", {{{"cells", {"a", "3s", "2/3", "12s3"}}}}}};
  EXPECT_EQ(Of(table)["rows"][0]["cells"], Json({"a", "<age>", "2/3", "12s3"}));
}

TEST_F(NormaliserTest, SortsManagersAndWritesFieldSetsAsText) {
  const Json object = {
      {"managedFields",
       {{{"manager", "two"}, {"operation", "Update"}, {"fieldsV1", {{"f:a", Json::object()}}}},
        {{"manager", "one"}, {"operation", "Update"}}}}};
  const Json expected = {
      {{"manager", "one"}, {"operation", "Update"}},
      {{"manager", "two"}, {"operation", "Update"}, {"fieldsV1", R"({"f:a":{}})"}}};
  EXPECT_EQ(Of(object)["managedFields"], expected);
}

TEST_F(NormaliserTest, RemovesObjectFromPatchError) {
  EXPECT_EQ(Of(R"(patch: Invalid value: "{\"apiVersion\":\"v1\",\"data\":{\"k\":5}}": not text)"),
            R"(patch: Invalid value: "<object>": not text)");
}

TEST_F(NormaliserTest, HidesTokens) {
  EXPECT_EQ(Of("eyJhbGciOi.eyJhdWQiO.c2ln-_"), "<token>");
  EXPECT_EQ(Of("eyJ is no token"), "eyJ is no token");
}

}  // namespace
}  // namespace berth::fidelity
