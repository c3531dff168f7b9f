// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/system_fields.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

const json kOld = {{"uid", "u"}, {"creationTimestamp", "then"}, {"generation", 3}};

TEST(WipeSystemFields, KeepsFieldsOfTheClient) {
  json metadata = {{"name", "a"},
                   {"generation", 7},
                   {"uid", "mine"},
                   {"selfLink", "/x"},
                   {"labels", {}},
                   {"creationTimestamp", "then"},
                   {"deletionTimestamp", "now"},
                   {"deletionGracePeriodSeconds", 3}};
  WipeSystemFields(metadata);
  EXPECT_EQ(metadata, json({{"name", "a"}, {"generation", 7}, {"labels", {}}}));
}

TEST(KeepSystemFields, CopiesServerFields) {
  json metadata = {{"creationTimestamp", "now"}, {"generation", 9}, {"selfLink", "/x"}};
  KeepSystemFields(kOld, metadata);
  EXPECT_EQ(metadata, kOld);
}

TEST(KeepSystemFields, KeepsFieldsThatValidationRejects) {
  json metadata = {
      {"uid", "other"}, {"deletionTimestamp", "now"}, {"deletionGracePeriodSeconds", 5}};
  KeepSystemFields(kOld, metadata);
  EXPECT_EQ(metadata["uid"], "other");
  EXPECT_EQ(metadata["deletionTimestamp"], "now");
  EXPECT_EQ(metadata["deletionGracePeriodSeconds"], 5);
}

TEST(KeepSystemFields, KeepsDeletionTimestamp) {
  json old = kOld;
  old["deletionTimestamp"] = "soon";
  old["deletionGracePeriodSeconds"] = 30;
  json metadata = {{"deletionTimestamp", nullptr}};
  KeepSystemFields(old, metadata);
  EXPECT_EQ(metadata, old);
}

TEST(VersionOf, ParsesNumberLikeGo) {
  const auto version = [](const char* text) {
    return VersionOf({{"metadata", {{"resourceVersion", text}}}});
  };
  EXPECT_EQ(VersionOf(json::object()).value(), 0U);
  EXPECT_EQ(version("").value(), 0U);
  EXPECT_EQ(version("18446744073709551615").value(), 18446744073709551615U);
  EXPECT_EQ(version("soon").error().message,
            R"(strconv.ParseUint: parsing "soon": invalid syntax)");
  EXPECT_EQ(version("7x").error().code, 500);
  EXPECT_EQ(version("99999999999999999999").error().message,
            R"(strconv.ParseUint: parsing "99999999999999999999": value out of range)");
}

}  // namespace
}  // namespace berth::apiserver
