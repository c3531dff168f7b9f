// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/in_flight.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

constexpr ClusterEvent kFirst{Resource::kNode, action::kAdd, {}};
constexpr ClusterEvent kSecond{Resource::kNode, action::kDelete, {}};

TEST(InFlight, ReplaysEventsAfterThePod) {
  InFlight flight;
  flight.Record(kFirst, {});  // no pod is in flight
  EXPECT_TRUE(flight.Add("a"));
  flight.Record(kFirst, {});
  EXPECT_TRUE(flight.Add("b"));
  flight.Record(kSecond, {});
  ASSERT_EQ(flight.EventsSince("a").size(), 2u);
  EXPECT_EQ(flight.EventsSince("a")[0]->event, kFirst);
  ASSERT_EQ(flight.EventsSince("b").size(), 1u);
  EXPECT_EQ(flight.EventsSince("b")[0]->event, kSecond);
}

TEST(InFlight, DropsEventsThatNoPodNeeds) {
  InFlight flight;
  flight.Add("a");
  flight.Record(kFirst, {});
  flight.Add("b");
  flight.Record(kSecond, {});
  flight.Done("a");
  EXPECT_EQ(flight.events(), 1u);
  flight.Done("a");
  flight.Done("b");
  EXPECT_EQ(flight.events(), 0u);
  EXPECT_EQ(flight.pods(), 0u);
}

TEST(InFlight, RejectsAPodTwice) {
  InFlight flight;
  EXPECT_TRUE(flight.Add("a"));
  EXPECT_FALSE(flight.Add("a"));
  EXPECT_EQ(flight.pods(), 1u);
}

}  // namespace
}  // namespace berth::scheduler
