// SPDX-License-Identifier: Apache-2.0
#include "client/store.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::client {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreTest : public testing::Test {
 protected:
  void Put(const std::string& ns, const std::string& name) {
    objects_.Put({ns, name}, std::make_shared<const std::string>(ns + "/" + name));
  }
  // Records the visited objects; returns the key to continue from.
  std::optional<StoreKey> Visit(const std::optional<StoreKey>& after, size_t limit) {
    shown_.clear();
    return Store<std::string>(objects_).VisitAfter(
        after, limit, [this](const StoreKey&, const auto& text) { shown_.push_back(*text); });
  }

  AnyStore objects_;
  std::vector<std::string> shown_;
};

TEST_F(StoreTest, VisitAfterReturnsObjectsInOrder) {
  for (const char* name : {"c", "a", "b"}) Put("x", name);
  Put("w", "z");
  auto last = Visit(std::nullopt, 3);
  EXPECT_THAT(shown_, ElementsAre("w/z", "x/a", "x/b"));
  ASSERT_EQ(last, StoreKey("x", "b"));
  objects_.Remove(*last);
  last = Visit(last, 3);
  EXPECT_THAT(shown_, ElementsAre("x/c"));
  EXPECT_EQ(last, std::nullopt);
}

TEST_F(StoreTest, VisitAfterReturnsNulloptAtEnd) {
  EXPECT_EQ(Visit(std::nullopt, 2), std::nullopt);
  EXPECT_THAT(shown_, IsEmpty());
  for (const char* name : {"a", "b"}) Put("x", name);
  EXPECT_EQ(Visit(std::nullopt, 2), std::nullopt);
  EXPECT_THAT(shown_, ElementsAre("x/a", "x/b"));
}

}  // namespace
}  // namespace berth::client
