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

TEST(ThreadTimer, CallbacksMustNotBlock) {
  ThreadTimer timer;
  std::promise<bool> allowed;
  timer.After(milliseconds(0), [&] { allowed.set_value(BlockingAllowed()); });
  EXPECT_FALSE(allowed.get_future().get());
  EXPECT_TRUE(BlockingAllowed());
}

TEST(ThreadTimer, DestructionDropsWhatHasNotBegun) {
  bool ran = false;
  {
    ThreadTimer timer;
    timer.After(std::chrono::hours(1), [&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace berth::http
