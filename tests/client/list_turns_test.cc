// SPDX-License-Identifier: Apache-2.0
#include "client/list_turns.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace berth::client {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(ListTurns, SerializesTurns) {
  ListTurns turns{hours(1)};
  std::atomic<int> inside = 0, most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&](const std::stop_token&) {
        for (int round = 0; round < 200; ++round) {
          const ListTurns::Turn turn(turns, {});
          if (const int now = ++inside; now > most) most = now;
          std::this_thread::yield();
          --inside;
        }
      });
    }
  }
  EXPECT_EQ(most, 1);
}

TEST(ListTurns, LongTurnDoesNotBlockNextTurn) {
  ListTurns turns{milliseconds(1)};
  const ListTurns::Turn first(turns, {});
  const ListTurns::Turn second(turns, {});  // otherwise the test hangs
}

TEST(ListTurns, StopEndsWait) {
  ListTurns turns{hours(1)};
  const ListTurns::Turn first(turns, {});
  std::stop_source stop;
  stop.request_stop();
  const ListTurns::Turn second(turns, stop.get_token());  // otherwise the test hangs
}

}  // namespace
}  // namespace berth::client
