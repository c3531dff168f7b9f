// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ChangeLogTest : public ::testing::Test {
 protected:
  ChangeLogTest() { log_.Resize(4); }
  std::vector<Slot> Since(EpochSet epochs, uint64_t generation) const {
    std::vector<Slot> slots;
    log_.Since(epochs, generation, slots);
    return slots;
  }
  // Records more changes of slot 3's pods than the ring holds.
  void Bury() {
    for (int i = 0; i < 10'000; ++i) log_.Touch(3, Epoch::kNodePods);
  }

  ChangeLog log_;
};

TEST_F(ChangeLogTest, ListsSlotsThatChangedAfterAGeneration) {
  log_.Touch(0, Epoch::kNodeObject);
  const uint64_t then = log_.generation();
  log_.Touch(2, Epoch::kNodeObject);
  log_.Touch(1, Epoch::kNodePods);
  EXPECT_THAT(Since({Epoch::kNodeObject, Epoch::kNodePods}, then), ElementsAre(2, 1));
  EXPECT_THAT(Since({Epoch::kNodePods}, then), ElementsAre(1));
  EXPECT_THAT(Since({Epoch::kNodePods}, log_.generation()), IsEmpty());
}

TEST_F(ChangeLogTest, ComparesAllSlotsForAnOldGeneration) {
  log_.Touch(0, Epoch::kNodePods);
  const uint64_t then = log_.generation();
  log_.Touch(2, Epoch::kNodeObject);
  log_.Touch(1, Epoch::kNodePods);
  Bury();
  EXPECT_THAT(Since({Epoch::kNodeObject, Epoch::kNodePods}, then), UnorderedElementsAre(1, 2, 3));
  EXPECT_THAT(Since({Epoch::kNodeObject}, then), ElementsAre(2));
}

TEST_F(ChangeLogTest, ClusterEpochsListNoSlot) {
  const uint64_t then = log_.generation();
  log_.Touch(Epoch::kNamespaces);
  EXPECT_GT(log_.Of(Epoch::kNamespaces), then);
  EXPECT_EQ(log_.Of(Epoch::kOrder), 0u);
  EXPECT_THAT(Since({Epoch::kNamespaces, Epoch::kNodeObject}, then), IsEmpty());
}

TEST_F(ChangeLogTest, EachChangeGetsANewGeneration) {
  log_.Touch(0, Epoch::kNodeObject);
  log_.Touch(0, Epoch::kNodePods);
  log_.Touch(Epoch::kNamespaces);
  EXPECT_LT(log_.Of(0, Epoch::kNodeObject), log_.Of(0, Epoch::kNodePods));
  EXPECT_LT(log_.Of(0, Epoch::kNodePods), log_.Of(Epoch::kNamespaces));
  EXPECT_EQ(log_.Of(Epoch::kNamespaces), log_.generation());
}

}  // namespace
}  // namespace berth::scheduler
