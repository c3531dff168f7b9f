// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "scheduler/framework/reason_table.h"

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

TEST(VerdictReason, EqualTextsAreEqual) {
  EXPECT_EQ(VerdictReason::Intern("same"), VerdictReason::Intern(std::string("sa") + "me"));
  EXPECT_FALSE(VerdictReason::Intern("same") == VerdictReason::Intern("other"));
}

TEST(VerdictReason, CanBeInternedConcurrently) {
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

TEST(ReasonTable, TextsAreLocalToTheTable) {
  ReasonTable table;
  const VerdictReason own = table.Add("volume v-1 is elsewhere");
  EXPECT_EQ(table.Add("volume v-1 is elsewhere"), own);
  EXPECT_NE(own, VerdictReason::Intern("volume v-1 is elsewhere")) << "the tables are independent";
  EXPECT_EQ(own.text(), "volume v-1 is elsewhere");
  EXPECT_FALSE(Verdict::Unschedulable(own).IsLasting());
  EXPECT_TRUE(Verdict::Unschedulable(VerdictReason::Intern("constant")).IsLasting());
  EXPECT_TRUE(Verdict::Fits().IsLasting());
}

TEST(ReasonTable, ListsWithOneOfItsTextsAreLocal) {
  ReasonTable table;
  const std::array reasons{VerdictReason::Intern("constant"), table.Add("own")};
  const Verdict verdict = Verdict::Of(Code::kUnschedulable, reasons);
  EXPECT_FALSE(verdict.IsLasting());
  EXPECT_EQ(verdict, Verdict::Of(Code::kUnschedulable, reasons));
  EXPECT_EQ(Status::FromVerdict(verdict, "P").Message(), "constant, own");
  ReasonTable other;
  EXPECT_EQ(Status::FromVerdict(Verdict::Failed(other.Add("own")), "P").Message(), "own");
}

TEST(ReasonTable, HoldsMoreTextsThanTheInternLimit) {
  ReasonTable table;
  for (size_t i = 0; i <= VerdictReason::kMaxInterned; ++i) table.Add("t" + std::to_string(i));
  const std::string last = "t" + std::to_string(VerdictReason::kMaxInterned);
  EXPECT_EQ(table.Add(last).text(), last);
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
