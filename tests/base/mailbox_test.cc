// SPDX-License-Identifier: Apache-2.0
#include "base/mailbox.h"

#include <functional>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Mailbox, TakeReturnsAllMessagesInOrder) {
  Mailbox<int> box;
  EXPECT_TRUE(box.Post(1));
  EXPECT_TRUE(box.Post(2));
  EXPECT_TRUE(box.Post(3));
  EXPECT_THAT(box.TryTake(), ElementsAre(1, 2, 3));
  EXPECT_THAT(box.TryTake(), IsEmpty());
}

TEST(Mailbox, AcceptsMoveOnlyMessages) {
  Mailbox<std::unique_ptr<int>> box;
  box.Post(std::make_unique<int>(7));
  const auto taken = box.TryTake();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(*taken[0], 7);
}

TEST(Mailbox, TakeReturnsEmptyAtAPastDeadline) {
  Mailbox<int> box;
  EXPECT_THAT(box.Take(std::chrono::steady_clock::now()), IsEmpty());
  box.Post(1);
  EXPECT_THAT(box.Take(std::chrono::steady_clock::now()), ElementsAre(1));
}

TEST(Mailbox, CloseRejectsNewMessagesAndKeepsEarlierOnes) {
  Mailbox<int> box;
  box.Post(1);
  EXPECT_FALSE(box.IsDrained());
  box.Close();
  EXPECT_FALSE(box.Post(2));
  EXPECT_FALSE(box.IsDrained());
  EXPECT_THAT(box.Take(SteadyTime::max()), ElementsAre(1));
  EXPECT_TRUE(box.IsDrained());
  EXPECT_THAT(box.Take(SteadyTime::max()), IsEmpty()) << "a closed mailbox does not wait";
}

TEST(Mailbox, PostWakesAWaitingConsumer) {
  Mailbox<std::function<int()>> box;
  std::thread producer([&] { box.Post([] { return 42; }); });
  const auto taken = box.Take(SteadyTime::max());
  producer.join();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0](), 42);
}

TEST(Mailbox, CloseWakesAWaitingConsumer) {
  Mailbox<int> box;
  std::thread closer([&] { box.Close(); });
  EXPECT_THAT(box.Take(SteadyTime::max()), IsEmpty());
  closer.join();
}

TEST(Mailbox, KeepsTheOrderOfEachProducerAndLosesNoMessage) {
  constexpr int kProducers = 4;
  constexpr int kMessages = 5000;
  Mailbox<std::pair<int, int>> box;
  std::vector<std::thread> producers;
  for (int producer = 0; producer < kProducers; ++producer) {
    producers.emplace_back([&box, producer] {
      for (int i = 0; i < kMessages; ++i) box.Post({producer, i});
    });
  }
  std::vector<int> next(kProducers, 0);
  for (int received = 0; received < kProducers * kMessages;) {
    for (const auto& [producer, i] : box.Take(SteadyTime::max())) {
      ASSERT_EQ(i, next[static_cast<size_t>(producer)]++);
      ++received;
    }
  }
  for (std::thread& producer : producers) producer.join();
  EXPECT_THAT(box.TryTake(), IsEmpty());
}

}  // namespace
}  // namespace berth
