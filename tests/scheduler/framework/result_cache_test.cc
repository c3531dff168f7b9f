// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/result_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

class Block final : public Cached {
 public:
  explicit Block(size_t bytes) : bytes(bytes) {}
  size_t Bytes() const override { return bytes; }
  size_t bytes;
};

class ResultCacheTest : public ::testing::Test {
 protected:
  // Reports whether an item with the key was cached.
  bool Use(const std::string& key, size_t bytes = 1000) {
    bool made = false;
    result_cache_.FindOrMake<Block>(key, [&] {
      made = true;
      return std::make_unique<Block>(bytes);
    });
    return !made;
  }

  ResultCache result_cache_{5000};
};

TEST_F(ResultCacheTest, ReturnsCachedItems) {
  EXPECT_FALSE(Use("a"));
  EXPECT_TRUE(Use("a"));
  EXPECT_FALSE(Use("b"));
  EXPECT_EQ(result_cache_.statistics().items, 2u);
}

TEST_F(ResultCacheTest, EvictsTheLeastRecentlyUsedItem) {
  for (const char* key : {"a", "b", "c", "d"}) Use(key);
  result_cache_.Trim();
  EXPECT_EQ(result_cache_.statistics().evictions, 0u);
  Use("a");
  Use("e");
  result_cache_.Trim();
  EXPECT_EQ(result_cache_.statistics().evictions, 1u);
  EXPECT_LE(result_cache_.statistics().bytes, 5000u);
  EXPECT_TRUE(Use("a") && Use("c") && Use("d") && Use("e"));
  EXPECT_FALSE(Use("b"));
}

TEST_F(ResultCacheTest, EvictsNothingDuringAnAttempt) {
  for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h"}) Use(key);
  EXPECT_TRUE(Use("a"));
  result_cache_.Trim();
  EXPECT_EQ(result_cache_.statistics().evictions, 4u);
}

TEST_F(ResultCacheTest, CountsTheGrowthOfItems) {
  result_cache_.FindOrMake<Block>("a", [] { return std::make_unique<Block>(10); });
  result_cache_.Trim();
  const size_t before = result_cache_.statistics().bytes;
  result_cache_.FindOrMake<Block>("a", [] { return std::make_unique<Block>(0); }).bytes = 510;
  result_cache_.Trim();
  EXPECT_EQ(result_cache_.statistics().bytes, before + 500);
}

TEST_F(ResultCacheTest, DoesNotKeepAnItemThatIsTooLarge) {
  Use("large", 6000);
  result_cache_.Trim();
  EXPECT_EQ(result_cache_.statistics().items, 0u);
  EXPECT_EQ(result_cache_.statistics().bytes, 0u);
}

TEST_F(ResultCacheTest, ClearDropsAllItems) {
  Use("a");
  result_cache_.Trim();
  result_cache_.Clear();
  EXPECT_EQ(result_cache_.statistics().bytes, 0u);
  EXPECT_FALSE(Use("a"));
}

}  // namespace
}  // namespace berth::scheduler
