// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/reuse.h"

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

class ReuseTest : public ::testing::Test {
 protected:
  // Says whether something was cached under the key.
  bool Use(const std::string& key, size_t bytes = 1000) {
    bool made = false;
    reuse_.FindOrMake<Block>(key, [&] {
      made = true;
      return std::make_unique<Block>(bytes);
    });
    return !made;
  }

  Reuse reuse_{5000};
};

TEST_F(ReuseTest, GivesWhatItHas) {
  EXPECT_FALSE(Use("a"));
  EXPECT_TRUE(Use("a"));
  EXPECT_FALSE(Use("b"));
  EXPECT_EQ(reuse_.statistics().items, 2u);
}

TEST_F(ReuseTest, GivesUpWhatWasUsedLongestAgo) {
  for (const char* key : {"a", "b", "c", "d"}) Use(key);
  reuse_.Trim();
  EXPECT_EQ(reuse_.statistics().evictions, 0u);
  Use("a");
  Use("e");
  reuse_.Trim();
  EXPECT_EQ(reuse_.statistics().evictions, 1u);
  EXPECT_LE(reuse_.statistics().bytes, 5000u);
  EXPECT_TRUE(Use("a") && Use("c") && Use("d") && Use("e"));
  EXPECT_FALSE(Use("b"));
}

TEST_F(ReuseTest, NothingIsGivenUpDuringAnAttempt) {
  for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h"}) Use(key);
  EXPECT_TRUE(Use("a"));
  reuse_.Trim();
  EXPECT_EQ(reuse_.statistics().evictions, 4u);
}

TEST_F(ReuseTest, CountsWhatGrewSinceItWasMade) {
  reuse_.FindOrMake<Block>("a", [] { return std::make_unique<Block>(10); });
  reuse_.Trim();
  const size_t before = reuse_.statistics().bytes;
  reuse_.FindOrMake<Block>("a", [] { return std::make_unique<Block>(0); }).bytes = 510;
  reuse_.Trim();
  EXPECT_EQ(reuse_.statistics().bytes, before + 500);
}

TEST_F(ReuseTest, OneThingThatIsTooLargeIsNotKept) {
  Use("large", 6000);
  reuse_.Trim();
  EXPECT_EQ(reuse_.statistics().items, 0u);
  EXPECT_EQ(reuse_.statistics().bytes, 0u);
}

TEST_F(ReuseTest, ClearForgetsEverything) {
  Use("a");
  reuse_.Trim();
  reuse_.Clear();
  EXPECT_EQ(reuse_.statistics().bytes, 0u);
  EXPECT_FALSE(Use("a"));
}

}  // namespace
}  // namespace berth::scheduler
