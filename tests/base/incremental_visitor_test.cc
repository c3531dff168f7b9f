// SPDX-License-Identifier: Apache-2.0
#include "base/incremental_visitor.h"

#include <set>
#include <unordered_map>

#include <gtest/gtest.h>

namespace berth {
namespace {

class IncrementalVisitorTest : public testing::Test {
 protected:
  bool Step(size_t count) {
    return pieces_.Step(map_, count, [this](const auto& entry) { seen_.insert(entry.first); });
  }
  std::set<int> Keys() const {
    std::set<int> keys;
    for (const auto& [key, value] : map_) keys.insert(key);
    return keys;
  }

  std::unordered_map<int, int> map_;
  IncrementalVisitor pieces_;
  std::set<int> seen_;
};

TEST_F(IncrementalVisitorTest, VisitsAllElementsInStepsAndStartsOver) {
  for (int i = 0; i < 1000; ++i) map_[i] = i;
  for (int round = 0; round < 2; ++round) {
    seen_.clear();
    int steps = 1;
    while (!Step(10)) ++steps;
    EXPECT_EQ(seen_, Keys());
    EXPECT_GT(steps, 50);
  }
}

TEST_F(IncrementalVisitorTest, EmptyMapTakesOneStep) { EXPECT_TRUE(Step(10)); }

TEST_F(IncrementalVisitorTest, VisitsPersistentElementsWhileTheMapGrowsAndShrinks) {
  for (int i = 0; i < 100; ++i) map_[i] = i;
  int next = 100;
  for (bool is_through = false; !is_through;) {
    is_through = Step(7);
    if (next < 2000) {
      for (int i = 0; i < 30; ++i, ++next) map_[next] = next;
    }
    map_.erase(next - 5);
  }
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen_.contains(i)) << i;
}

}  // namespace
}  // namespace berth
