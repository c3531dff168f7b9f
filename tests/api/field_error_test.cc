// SPDX-License-Identifier: Apache-2.0
#include "api/field_error.h"

#include <array>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(FieldError, FormatsLikeKubernetes) {
  constexpr std::array<std::string_view, 2> kAllowed = {"A", "B"};
  EXPECT_EQ(FieldError::Required("a.b").ToString(), "a.b: Required value");
  EXPECT_EQ(FieldError::Invalid("a", "x\"y", "is odd").ToString(),
            R"(a: Invalid value: "x\"y": is odd)");
  EXPECT_EQ(FieldError::Invalid("a", -1, "must be positive").ToString(),
            "a: Invalid value: -1: must be positive");
  EXPECT_EQ(FieldError::Invalid("a", "", "is empty").ToString(),
            R"(a: Invalid value: "": is empty)");
  EXPECT_EQ(FieldError::InvalidJson("a", "[1]", "no").ToString(), "a: Invalid value: [1]: no");
  EXPECT_EQ(FieldError::Duplicate("a", "x").ToString(), R"(a: Duplicate value: "x")");
  EXPECT_EQ(FieldError::NotSupported("a", "C", kAllowed).ToString(),
            R"(a: Unsupported value: "C": supported values: "A", "B")");
  EXPECT_EQ(FieldError::Forbidden("a", "not here").ToString(), "a: Forbidden: not here");
}

TEST(FieldError, AggregatesLikeKubernetes) {
  const FieldError first = FieldError::Required("a");
  const FieldError second = FieldError::Required("b");
  EXPECT_EQ(Aggregate({}), "");
  EXPECT_EQ(Aggregate(std::array{first}), "a: Required value");
  EXPECT_EQ(Aggregate(std::array{first, second, first}), "[a: Required value, b: Required value]");
}

TEST(FieldError, BuildsPaths) {
  EXPECT_EQ(Child("", "a"), "a");
  EXPECT_EQ(Index(Child("a", "b"), 3), "a.b[3]");
  EXPECT_EQ(Index("", 0), "[0]");
}

}  // namespace
}  // namespace berth::api
