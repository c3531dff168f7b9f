// SPDX-License-Identifier: Apache-2.0
#include "engine/heartbeat.h"

#include <optional>

#include <gtest/gtest.h>

#include "api/scheduler_contract.h"

namespace berth::engine {
namespace {

class FakeLeasePort final : public client::LeasePort {
 public:
  Result<api::Lease> Get() override {
    if (!lease) return Fail(Reason::kNotFound, "no such Lease");
    return *lease;
  }
  Result<api::Lease> Create(const api::Lease& created) override { return *(lease = created); }
  Result<api::Lease> Update(const api::Lease& updated) override { return *(lease = updated); }

  std::optional<api::Lease> lease;
};

const HeartbeatOptions kOptions{.ns = "berth-system", .name = "berth-hello", .identity = "host_1"};

TEST(WriteHeartbeat, CreatesTheLeaseAndRenewsIt) {
  FakeLeasePort port;
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(100)));
  EXPECT_EQ(port.lease->metadata.name, "berth-hello");
  EXPECT_EQ(port.lease->spec.holder_identity, "host_1");
  EXPECT_EQ(port.lease->spec.lease_transitions, 0);
  EXPECT_EQ(port.lease->spec.lease_duration_seconds, 15);

  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(102)));
  EXPECT_EQ(port.lease->spec.renew_time, MicroTime(Time::FromUnixSeconds(102)));
  EXPECT_EQ(port.lease->spec.acquire_time, MicroTime(Time::FromUnixSeconds(100)));
  EXPECT_EQ(port.lease->spec.lease_transitions, 0);
}

TEST(WriteHeartbeat, CountsATransitionWhenAnotherHeldIt) {
  FakeLeasePort port;
  port.lease.emplace();
  port.lease->spec.holder_identity = "host_0";
  port.lease->spec.lease_transitions = 4;
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(100)));
  EXPECT_EQ(port.lease->spec.holder_identity, "host_1");
  EXPECT_EQ(port.lease->spec.lease_transitions, 5);
}

TEST(ReportingLeasePort, WritesTheReportAndTakesItBack) {
  FakeLeasePort inner;
  ConfigReportBoard board;
  ReportingLeasePort port(inner, board);
  board.Set({.applied_hash = "0123", .error = "profiles[0]: bad"});
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(100)));
  EXPECT_EQ(inner.lease->metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)],
            "0123");
  EXPECT_EQ(inner.lease->metadata.annotations[std::string(api::kConfigErrorAnnotation)],
            "profiles[0]: bad");

  board.Set({.applied_hash = "4567"});
  ASSERT_TRUE(WriteHeartbeat(kOptions, port, Time::FromUnixSeconds(102)));
  EXPECT_EQ(inner.lease->metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)],
            "4567");
  EXPECT_FALSE(
      inner.lease->metadata.annotations.contains(std::string(api::kConfigErrorAnnotation)));
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
