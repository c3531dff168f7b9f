// SPDX-License-Identifier: Apache-2.0
#include "engine/heartbeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/scheduler_contract.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;

constexpr const char* kLeaseNamespace = "kube-system";
constexpr const char* kLeaseName = "berth-hello";

client::LeaderElectionOptions Options(const std::string& identity) {
  return {.ns = kLeaseNamespace,
          .name = kLeaseName,
          .identity = identity,
          .lease_duration = std::chrono::seconds(2),
          .renew_deadline = std::chrono::milliseconds(1500),
          .retry_period = std::chrono::milliseconds(20)};
}

// One is the part of a scheduler that holds the Lease.
struct One {
  One(client::Client& client, const std::string& identity, const Clock& clock)
      : port(client, kLeaseNamespace, kLeaseName),
        heartbeat(Options(identity), reporting, board, clock, [this](bool now) { held = now; }) {
    heartbeat.Start();
  }

  client::ClientLeasePort port;
  ReportBoard board;
  ReportingLeasePort reporting{port, board};
  std::atomic<bool> held = false;
  Heartbeat heartbeat;
};

class HeartbeatTest : public testing::Test {
 protected:
  // Returns the Lease on the server.
  api::Lease Lease() {
    return memory_.client().Get<api::Lease>(kLeaseNamespace, kLeaseName).value_or(api::Lease{});
  }
  std::string Holder() { return Lease().spec.holder_identity.value_or(""); }

  apiserver::InMemoryServer memory_;
};

TEST_F(HeartbeatTest, CreatesRenewsAndReleasesTheLease) {
  One one(memory_.client(), "host_1", memory_.clock());
  EXPECT_TRUE(Eventually([&] { return one.held.load(); }));
  EXPECT_TRUE(one.heartbeat.MayWrite());
  const api::Lease first = Lease();
  EXPECT_EQ(first.spec.holder_identity, "host_1");
  EXPECT_EQ(first.spec.lease_duration_seconds, 2);
  EXPECT_TRUE(Eventually([&] { return Lease().spec.renew_time != first.spec.renew_time; }));
  EXPECT_EQ(Lease().spec.acquire_time, first.spec.acquire_time);
  one.heartbeat.Stop();
  EXPECT_EQ(Holder(), "");
  EXPECT_FALSE(one.heartbeat.MayWrite());
}

TEST_F(HeartbeatTest, AcquiresAnotherHoldersLeaseAfterItExpires) {
  One first(memory_.client(), "host_1", memory_.clock());
  EXPECT_TRUE(Eventually([&] { return first.held.load(); }));
  One second(memory_.client(), "host_2", memory_.clock());
  const MicroTime renewed = Lease().spec.renew_time.value();
  EXPECT_TRUE(Eventually([&] { return Lease().spec.renew_time != renewed; }));
  EXPECT_FALSE(second.held || second.heartbeat.MayWrite());
  first.heartbeat.Stop();
  EXPECT_TRUE(Eventually([&] { return second.held.load(); }));
  EXPECT_EQ(Holder(), "host_2");
}

// As when leader election is enabled while the only scheduler so far has lost the API server.
TEST_F(HeartbeatTest, PausesWhileAnElectedSchedulerMayHoldTheLease) {
  One lone(memory_.client(), "host_1", memory_.clock());
  EXPECT_TRUE(Eventually([&] { return lone.held.load(); }));
  api::Lease taken = Lease();
  taken.spec.holder_identity = "host_2";
  EXPECT_TRUE(Eventually([&] {
    taken.metadata = Lease().metadata;
    return memory_.client().Update(taken).has_value();
  }));
  EXPECT_TRUE(Eventually([&] { return !lone.held; }));
  EXPECT_FALSE(lone.heartbeat.MayWrite());
  EXPECT_EQ(Holder(), "host_2") << "the Lease is not taken from a holder that may renew it";
  EXPECT_TRUE(Eventually([&] { return lone.held.load(); }))
      << "a holder that does not renew loses the Lease";
  EXPECT_EQ(Holder(), "host_1");
}

TEST_F(HeartbeatTest, DoesNotHoldTheLeaseWhileRenewingFails) {
  One one(memory_.client(), "host_1", memory_.clock());
  EXPECT_TRUE(Eventually([&] { return one.held.load(); }));
  memory_.Inject(R"({"action": "fail", "verb": "update", "resource": "leases"})");
  EXPECT_TRUE(Eventually([&] { return !one.heartbeat.MayWrite(); }));
  EXPECT_TRUE(Eventually([&] { return !one.held; }));
  memory_.server().ClearFaults();
  EXPECT_TRUE(Eventually([&] { return one.held && one.heartbeat.MayWrite(); }));
}

TEST_F(HeartbeatTest, AcquiresAnUnheldLeaseAndKeepsItsOwnerReference) {
  api::Lease made;
  made.metadata.namespace_ = kLeaseNamespace;
  made.metadata.name = kLeaseName;
  made.metadata.owner_references = {
      {.api_version = "berth.dev/v1alpha1", .kind = "SchedulerProfile", .name = "a", .uid = "u"}};
  ASSERT_TRUE(memory_.client().Create(made));
  One one(memory_.client(), "host_1", memory_.clock());
  EXPECT_TRUE(Eventually([&] { return one.held.load(); }));
  EXPECT_EQ(Holder(), "host_1");
  EXPECT_EQ(Lease().metadata.owner_references, made.metadata.owner_references);
}

TEST_F(HeartbeatTest, WritesAndRemovesTheReport) {
  One one(memory_.client(), "host_1", memory_.clock());
  one.board.Set({.applied_hash = "0123",
                 .needs_restart = "leaderElection.leaderElect",
                 .error = "profiles[0]: bad",
                 .rejected_hash = "4567",
                 .metric_sources = "NetworkTraffic: code 500",
                 .absent_kinds = "PodGroups are not known",
                 .pending_pods = 3});
  const auto reported = [this] { return Lease().metadata.annotations; };
  const auto pair = [](std::string_view key, const char* value) {
    return testing::Pair(std::string(key), value);
  };
  EXPECT_TRUE(Eventually([&] { return reported().size() == 8; }));
  EXPECT_THAT(
      reported(),
      testing::UnorderedElementsAre(
          pair(api::kAbsentKindsAnnotation, "PodGroups are not known"),
          pair(api::kAppliedConfigHashAnnotation, "0123"),
          pair(api::kConfigErrorAnnotation, "profiles[0]: bad"),
          pair(api::kConfigErrorHashAnnotation, "4567"),
          pair(api::kConfigNeedsRestartAnnotation, "leaderElection.leaderElect"),
          pair(api::kMetricSourcesAnnotation, "NetworkTraffic: code 500"),
          pair(api::kPendingPodsAnnotation, "3"), pair(api::kReporterAnnotation, "host_1")));
  one.board.Set({.applied_hash = "4567"});
  EXPECT_TRUE(Eventually([&] { return reported().size() == 2; }));
  EXPECT_THAT(reported(), testing::ElementsAre(pair(api::kAppliedConfigHashAnnotation, "4567"),
                                               pair(api::kReporterAnnotation, "host_1")));
  one.heartbeat.Stop();
  EXPECT_EQ(Holder(), "");
  EXPECT_THAT(reported(), testing::Contains(pair(api::kReporterAnnotation, "host_1")))
      << "the report stays";
}

TEST(ReportBoard, WaitReturnsAtOnceIfTheReportHasChanged) {
  ReportBoard board;
  board.Set({.applied_hash = "0123"});
  std::stop_source never;
  board.WaitForChange({}, std::chrono::hours(1), never.get_token());
  EXPECT_EQ(board.Get().applied_hash, "0123");
}

}  // namespace
}  // namespace berth::engine
