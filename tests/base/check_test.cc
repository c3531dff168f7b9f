// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/thread_owner.h"

namespace berth {
namespace {

TEST(Check, FailureNamesLocationConditionAndReason) {
  const int slots = 3;
  EXPECT_DEATH(BERTH_CHECK(slots == 4, "slots are " + std::to_string(slots)),
               "check_test.cc:[0-9]+: slots == 4: slots are 3");
}

TEST(Check, DoesNotEvaluateTheReasonOnSuccess) {
  int evaluated = 0;
  const auto reason = [&] { return std::to_string(++evaluated); };
  BERTH_CHECK(true, reason());
  EXPECT_EQ(evaluated, 0);
}

TEST(ThreadOwner, AcceptsTheFirstThread) {
  const ThreadOwner owner;
  owner.AssertHeld();
  owner.AssertHeld();
}

TEST(ThreadOwner, ReleaseAllowsAnotherOwner) {
  ThreadOwner owner;
  owner.AssertHeld();
  owner.Release();
  std::thread([&] { owner.AssertHeld(); }).join();
}

#ifndef NDEBUG
TEST(ThreadOwner, AbortsForAnotherThread) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const ThreadOwner owner;
  owner.AssertHeld();
  EXPECT_DEATH(std::thread([&] { owner.AssertHeld(); }).join(), "does not own it");
}
#endif

}  // namespace
}  // namespace berth
