// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/nominator.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;

TEST(Nominator, ListsPodsByNodeInOrderOfNomination) {
  Vocabulary words;
  Nominator nominator;
  nominator.Nominate(MakePod("b").Info(words), "n");
  nominator.Nominate(MakePod("a").Info(words), "n");
  ASSERT_EQ(nominator.On("n").size(), 2u);
  EXPECT_EQ(nominator.On("n")[0]->name(), "b");
  EXPECT_TRUE(nominator.On("m").empty());
}

TEST(Nominator, MovesAndRemovesANomination) {
  Vocabulary words;
  Nominator nominator;
  nominator.Nominate(MakePod("a").Info(words), "n");
  nominator.Nominate(MakePod("a").Info(words), "m");
  EXPECT_TRUE(nominator.On("n").empty());
  EXPECT_EQ(nominator.NodeOf("uid-a"), "m");
  nominator.Nominate(MakePod("a").Info(words), "");
  EXPECT_TRUE(nominator.empty());
  nominator.Delete("uid-a");
}

struct UpdateRow {
  std::string before, after, expected;
};

TEST(Nominator, UpdateKeepsANominationWithoutStatus) {
  for (const UpdateRow& row : std::vector<UpdateRow>{
           {"", "", "memory"}, {"", "m", "m"}, {"memory", "", ""}, {"memory", "m", "m"}}) {
    Vocabulary words;
    Nominator nominator;
    nominator.Nominate(MakePod("a").Info(words), "memory");
    nominator.Update(*MakePod("a").Nominated(row.before).Info(words),
                     MakePod("a").Nominated(row.after).Info(words));
    EXPECT_EQ(nominator.NodeOf("uid-a"), row.expected) << row.before << " -> " << row.after;
  }
}

}  // namespace
}  // namespace berth::scheduler
