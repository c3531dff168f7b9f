// SPDX-License-Identifier: Apache-2.0
#include "client/leader_election.h"

#include <atomic>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/http/stub_server.h"

namespace berth::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// FakeLease plays the API server: one lease with optimistic locking.
class FakeLease final : public LeasePort {
 public:
  Result<api::Lease> Get() override {
    std::lock_guard lock(mutex);
    if (away) return Fail(Reason::kUnavailable, "away");
    if (!lease) return Fail(Error(Reason::kNotFound, "no lease").set_http_code(404));
    return *lease;
  }
  Result<api::Lease> Create(const api::Lease& wanted) override {
    std::lock_guard lock(mutex);
    if (away) return Fail(Reason::kUnavailable, "away");
    if (lease) return Fail(Error(Reason::kAlreadyExists, "exists").set_http_code(409));
    return Store(wanted);
  }
  Result<api::Lease> Update(const api::Lease& wanted) override {
    std::lock_guard lock(mutex);
    if (away) return Fail(Reason::kUnavailable, "away");
    if (!lease || lease->metadata.resource_version != wanted.metadata.resource_version) {
      return Fail(Error(Reason::kConflict, "changed").set_http_code(409));
    }
    return Store(wanted);
  }
  // Somebody else writes.
  void Take(const std::string& identity) {
    std::lock_guard lock(mutex);
    api::Lease other = lease.value_or(api::Lease{});
    other.spec.holder_identity = identity;
    other.spec.lease_duration_seconds = 15;
    Store(other);
  }
  std::string Holder() {
    std::lock_guard lock(mutex);
    return lease ? lease->spec.holder_identity.value_or("") : "<no lease>";
  }

  std::mutex mutex;  // guards all below
  std::optional<api::Lease> lease;
  std::atomic<bool> away = false;
  std::atomic<int> writes = 0;

 private:
  Result<api::Lease> Store(api::Lease wanted) {
    wanted.metadata.resource_version = std::to_string(++writes);
    lease = std::move(wanted);
    return *lease;
  }
};

class LeaderElectorTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  FakeLease port_;
  LeaderElector elector_{{.ns = "kube-system", .name = "batch", .identity = "me"}, port_, clock_};
};

TEST_F(LeaderElectorTest, CreatesAMissingLease) {
  const SteadyTime start = clock_.Now();
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(elector_.holder(), "me");
  EXPECT_EQ(elector_.HoldsUntil(), start + seconds(15));
  EXPECT_EQ(port_.lease->spec.lease_transitions, 0);
  EXPECT_EQ(port_.lease->spec.lease_duration_seconds, 15);
  EXPECT_EQ(port_.lease->spec.acquire_time, MicroTime(clock_.Wall()));
}

TEST_F(LeaderElectorTest, RenewingKeepsTheTimeOfAcquisition) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  const auto acquired = port_.lease->spec.acquire_time;
  clock_.Advance(seconds(2));
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(port_.lease->spec.acquire_time, acquired);
  EXPECT_EQ(port_.lease->spec.renew_time, MicroTime(clock_.Wall()));
  EXPECT_EQ(port_.lease->spec.lease_transitions, 0);
}

TEST_F(LeaderElectorTest, WaitsForALeaseThatStandsStillByItsOwnClock) {
  port_.Take("other");
  // The other's timestamps are long past; only the lack of change counts.
  port_.lease->spec.renew_time = MicroTime(clock_.Wall() - std::chrono::hours(5));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(14));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(1));
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(port_.lease->spec.lease_transitions, 1);
}

TEST_F(LeaderElectorTest, AnyChangeBeginsTheWaitAnew) {
  port_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(10));
  port_.lease->spec.renew_time = MicroTime(clock_.Wall());
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(14));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, JumpsOfTheTimeOfDayMeanNothing) {
  port_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.JumpWall(std::chrono::hours(1));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, TakesAReleasedLeaseAtOnce) {
  port_.Take("");
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, LosesALeaseThatAnotherTook) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  port_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(elector_.HoldsUntil(), SteadyTime{});
  EXPECT_EQ(elector_.holder(), "other");
}

TEST_F(LeaderElectorTest, IsLostWhenTheServerIsAwayTooLong) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  const SteadyTime until = elector_.HoldsUntil();
  port_.away = true;
  clock_.Advance(milliseconds(9'999));
  EXPECT_FALSE(elector_.TryAcquireOrRenew());
  EXPECT_FALSE(elector_.IsLost());
  EXPECT_EQ(elector_.HoldsUntil(), until) << "a failed write extends nothing";
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(elector_.IsLost());
}

TEST_F(LeaderElectorTest, ReleaseHandsTheLeaseOver) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  ASSERT_TRUE(elector_.Release());
  EXPECT_EQ(port_.Holder(), "");
  EXPECT_EQ(port_.lease->spec.lease_duration_seconds, 1);
  EXPECT_EQ(elector_.HoldsUntil(), SteadyTime{});
  LeaderElector next({.identity = "next"}, port_, clock_);
  EXPECT_TRUE(*next.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, ReleaseLeavesTheLeaseOfOthersAlone) {
  port_.Take("other");
  ASSERT_FALSE(*elector_.TryAcquireOrRenew());
  ASSERT_TRUE(elector_.Release());
  EXPECT_EQ(port_.Holder(), "other");
}

LeaderElectionOptions Fast(const std::string& identity) {
  return {.name = "batch",
          .identity = identity,
          .renew_deadline = milliseconds(100),
          .retry_period = milliseconds(5),
          .random = [] { return 0.5; }};
}

TEST(LeaderElection, LeadsRenewsAndReleases) {
  SystemClock clock;
  FakeLease port;
  std::atomic<bool> started = false, lost = false;
  LeaderElection election(Fast("me"), port, clock,
                          {.on_started = [&] { started = true; }, .on_lost = [&] { lost = true; }});
  EXPECT_FALSE(election.MayWrite());
  election.Start();
  EXPECT_TRUE(http::Eventually([&] { return started && port.writes > 3; }));
  EXPECT_TRUE(election.IsLeader());
  EXPECT_TRUE(election.MayWrite());
  election.Stop();
  EXPECT_EQ(port.Holder(), "");
  EXPECT_FALSE(election.IsLeader());
  EXPECT_FALSE(election.MayWrite());
  EXPECT_FALSE(lost);
}

TEST(LeaderElection, SaysWhenItLost) {
  SystemClock clock;
  FakeLease port;
  std::atomic<bool> lost = false;
  LeaderElection election(Fast("me"), port, clock, {.on_lost = [&] { lost = true; }});
  election.Start();
  ASSERT_TRUE(http::Eventually([&] { return election.IsLeader(); }));
  port.away = true;
  EXPECT_TRUE(http::Eventually([&] { return lost.load(); }));
  EXPECT_FALSE(election.IsLeader());
}

TEST(LeaderElection, OnlyOneOfTwoLeads) {
  SystemClock clock;
  FakeLease port;
  LeaderElection first(Fast("first"), port, clock, {});
  first.Start();
  ASSERT_TRUE(http::Eventually([&] { return first.IsLeader(); }));
  std::mutex mutex;
  std::string seen;
  LeaderElection second(Fast("second"), port, clock, {.on_holder = [&](const std::string& holder) {
                          std::lock_guard lock(mutex);
                          seen = holder;
                        }});
  second.Start();
  ASSERT_TRUE(http::Eventually([&] {
    std::lock_guard lock(mutex);
    return seen == "first";
  }));
  EXPECT_FALSE(second.IsLeader());
  first.Stop();
  EXPECT_TRUE(http::Eventually([&] { return second.IsLeader(); }));
}

}  // namespace
}  // namespace berth::client
