// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/circuit_breaker.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth::engine {
namespace {

using State = CircuitBreaker::State;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CircuitBreakerTest : public ::testing::Test {
 protected:
  void FailTimes(int times) {
    for (int i = 0; i < times; ++i) breaker_.Failed(breaker_.Admit().value(), "no answer");
  }

  FakeClock clock_;
  std::vector<State> told_;
  CircuitBreaker breaker_{clock_, [this](State state) { told_.push_back(state); }};
};

TEST_F(CircuitBreakerTest, OpensAfterFiveFailuresInARow) {
  FailTimes(4);
  breaker_.Succeeded(breaker_.Admit().value());
  FailTimes(4);
  EXPECT_THAT(told_, IsEmpty());
  FailTimes(1);
  EXPECT_THAT(told_, ElementsAre(State::kOpen));
  const auto rejected = breaker_.Admit();
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().reason(), Reason::kUnavailable);
  EXPECT_EQ(rejected.error().message(),
            "not called until 2026-01-01T00:00:01Z after 5 failures in a row, the last of them: no "
            "answer");
}

TEST_F(CircuitBreakerTest, AdmitsOneProbeAfterTheWait) {
  FailTimes(5);
  clock_.Advance(milliseconds(999));
  EXPECT_FALSE(breaker_.Admit());
  clock_.Advance(milliseconds(1));
  const auto finding_out = breaker_.Admit();
  ASSERT_TRUE(finding_out);
  const auto other = breaker_.Admit();
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("not called while a trial call is running"));
  breaker_.Succeeded(*finding_out);
  EXPECT_TRUE(breaker_.Admit());
  EXPECT_THAT(told_, ElementsAre(State::kOpen, State::kHalfOpen, State::kClosed));
}

TEST_F(CircuitBreakerTest, DoublesTheWaitUpToThirtySeconds) {
  FailTimes(5);
  for (const int wait : {1, 2, 4, 8, 16, 30, 30, 30}) {
    clock_.Advance(seconds(wait) - milliseconds(1));
    EXPECT_FALSE(breaker_.Admit()) << wait;
    clock_.Advance(milliseconds(1));
    const auto ticket = breaker_.Admit();
    ASSERT_TRUE(ticket) << wait;
    breaker_.Failed(*ticket, "no answer");
  }
  clock_.Advance(seconds(30));
  breaker_.Succeeded(breaker_.Admit().value());
  FailTimes(5);
  clock_.Advance(seconds(1));
  EXPECT_TRUE(breaker_.Admit()) << "restarts at the initial wait";
}

TEST_F(CircuitBreakerTest, ReopensAfterOneFailedProbe) {
  FailTimes(5);
  clock_.Advance(seconds(1));
  FailTimes(1);
  EXPECT_FALSE(breaker_.Admit());
}

TEST_F(CircuitBreakerTest, OtherCallsDoNotCountForTheProbe) {
  const auto early = breaker_.Admit().value();
  const auto also_early = breaker_.Admit().value();
  FailTimes(5);
  breaker_.Succeeded(early);
  EXPECT_FALSE(breaker_.Admit());
  clock_.Advance(seconds(1));
  const auto finding_out = breaker_.Admit().value();
  breaker_.Failed(also_early, "late");
  breaker_.Succeeded(finding_out);
  EXPECT_THAT(told_, ElementsAre(State::kOpen, State::kHalfOpen, State::kClosed));
}

TEST_F(CircuitBreakerTest, CanceledProbeDoesNotCount) {
  for (int i = 0; i < 9; ++i) breaker_.GivenUp(breaker_.Admit().value());
  EXPECT_THAT(told_, IsEmpty());
  FailTimes(5);
  clock_.Advance(seconds(1));
  breaker_.GivenUp(breaker_.Admit().value());
  const auto again = breaker_.Admit();
  ASSERT_TRUE(again) << "another probe may start at once";
  breaker_.Succeeded(*again);
  EXPECT_TRUE(breaker_.Admit());
}

}  // namespace
}  // namespace berth::engine
