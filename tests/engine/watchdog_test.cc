// SPDX-License-Identifier: Apache-2.0
#include "engine/watchdog.h"

#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::seconds;
using ::testing::ElementsAre;

class WatchdogTest : public testing::Test {
 protected:
  WatchdogTest() { watchdog_.Start(); }
  ~WatchdogTest() override { watchdog_.Stop(); }

  bool EventuallyReported(size_t times) {
    return Eventually([&] { return Told().size() == times; });
  }
  std::vector<std::string> Told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }

  FakeClock clock_;
  scheduler::PluginCalls calls_;
  mutable std::mutex mutex_;  // guards told_
  std::vector<std::string> told_;
  Watchdog watchdog_{clock_, calls_, [this](const Stall& stall) {
                       const std::lock_guard lock(mutex_);
                       told_.push_back(stall.plugin + "/" + stall.extension_point + " " +
                                       std::to_string(stall.length / seconds(1)) +
                                       (stall.is_over ? " in all" : " so far"));
                     }};
};

TEST_F(WatchdogTest, ReportsThePluginDuringAndAfterAStall) {
  watchdog_.Begin();
  {
    const scheduler::PluginCalls::Scope scope(calls_.Of("Slow", "Filter"));
    clock_.Advance(Watchdog::kLimit);
    EXPECT_TRUE(EventuallyReported(1));
    clock_.Advance(seconds(7));
  }
  watchdog_.End();
  EXPECT_TRUE(EventuallyReported(2));
  EXPECT_THAT(Told(), ElementsAre("Slow/Filter 5 so far", "Slow/Filter 12 in all"));
}

TEST_F(WatchdogTest, ReportsNoPluginIfNoneIsRunning) {
  watchdog_.Begin();
  clock_.Advance(seconds(6));
  EXPECT_TRUE(EventuallyReported(1));
  watchdog_.Begin();  // the next turn, blocked from its start
  clock_.Advance(seconds(6));
  EXPECT_TRUE(EventuallyReported(3));
  EXPECT_THAT(Told(), ElementsAre("/ 6 so far", "/ 12 in all", "/ 6 so far"));
}

}  // namespace
}  // namespace berth::engine
