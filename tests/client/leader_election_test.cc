// SPDX-License-Identifier: Apache-2.0
#include "client/leader_election.h"

#include <atomic>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// LeaseOnServer is a Lease on an in-memory API server.
class LeaseOnServer {
 public:
  LeasePort& port() { return port_; }
  api::LeaseSpec Spec() {
    const auto lease = port_.Get();
    return lease ? lease->spec : api::LeaseSpec{};
  }
  // Writes the Lease as another holder would, with that holder's time.
  void Take(const std::string& identity, Time renewed = Time::FromUnixSeconds(0)) {
    const auto lease = port_.Get();
    api::Lease other = lease.value_or(api::Lease{});
    other.spec.holder_identity = identity;
    other.spec.lease_duration_seconds = 15;
    other.spec.renew_time = MicroTime(renewed);
    const auto written = lease ? port_.Update(other) : port_.Create(other);
    ASSERT_TRUE(written) << written.error().message();
  }
  // Creates a Lease without a holder, as the operator does.
  void Make() { ASSERT_TRUE(port_.Create({})); }
  void ForbidMakingOnce() {
    memory_.Inject(
        R"({"action": "fail", "verb": "create", "resource": "leases", "code": 403, "times": 1})");
  }
  void AskForPatience() {
    memory_.Inject(
        R"({"action": "fail", "resource": "leases", "code": 429, "retryAfterSeconds": 3600})");
  }
  void Recover() { memory_.server().ClearFaults(); }
  void GoAway() { memory_.Inject(R"({"action": "drop", "resource": "leases"})"); }

 private:
  apiserver::InMemoryServer memory_;
  ClientLeasePort port_{memory_.client(), "kube-system", "batch"};
};

class LeaderElectorTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  LeaseOnServer lease_;
  LeaderElector elector_{
      {.ns = "kube-system", .name = "batch", .identity = "me"}, lease_.port(), clock_};
};

TEST_F(LeaderElectorTest, CreatesMissingLease) {
  const SteadyTime start = clock_.Now();
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(elector_.holder(), "me");
  EXPECT_EQ(elector_.HoldsUntil(), start + seconds(15));
  EXPECT_EQ(lease_.Spec().lease_transitions, 0);
  EXPECT_EQ(lease_.Spec().lease_duration_seconds, 15);
  EXPECT_EQ(lease_.Spec().acquire_time, MicroTime(clock_.Wall()));
}

TEST_F(LeaderElectorTest, AcquiresLeaseWithoutHolder) {
  lease_.Make();
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(lease_.Spec().holder_identity, "me");
}

TEST_F(LeaderElectorTest, AcquiresLeaseCreatedAfterForbiddenCreate) {
  lease_.ForbidMakingOnce();
  const auto rejected = elector_.TryAcquireOrRenew();
  ASSERT_FALSE(rejected);
  EXPECT_TRUE(rejected.error().message().starts_with(
      "Lease kube-system/batch does not exist yet, and this account may not create it: "))
      << rejected.error().message();
  EXPECT_EQ(elector_.HoldsUntil(), SteadyTime{});
  lease_.Make();
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, RenewalKeepsAcquireTime) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  const auto acquired = lease_.Spec().acquire_time;
  clock_.Advance(seconds(2));
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(lease_.Spec().acquire_time, acquired);
  EXPECT_EQ(lease_.Spec().renew_time, MicroTime(clock_.Wall()));
  EXPECT_EQ(lease_.Spec().lease_transitions, 0);
}

TEST_F(LeaderElectorTest, RetryAfterFailsRenewal) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  const SteadyTime held = elector_.HoldsUntil();
  clock_.Advance(seconds(2));
  lease_.AskForPatience();
  const auto renewed = elector_.TryAcquireOrRenew();
  ASSERT_FALSE(renewed);
  EXPECT_EQ(renewed.error().reason(), Reason::kTooManyRequests);
  EXPECT_EQ(elector_.HoldsUntil(), held) << "the Lease is held for as long as before";
  EXPECT_FALSE(elector_.IsLost());
  lease_.Recover();
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(elector_.HoldsUntil(), held + seconds(2));
}

TEST_F(LeaderElectorTest, UsesOwnClockForExpiryOfUnchangedLease) {
  // The other holder's timestamps are long past; only the missing change counts.
  lease_.Take("other", clock_.Wall() - std::chrono::hours(5));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(14));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(1));
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(lease_.Spec().lease_transitions, 1);
}

TEST_F(LeaderElectorTest, AnyChangeRestartsExpiryWait) {
  lease_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(10));
  lease_.Take("other", clock_.Wall());
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.Advance(seconds(14));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, IgnoresWallClockJumps) {
  lease_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  clock_.JumpWall(std::chrono::hours(1));
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, AcquiresReleasedLeaseAtOnce) {
  lease_.Take("");
  EXPECT_TRUE(*elector_.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, LosesLeaseTakenByAnother) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  lease_.Take("other");
  EXPECT_FALSE(*elector_.TryAcquireOrRenew());
  EXPECT_EQ(elector_.HoldsUntil(), SteadyTime{});
  EXPECT_EQ(elector_.holder(), "other");
}

TEST_F(LeaderElectorTest, IsLostAfterRenewDeadline) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  const SteadyTime until = elector_.HoldsUntil();
  lease_.GoAway();
  clock_.Advance(milliseconds(9'999));
  EXPECT_FALSE(elector_.TryAcquireOrRenew());
  EXPECT_FALSE(elector_.IsLost());
  EXPECT_EQ(elector_.HoldsUntil(), until) << "a failed write extends nothing";
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(elector_.IsLost());
}

// SlowPort advances the clock on each write.
class SlowPort final : public LeasePort {
 public:
  SlowPort(LeasePort& port, FakeClock& clock, std::chrono::nanoseconds time)
      : port_(port), clock_(clock), time_(time) {}
  Result<api::Lease> Get() override { return port_.Get(); }
  Result<api::Lease> Create(const api::Lease& lease) override {
    return Slowly(port_.Create(lease));
  }
  Result<api::Lease> Update(const api::Lease& lease) override {
    return Slowly(port_.Update(lease));
  }

 private:
  Result<api::Lease> Slowly(Result<api::Lease> written) {
    clock_.Advance(time_);
    return written;
  }
  LeasePort& port_;
  FakeClock& clock_;
  const std::chrono::nanoseconds time_;
};

TEST_F(LeaderElectorTest, SlowRenewalCountsFromItsStart) {
  SlowPort slow(lease_.port(), clock_, milliseconds(9'900));
  LeaderElector elector({.ns = "kube-system", .name = "batch", .identity = "me"}, slow, clock_);
  for (int i = 0; i < 3; ++i) {
    const SteadyTime asked = clock_.Now();
    ASSERT_TRUE(*elector.TryAcquireOrRenew());
    EXPECT_EQ(elector.HoldsUntil(), asked + seconds(15));
    EXPECT_TRUE(elector.MayWrite());
    EXPECT_FALSE(elector.IsLost()) << "9.9 of 10 s have passed";
  }
  clock_.Advance(milliseconds(4'100));
  EXPECT_FALSE(elector.MayWrite()) << "14 s after the request, 4.1 s after the response";
  EXPECT_TRUE(elector.IsLost());
}

TEST_F(LeaderElectorTest, ReleasePassesLeaseToNextHolder) {
  ASSERT_TRUE(*elector_.TryAcquireOrRenew());
  ASSERT_TRUE(elector_.Release());
  EXPECT_EQ(lease_.Spec().holder_identity, "");
  EXPECT_EQ(lease_.Spec().lease_duration_seconds, 1);
  EXPECT_EQ(elector_.HoldsUntil(), SteadyTime{});
  LeaderElector next({.identity = "next"}, lease_.port(), clock_);
  EXPECT_TRUE(*next.TryAcquireOrRenew());
}

TEST_F(LeaderElectorTest, ReleaseKeepsLeaseOfAnother) {
  lease_.Take("other");
  ASSERT_FALSE(*elector_.TryAcquireOrRenew());
  ASSERT_TRUE(elector_.Release());
  EXPECT_EQ(lease_.Spec().holder_identity, "other");
}

LeaderElectionOptions Fast(const std::string& identity) {
  return {.name = "batch",
          .identity = identity,
          .renew_deadline = seconds(1),
          .retry_period = milliseconds(5),
          .random = [] { return 0.5; }};
}

TEST(LeaderElection, LeadsRenewsAndReleases) {
  SystemClock clock;
  LeaseOnServer lease;
  std::atomic<bool> started = false, lost = false;
  LeaderElection election(Fast("me"), lease.port(), clock,
                          {.on_started = [&] { started = true; }, .on_lost = [&] { lost = true; }});
  EXPECT_FALSE(election.MayWrite());
  election.Start();
  EXPECT_TRUE(http::Eventually(
      [&] { return started && lease.Spec().renew_time > lease.Spec().acquire_time; }));
  EXPECT_TRUE(election.IsLeader());
  EXPECT_TRUE(election.MayWrite());
  election.Stop();
  EXPECT_EQ(lease.Spec().holder_identity, "");
  EXPECT_FALSE(election.IsLeader());
  EXPECT_FALSE(election.MayWrite());
  EXPECT_FALSE(lost);
}

TEST(LeaderElection, RenewNowRenewsAtOnce) {
  SystemClock clock;
  LeaseOnServer lease;
  LeaderElectionOptions options = Fast("me");
  options.retry_period = std::chrono::hours(1);
  LeaderElection election(options, lease.port(), clock, {});
  election.Start();
  ASSERT_TRUE(http::Eventually([&] { return election.IsLeader(); }));
  const auto renewed = lease.Spec().renew_time;
  election.RenewNow();
  EXPECT_TRUE(http::Eventually([&] { return lease.Spec().renew_time > renewed; }));
}

TEST(LeaderElection, CallsOnLost) {
  SystemClock clock;
  LeaseOnServer lease;
  std::atomic<bool> lost = false;
  LeaderElection election(Fast("me"), lease.port(), clock, {.on_lost = [&] { lost = true; }});
  election.Start();
  ASSERT_TRUE(http::Eventually([&] { return election.IsLeader(); }));
  lease.GoAway();
  EXPECT_TRUE(http::Eventually([&] { return lost.load(); }));
  EXPECT_FALSE(election.IsLeader());
}

TEST(LeaderElection, OnlyOneOfTwoLeads) {
  SystemClock clock;
  LeaseOnServer lease;
  LeaderElection first(Fast("first"), lease.port(), clock, {});
  first.Start();
  ASSERT_TRUE(http::Eventually([&] { return first.IsLeader(); }));
  std::mutex mutex;
  std::string seen;
  LeaderElection second(Fast("second"), lease.port(), clock,
                        {.on_holder = [&](const std::string& holder) {
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
