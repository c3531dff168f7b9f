// SPDX-License-Identifier: Apache-2.0
#include "http/timer.h"

#include <future>
#include <vector>

#include <gtest/gtest.h>

#include "http/client/transport.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

TEST(ThreadTimer, RunsCallbacksInOrderOfTime) {
  ThreadTimer timer;
  std::vector<int> order;
  std::promise<void> last;
  timer.After(milliseconds(30), [&] {
    order.push_back(2);
    last.set_value();
  });
  timer.After(milliseconds(0), [&] { order.push_back(1); });
  last.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(ThreadTimer, CanceledCallbackDoesNotRun) {
  ThreadTimer timer;
  bool ran = false;
  std::promise<void> later;
  const Timer::Id id = timer.After(milliseconds(20), [&] { ran = true; });
  timer.Cancel(id);
  timer.After(milliseconds(40), [&] { later.set_value(); });
  later.get_future().wait();
  EXPECT_FALSE(ran);
}

// Every request has a timer, and tens of thousands may be pending. A linear search for each
// canceled timer would take minutes here.
TEST(ThreadTimer, CancelIsFastWithManyPendingTimers) {
  constexpr int kMany = 100'000;
  ThreadTimer timer;
  std::vector<Timer::Id> ids;
  for (int i = 0; i < kMany; ++i) ids.push_back(timer.After(std::chrono::hours(1), [] {}));
  const auto began = std::chrono::steady_clock::now();
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) timer.Cancel(*id);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(ThreadTimer, CancelingTwiceOrTooLateDoesNothing) {
  ThreadTimer timer;
  std::promise<void> ran;
  const Timer::Id first = timer.After(milliseconds(0), [&] { ran.set_value(); });
  ran.get_future().wait();
  timer.Cancel(first);
  std::promise<void> other;
  const Timer::Id second = timer.After(std::chrono::hours(1), [] {});
  timer.After(milliseconds(0), [&] { other.set_value(); });
  timer.Cancel(second);
  timer.Cancel(second);
  other.get_future().wait();
}

TEST(ThreadTimer, CallbacksMustNotBlock) {
  ThreadTimer timer;
  std::promise<bool> allowed;
  timer.After(milliseconds(0), [&] { allowed.set_value(BlockingAllowed()); });
  EXPECT_FALSE(allowed.get_future().get());
  EXPECT_TRUE(BlockingAllowed());
}

TEST(ThreadTimer, DestructorDropsPendingCallbacks) {
  bool ran = false;
  {
    ThreadTimer timer;
    timer.After(std::chrono::hours(1), [&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace berth::http
