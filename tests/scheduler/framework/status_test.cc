// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/reason_table.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;

TEST(Verdict, IsEightBytesAndFitsByDefault) {
  static_assert(sizeof(Verdict) == 8);
  EXPECT_TRUE(Verdict().fits());
  EXPECT_TRUE(Verdict().Texts().empty());
}

TEST(Verdict, KeepsTheReasonsOfAGroupInOrder) {
  ReasonTable table;
  const auto b = VerdictReason::Intern("b");
  const auto a = VerdictReason::Intern("a");
  const Verdict verdict = Verdict::Unschedulable(table.GroupOf(std::array{b, a}));
  EXPECT_THAT(verdict.Texts(), ElementsAre("b", "a"));
  EXPECT_EQ(verdict, Verdict::Unschedulable(table.GroupOf(std::array{b, a})));
  EXPECT_NE(verdict, Verdict::Unschedulable(table.GroupOf(std::array{a, b})));
  EXPECT_EQ(table.GroupOf(std::array{a}), a);
  EXPECT_TRUE(Verdict::Of(Code::kPending, table.GroupOf({})).Texts().empty());
  EXPECT_EQ(Verdict::Of(Code::kSuccess, a), Verdict::Fits());
}

TEST(Verdict, FlattensGroupsInAGroup) {
  ReasonTable table;
  const auto c = VerdictReason::Intern("c");
  const auto inner = table.GroupOf(std::array{VerdictReason::Intern("b"), table.Add("a")});
  const auto outer = table.GroupOf(std::array{c, inner, c});
  EXPECT_THAT(Verdict::Failed(outer).Texts(), ElementsAre("c", "b", "a", "c"));
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

TEST(ReasonTable, GroupsWithOneOfItsTextsAreLocal) {
  ReasonTable table;
  const std::array reasons{VerdictReason::Intern("constant"), table.Add("own")};
  const Verdict verdict = Verdict::Unschedulable(table.GroupOf(reasons));
  EXPECT_FALSE(verdict.IsLasting());
  EXPECT_EQ(verdict, Verdict::Unschedulable(table.GroupOf(reasons)));
  EXPECT_EQ(Status::FromVerdict(verdict, "P").Message(), "constant, own");
  ReasonTable other;
  EXPECT_EQ(Status::FromVerdict(Verdict::Failed(other.Add("own")), "P").Message(), "own");
}

// Uses up the room of the process: tests that run later in this program find none.
TEST(ReasonTableInAFullProcess, RecurringReasonsAreLocal) {
  const auto known = VerdictReason::Intern("known");
  std::vector<VerdictReason> list(1000, known);
  ReasonTable table;
  const auto group_of = [&](size_t i) {
    list.back() = table.AddRecurring("recurring text " + std::to_string(i));
    return table.GroupOf(list);
  };
  const auto first = group_of(0);
  size_t lasting = 0;
  while (Verdict::Unschedulable(group_of(lasting)).IsLasting()) ++lasting;
  EXPECT_GT(lasting, 1000u);
  EXPECT_LT(lasting * list.size() * sizeof(VerdictReason), ReasonTable::kMaxLastingBytes);

  EXPECT_FALSE(Verdict::Failed(table.AddRecurring("new")).IsLasting());
  EXPECT_EQ(table.AddRecurring("new").text(), "new") << "the text is not lost";
  EXPECT_EQ(table.AddRecurring("new"), table.Add("new"));
  EXPECT_TRUE(Verdict::Failed(table.AddRecurring("known")).IsLasting());
  EXPECT_EQ(group_of(0), first) << "known groups are found";
  EXPECT_TRUE(
      Verdict::Failed(VerdictReason::Intern("constant of a plugin loaded late")).IsLasting());
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
