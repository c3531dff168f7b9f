// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {
namespace {

Verdict Because(std::initializer_list<std::string_view> texts) {
  static ReasonTable table;
  std::vector<VerdictReason> reasons;
  for (const std::string_view text : texts) reasons.push_back(VerdictReason::Intern(text));
  return Verdict::Unschedulable(table.GroupOf(reasons));
}

TEST(FitErrorText, CountsEachReasonAndSortsAsText) {
  Outcome outcome;
  outcome.node_count = 12;
  for (Slot slot = 0; slot < 10; ++slot) {
    outcome.verdicts.entries.push_back({slot, Because({"Insufficient cpu"}), "F"});
  }
  outcome.verdicts.entries.push_back({10, Because({"Insufficient memory", "Too many pods"}), "F"});
  outcome.verdicts.entries.push_back({11, Because({"Insufficient memory"}), "F"});
  EXPECT_EQ(
      FitErrorText(outcome),
      "0/12 nodes are available: 1 Too many pods, 10 Insufficient cpu, 2 Insufficient memory.");
}

TEST(FitErrorText, NodesWithoutEntryCountTheAbsentReasons) {
  Outcome outcome;
  outcome.node_count = 5;
  outcome.verdicts.entries.push_back({0, Because({"a"}), "F"});
  outcome.verdicts.absent = Status::UnschedulableAndUnresolvable("a");
  EXPECT_EQ(FitErrorText(outcome), "0/5 nodes are available: 5 a.");
  outcome.verdicts.absent.reasons = {"b"};
  EXPECT_EQ(FitErrorText(outcome), "0/5 nodes are available: 1 a, 4 b.");
}

TEST(FitErrorText, PreFilterMessageReplacesTheReasons) {
  Outcome outcome;
  outcome.node_count = 3;
  outcome.verdicts.absent = Status::UnschedulableAndUnresolvable("no volume");
  outcome.pre_filter_message = "no volume";
  outcome.post_filter_message = "not found";
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: no volume. not found");
}

TEST(FitErrorText, HasOnlyTheNodeCountWithoutReasons) {
  Outcome outcome;
  outcome.node_count = 2;
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available:");
  outcome.post_filter_message = "preemption: none";
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available: preemption: none");
}

TEST(FitErrorText, ReserveAndPermitCountOneNode) {
  Outcome outcome;
  outcome.node_count = 1;
  outcome.verdicts.absent = Status::Unschedulable("denied");
  EXPECT_EQ(FitErrorText(outcome), "0/1 nodes are available: 1 denied.");
}

}  // namespace
}  // namespace berth::scheduler
