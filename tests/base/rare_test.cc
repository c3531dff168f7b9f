// SPDX-License-Identifier: Apache-2.0
#include "base/rare.h"

#include <string>

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Rare, IsAbsentAtFirst) {
  Rare<std::string> rare;
  EXPECT_FALSE(rare.has_value());
  EXPECT_EQ(rare.ValueOrDefault(), "");
  EXPECT_LE(sizeof rare, 2 * sizeof(void*));
}

TEST(Rare, ComparesContents) {
  EXPECT_EQ(Rare<std::string>("a"), Rare<std::string>("a"));
  EXPECT_FALSE(Rare<std::string>("a") == Rare<std::string>("b"));
  EXPECT_FALSE(Rare<std::string>("") == Rare<std::string>());
}

TEST(Rare, EditLeavesCopiesAlone) {
  Rare<std::string> first("a");
  Rare<std::string> second = first;
  EXPECT_EQ(&*first, &*second);
  second.Edit() += "b";
  EXPECT_EQ(*first, "a");
  EXPECT_EQ(*second, "ab");
}

TEST(Rare, EditCreatesAbsentContent) {
  Rare<std::string> rare;
  rare.Edit() = "x";
  EXPECT_EQ(*rare, "x");
  rare.emplace();
  EXPECT_EQ(*rare, "");
  rare.reset();
  EXPECT_FALSE(rare);
}

}  // namespace
}  // namespace berth
