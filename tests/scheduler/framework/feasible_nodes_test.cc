// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/feasible_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;

TEST(FeasibleNodes, ListIsBuiltOnceOnFirstUse) {
  int lists = 0;
  const FeasibleNodes nodes(2, [&] {
    ++lists;
    return std::vector<Slot>{7, 3};
  });
  EXPECT_EQ(nodes.size(), 2u);
  EXPECT_FALSE(nodes.empty());
  EXPECT_EQ(lists, 0);
  EXPECT_THAT(nodes.slots(), ElementsAre(7, 3));
  EXPECT_THAT(nodes.slots(), ElementsAre(7, 3));
  EXPECT_EQ(lists, 1);
}

TEST(FeasibleNodes, MayBeCreatedFromAList) {
  EXPECT_TRUE(FeasibleNodes().empty());
  EXPECT_THAT(FeasibleNodes({4, 5}).slots(), ElementsAre(4, 5));
}

}  // namespace
}  // namespace berth::scheduler
