// SPDX-License-Identifier: Apache-2.0
#include "base/work_queue.h"

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

class WorkQueueTest : public testing::Test {
 protected:
  // Takes the next key and finishes it at once; "" if the queue is empty.
  std::string Process() {
    const auto key = queue_.TryGet();
    if (!key) return "";
    queue_.Done(*key);
    return *key;
  }

  FakeClock clock_;
  WorkQueue queue_{clock_};
};

TEST_F(WorkQueueTest, ReturnsEachKeyOnceInOrder) {
  queue_.Add("a");
  queue_.Add("b");
  queue_.Add("a");
  EXPECT_EQ(queue_.ready(), 2U);
  EXPECT_EQ(Process(), "a");
  EXPECT_EQ(Process(), "b");
  EXPECT_EQ(Process(), "");
}

TEST_F(WorkQueueTest, NeverReturnsAKeyThatIsBeingProcessed) {
  queue_.Add("a");
  ASSERT_EQ(queue_.TryGet(), "a");
  queue_.Add("a");
  queue_.Add("a");
  EXPECT_EQ(queue_.TryGet(), std::nullopt);
  queue_.Done("a");
  ASSERT_EQ(queue_.TryGet(), "a") << "added during processing: returned once more";
  queue_.Done("a");
  EXPECT_EQ(queue_.TryGet(), std::nullopt);
}

TEST_F(WorkQueueTest, DelaysKeys) {
  queue_.AddAfter("late", seconds(2));
  queue_.AddAfter("soon", seconds(1));
  queue_.AddAfter("now", seconds(0));
  EXPECT_EQ(queue_.delayed(), 2U);
  EXPECT_EQ(queue_.NextDeadline(), clock_.Now() + seconds(1));
  EXPECT_EQ(Process(), "now");
  EXPECT_EQ(Process(), "");
  clock_.Advance(seconds(1));
  EXPECT_EQ(Process(), "soon");
  EXPECT_EQ(Process(), "");
  clock_.Advance(seconds(5));
  EXPECT_EQ(Process(), "late");
  EXPECT_EQ(queue_.NextDeadline(), std::nullopt);
}

TEST_F(WorkQueueTest, KeepsTheEarlierOfTwoDelays) {
  queue_.AddAfter("a", seconds(5));
  queue_.AddAfter("a", seconds(1));
  queue_.AddAfter("a", seconds(9));
  EXPECT_EQ(queue_.delayed(), 1U);
  EXPECT_EQ(queue_.NextDeadline(), clock_.Now() + seconds(1));
  clock_.Advance(seconds(1));
  EXPECT_EQ(Process(), "a");
  clock_.Advance(seconds(100));
  EXPECT_EQ(Process(), "");
}

TEST_F(WorkQueueTest, AddMakesADelayedKeyReadyAtOnce) {
  queue_.AddAfter("a", seconds(5));
  queue_.Add("a");
  EXPECT_EQ(Process(), "a");
  clock_.Advance(seconds(5));
  EXPECT_EQ(Process(), "a") << "the delayed reconcile still happens";
}

TEST_F(WorkQueueTest, EndlessDelayDoesNotOverflow) {
  queue_.AddAfter("a", nanoseconds::max());
  EXPECT_EQ(queue_.NextDeadline(), SteadyTime::max());
  EXPECT_EQ(Process(), "");
}

TEST_F(WorkQueueTest, BackoffDoublesFromFiveMillisecondsToAThousandSeconds) {
  nanoseconds expected = milliseconds(5);
  for (int failure = 0; failure < 30; ++failure) {
    EXPECT_EQ(queue_.Failures("a"), failure);
    queue_.AddRateLimited("a");
    ASSERT_EQ(queue_.NextDeadline(), clock_.Now() + expected) << "failure " << failure;
    clock_.Advance(expected - nanoseconds(1));
    ASSERT_EQ(Process(), "");
    clock_.Advance(nanoseconds(1));
    ASSERT_EQ(Process(), "a");
    expected = std::min<nanoseconds>(expected * 2, seconds(1000));
  }
  EXPECT_EQ(expected, seconds(1000));
}

TEST_F(WorkQueueTest, ForgetResetsTheBackoff) {
  for (int i = 0; i < 4; ++i) queue_.AddRateLimited("a");
  queue_.AddRateLimited("b");
  queue_.Forget("a");
  EXPECT_EQ(queue_.Failures("a"), 0);
  EXPECT_EQ(queue_.Failures("b"), 1) << "each key has its own backoff";
  clock_.Advance(seconds(1));
  while (!Process().empty()) {
  }
  queue_.AddRateLimited("a");
  EXPECT_EQ(queue_.NextDeadline(), clock_.Now() + milliseconds(5));
}

TEST(WorkQueue, UsesACustomBackoff) {
  FakeClock clock;
  WorkQueue queue(clock, {.first = seconds(3), .limit = seconds(10)});
  for (const int expected : {3, 6, 10, 10}) {
    queue.AddRateLimited("a");
    EXPECT_EQ(queue.NextDeadline(), clock.Now() + seconds(expected));
    clock.Advance(seconds(expected));
    ASSERT_EQ(queue.TryGet(), "a");
    queue.Done("a");
  }
}

TEST_F(WorkQueueTest, ShutDownDropsDelayedKeysAndReturnsReadyOnes) {
  queue_.Add("ready");
  queue_.AddAfter("delayed", seconds(1));
  queue_.ShutDown();
  EXPECT_TRUE(queue_.IsShutDown());
  queue_.Add("refused");
  queue_.AddAfter("refused", seconds(1));
  queue_.AddRateLimited("refused");
  EXPECT_EQ(queue_.delayed(), 0U);
  EXPECT_EQ(queue_.Get(), "ready");
  EXPECT_EQ(queue_.Get(), std::nullopt) << "does not wait";
}

TEST_F(WorkQueueTest, DoneWithoutGetAborts) { EXPECT_DEATH(queue_.Done("a"), "no worker has: a"); }

TEST_F(WorkQueueTest, StuckForIsTheAgeOfTheOldestKeyWithAWorker) {
  ASSERT_EQ(queue_.TryGet(), std::nullopt);
  queue_.Add("a");
  queue_.Add("b");
  ASSERT_EQ(queue_.TryGet(), "a");
  clock_.Advance(seconds(7));
  ASSERT_EQ(queue_.TryGet(), "b");
  clock_.Advance(seconds(1));
  EXPECT_EQ(queue_.StuckFor(), seconds(8)) << "although another worker moves";
  queue_.Done("a");
  EXPECT_EQ(queue_.StuckFor(), seconds(1));
  queue_.Done("b");
  EXPECT_EQ(queue_.StuckFor(), seconds(0));
}

TEST_F(WorkQueueTest, StuckForIsTheTimeWithoutAWorkerForReadyKeys) {
  queue_.Add("before the workers");
  clock_.Advance(seconds(9));
  EXPECT_EQ(queue_.StuckFor(), seconds(0)) << "there are no workers yet";
  Process();
  clock_.Advance(seconds(9));
  queue_.AddAfter("late", seconds(3));
  EXPECT_EQ(queue_.StuckFor(), seconds(0));
  queue_.Add("a");
  queue_.Add("b");
  EXPECT_EQ(queue_.StuckFor(), seconds(0)) << "the empty time before does not count";
  clock_.Advance(seconds(2));
  EXPECT_EQ(queue_.StuckFor(), seconds(2));
  Process();
  EXPECT_EQ(queue_.StuckFor(), seconds(0)) << "b waits, but the workers move";
}

TEST(WorkQueue, GetReturnsAtTheDeadline) {
  const SystemClock clock;
  WorkQueue queue(clock);
  EXPECT_EQ(queue.Get(clock.Now()), std::nullopt);
  queue.Add("a");
  EXPECT_EQ(queue.Get(clock.Now()), "a");
}

TEST(WorkQueue, GetWaitsForADelayedKey) {
  const SystemClock clock;
  WorkQueue queue(clock);
  const SteadyTime start = clock.Now();
  queue.AddAfter("a", milliseconds(2));
  EXPECT_EQ(queue.Get(), "a");
  EXPECT_GE(clock.Now() - start, milliseconds(2));
}

TEST(WorkQueue, ShutDownWakesAllWorkers) {
  const SystemClock clock;
  WorkQueue queue(clock);
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) workers.emplace_back([&] { EXPECT_EQ(queue.Get(), std::nullopt); });
  queue.ShutDown();
  for (std::thread& worker : workers) worker.join();
}

TEST(WorkQueue, SeveralWorkersNeverShareOrLoseAKey) {
  constexpr int kKeys = 20;
  constexpr int kAdds = 200;
  const SystemClock clock;
  WorkQueue queue(clock);
  std::vector<std::atomic<int>> active(kKeys);
  std::vector<std::atomic<int>> wanted(kKeys);
  std::vector<std::atomic<int>> seen(kKeys);
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      while (const auto key = queue.Get()) {
        const auto k = static_cast<size_t>(std::stoi(*key));
        EXPECT_EQ(active[k].fetch_add(1), 0);
        seen[k] = wanted[k].load();
        active[k].fetch_sub(1);
        queue.Done(*key);
      }
    });
  }
  for (int i = 0; i < kAdds; ++i) {
    for (size_t k = 0; k < kKeys; ++k) {
      ++wanted[k];
      queue.Add(std::to_string(k));
    }
  }
  queue.ShutDown();
  for (std::thread& worker : workers) worker.join();
  for (size_t k = 0; k < kKeys; ++k)
    EXPECT_EQ(seen[k], kAdds) << "the last state of a key is processed";
}

}  // namespace
}  // namespace berth
