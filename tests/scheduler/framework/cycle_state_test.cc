// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/cycle_state.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

struct Count {
  int value = 0;
};
struct Words {
  std::vector<std::string> list;
};

TEST(CycleState, KeepsOneValuePerType) {
  CycleState state;
  EXPECT_EQ(state.Read<Count>(), nullptr);
  state.Write(Count{1});
  state.Write(Words{{"a"}});
  state.Write(Count{2});
  EXPECT_EQ(state.Read<Count>()->value, 2);
  EXPECT_EQ(state.Read<Words>()->list, std::vector<std::string>{"a"});
}

TEST(CycleState, KeepsReasonsOfTheAttempt) {
  CycleState state;
  const VerdictReason reason = state.reasons().Add("volume v-1 is elsewhere");
  CycleState moved = std::move(state);
  EXPECT_EQ(moved.reasons().Add("volume v-1 is elsewhere"), reason);
  EXPECT_EQ(reason.text(), "volume v-1 is elsewhere");
}

}  // namespace
}  // namespace berth::scheduler
