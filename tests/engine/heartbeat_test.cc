// SPDX-License-Identifier: Apache-2.0
#include "engine/heartbeat.h"

#include <optional>

#include <gtest/gtest.h>

#include "api/scheduler_contract.h"
#include "tests/support/apiserver/in_memory_server.h"

namespace berth::engine {
namespace {

const HeartbeatOptions kOptions{.ns = "kube-system", .name = "berth-hello", .identity = "host_1"};

class HeartbeatTest : public testing::Test {
 protected:
  // Lease is what the server holds.
  api::Lease Lease() { return port_.Get().value(); }

  apiserver::InMemoryServer memory_;
  client::ClientLeasePort port_{memory_.client(), kOptions.ns, kOptions.name};
};

TEST_F(HeartbeatTest, CreatesTheLeaseAndRenewsIt) {
  ASSERT_TRUE(WriteHeartbeat(kOptions, port_, Time::FromUnixSeconds(100)));
  EXPECT_EQ(Lease().metadata.name, "berth-hello");
  EXPECT_EQ(Lease().spec.holder_identity, "host_1");
  EXPECT_EQ(Lease().spec.lease_transitions, 0);
  EXPECT_EQ(Lease().spec.lease_duration_seconds, 15);

  ASSERT_TRUE(WriteHeartbeat(kOptions, port_, Time::FromUnixSeconds(102)));
  EXPECT_EQ(Lease().spec.renew_time, MicroTime(Time::FromUnixSeconds(102)));
  EXPECT_EQ(Lease().spec.acquire_time, MicroTime(Time::FromUnixSeconds(100)));
  EXPECT_EQ(Lease().spec.lease_transitions, 0);
}

TEST_F(HeartbeatTest, CountsATransitionWhenAnotherHeldIt) {
  api::Lease other;
  other.spec.holder_identity = "host_0";
  other.spec.lease_transitions = 4;
  ASSERT_TRUE(port_.Create(other));
  ASSERT_TRUE(WriteHeartbeat(kOptions, port_, Time::FromUnixSeconds(100)));
  EXPECT_EQ(Lease().spec.holder_identity, "host_1");
  EXPECT_EQ(Lease().spec.lease_transitions, 5);
}

TEST_F(HeartbeatTest, WritesTheReportAndTakesItBack) {
  ConfigReportBoard board;
  ReportingLeasePort port(port_, board);
  board.Set({.applied_hash = "0123",
             .needs_restart = "leaderElection.leaderElect",
             .error = "profiles[0]: bad"});
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(100)));
  EXPECT_EQ(Lease().metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)], "0123");
  EXPECT_EQ(Lease().metadata.annotations[std::string(api::kConfigErrorAnnotation)],
            "profiles[0]: bad");
  EXPECT_EQ(Lease().metadata.annotations[std::string(api::kConfigNeedsRestartAnnotation)],
            "leaderElection.leaderElect");

  board.Set({.applied_hash = "4567"});
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(102)));
  EXPECT_EQ(Lease().metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)], "4567");
  EXPECT_FALSE(Lease().metadata.annotations.contains(std::string(api::kConfigErrorAnnotation)));
  EXPECT_FALSE(
      Lease().metadata.annotations.contains(std::string(api::kConfigNeedsRestartAnnotation)));
}

TEST(ConfigReportBoard, AWaitEndsAtOnceWhenTheReportChangedBefore) {
  ConfigReportBoard board;
  board.Set({.applied_hash = "0123"});
  std::stop_source never;
  board.WaitForChange({}, SteadyTime::max(), never.get_token());
  EXPECT_EQ(board.Get().applied_hash, "0123");
}

}  // namespace
}  // namespace berth::engine
