// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/status.h"

#include <array>
#include <thread>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(Verdict, IsEightBytesAndFitsByDefault) {
  static_assert(sizeof(Verdict) == 8);
  EXPECT_TRUE(Verdict().fits());
  EXPECT_TRUE(Verdict().reasons().empty());
}

TEST(Verdict, KeepsItsReasonsInOrder) {
  const auto b = VerdictReason::Intern("b");
  const auto a = VerdictReason::Intern("a");
  const Verdict verdict = Verdict::Of(Code::kUnschedulable, std::array{b, a});
  ASSERT_EQ(verdict.reasons().size(), 2u);
  EXPECT_EQ(verdict.reasons()[0].text(), "b");
  EXPECT_EQ(verdict.reasons()[1].text(), "a");
  EXPECT_EQ(verdict, Verdict::Of(Code::kUnschedulable, std::array{b, a}));
  EXPECT_NE(verdict, Verdict::Of(Code::kUnschedulable, std::array{a, b}));
  EXPECT_EQ(Verdict::Of(Code::kUnschedulable, std::array{a}), Verdict::Unschedulable(a));
  EXPECT_TRUE(Verdict::Of(Code::kPending, {}).reasons().empty());
}

TEST(VerdictReason, EqualTextIsEqual) {
  EXPECT_EQ(VerdictReason::Intern("same"), VerdictReason::Intern(std::string("sa") + "me"));
  EXPECT_FALSE(VerdictReason::Intern("same") == VerdictReason::Intern("other"));
}

TEST(VerdictReason, MayBeInternedOnSeveralThreads) {
  const auto work = [](std::vector<VerdictReason>& reasons) {
    for (int i = 0; i < 500; ++i) reasons.push_back(VerdictReason::Intern("t" + std::to_string(i)));
  };
  std::vector<VerdictReason> first, second;
  std::thread other([&] { work(first); });
  work(second);
  other.join();
  EXPECT_EQ(first, second);
  EXPECT_EQ(first[77].text(), "t77");
}

TEST(Status, JoinsItsReasons) {
  const Status status{Code::kUnschedulable, {"one", "two"}, "P"};
  EXPECT_EQ(status.Message(), "one, two");
  EXPECT_EQ(Status::Success().Message(), "");
}

TEST(Status, TakesCodeAndTextFromAVerdict) {
  const Status status =
      Status::FromVerdict(Verdict::Failed(VerdictReason::Intern("broken")), "Plugin");
  EXPECT_EQ(status, (Status{Code::kError, {"broken"}, "Plugin"}));
  EXPECT_FALSE(status.rejected());
  EXPECT_TRUE(Status::Pending("later").rejected());
}

}  // namespace
}  // namespace berth::scheduler
