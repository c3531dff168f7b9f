// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/decision.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DifferencesTest : public ::testing::Test {
 protected:
  DifferencesTest() {
    for (const char* name : {"a", "b", "c"}) cluster_.Add(MakeNode(name));
    a_ = cluster_.SlotOf("a");
    b_ = cluster_.SlotOf("b");
    c_ = cluster_.SlotOf("c");
    placed_.is_traced = true;
    placed_.outcome.kind = Outcome::Kind::kPlaced;
    placed_.outcome.node = NodeRef(cluster_.cache().At(a_));
    placed_.outcome.node_count = 3;
    placed_.outcome.evaluated = 3;
    placed_.outcome.feasible = 2;
    placed_.trace.points = {{ExtensionPoint::kPreFilter, "P", Status::Success()}};
    placed_.trace.filters = {{"F", a_, Verdict::Fits(), false},
                             {"F", b_, Verdict::Fits(), false},
                             {"F", c_, kNo, false}};
    placed_.trace.scores = {{"S", a_, 7, 100, 1}, {"S", b_, 0, 0, 1}};
    placed_.trace.totals = {{a_, 100}, {b_, 0}};
  }

  std::vector<std::string> After(const std::function<void(Decision&)>& change) {
    Decision changed = placed_;
    change(changed);
    return Differences(changed, placed_, cluster_.snapshot());
  }

  static inline const Verdict kNo = Verdict::Unschedulable(VerdictReason::Intern("no"));
  TestCluster cluster_;
  Slot a_, b_, c_;
  Decision placed_;
};

TEST_F(DifferencesTest, EqualDecisionsHaveNoDifferences) {
  EXPECT_THAT(After([](Decision&) {}), IsEmpty());
}

TEST_F(DifferencesTest, ComparesEachPartOfTheOutcome) {
  EXPECT_THAT(After([this](Decision& d) { d.outcome.node = NodeRef(cluster_.cache().At(b_)); }),
              ElementsAre("node: with reuse b, computed a"));
  EXPECT_THAT(After([](Decision& d) { d.outcome.evaluated = 2; }),
              ElementsAre("evaluated: with reuse 2, computed 3"));
  EXPECT_THAT(After([](Decision& d) { d.outcome.feasible = 3; }), ElementsAre(HasSubstr("feas")));
  EXPECT_THAT(After([](Decision& d) { d.outcome.error = Status::Failed("x"); }),
              ElementsAre(HasSubstr("error")));
  EXPECT_THAT(After([](Decision& d) { d.start = 2; }),
              ElementsAre("start: with reuse 2, computed 0"));
}

TEST_F(DifferencesTest, ComparesEachRowOfTheTrace) {
  EXPECT_THAT(After([&](Decision& d) { d.trace.filters[2].verdict = Verdict::Fits(); }),
              ElementsAre("filter c F: with reuse Success, computed Unschedulable: no"));
  EXPECT_THAT(After([&](Decision& d) { d.trace.filters.pop_back(); }),
              ElementsAre("filter c F: with reuse nothing, computed Unschedulable: no"));
  EXPECT_THAT(
      After([&](Decision& d) { d.trace.filters[0].simulated = true; }),
      ElementsAre(HasSubstr("filter a F: with reuse nothing"),
                  HasSubstr("filter a F (simulated): with reuse Success, computed nothing")));
  EXPECT_THAT(After([&](Decision& d) { d.trace.scores[0].raw = 8; }),
              ElementsAre("score S a: with reuse raw 8 normalised 100 weight 1, computed raw 7 "
                          "normalised 100 weight 1"));
  EXPECT_THAT(After([&](Decision& d) { d.trace.scores.pop_back(); }),
              ElementsAre(HasSubstr("score S b: with reuse nothing")));
  EXPECT_THAT(After([&](Decision& d) { d.trace.totals[1].total = 1; }),
              ElementsAre("total 1: with reuse b 1, computed b 0"));
  EXPECT_THAT(After([&](Decision& d) { std::swap(d.trace.totals[0], d.trace.totals[1]); }).size(),
              2u)
      << "totals come in visiting order";
  EXPECT_THAT(After([&](Decision& d) { d.trace.points.clear(); }),
              ElementsAre(HasSubstr("point 0: with reuse nothing")));
}

TEST_F(DifferencesTest, IgnoresTheOrderOfFilterAndScoreRows) {
  EXPECT_THAT(After([](Decision& d) {
                std::swap(d.trace.filters[0], d.trace.filters[2]);
                std::swap(d.trace.scores[0], d.trace.scores[1]);
              }),
              IsEmpty());
}

TEST_F(DifferencesTest, IgnoresRowsBeyondAnEarlyEnd) {
  placed_.outcome.evaluated = 2;
  EXPECT_THAT(After([](Decision& d) { d.trace.filters.pop_back(); }), IsEmpty());
  EXPECT_THAT(After([](Decision& d) { d.trace.filters.erase(d.trace.filters.begin()); }),
              ElementsAre(HasSubstr("filter a F: with reuse nothing")))
      << "a feasible node is decided";
  EXPECT_THAT(After([](Decision& d) { d.trace.filters[2].verdict = Verdict::Fits(); }),
              ElementsAre(HasSubstr("filter c F")))
      << "both traces have the node";
}

TEST_F(DifferencesTest, ComparesOnlyTheOutcomeWithoutATrace) {
  EXPECT_THAT(After([](Decision& d) {
                d.is_traced = false;
                d.trace = {};
              }),
              IsEmpty());
}

TEST_F(DifferencesTest, ComparesAFitErrorByTextAndVerdict) {
  Decision computed;
  computed.outcome.kind = Outcome::Kind::kUnschedulable;
  computed.outcome.node_count = 3;
  computed.outcome.verdicts.entries = {{a_, kNo, "F"}, {b_, kNo, "F"}, {c_, kNo, "G"}};
  Decision reused = computed;
  EXPECT_THAT(Differences(reused, computed, cluster_.snapshot()), IsEmpty());
  reused.outcome.unschedulable_plugins.Add(3);
  EXPECT_THAT(Differences(reused, computed, cluster_.snapshot()),
              ElementsAre("unschedulable plugins: with reuse [3], computed []"));
  reused = computed;
  reused.outcome.verdicts.entries[2].plugin = "F";
  EXPECT_THAT(Differences(reused, computed, cluster_.snapshot()),
              ElementsAre("verdict 2: with reuse c F Unschedulable: no, computed c G "
                          "Unschedulable: no"));
  reused.outcome.verdicts.entries.pop_back();
  EXPECT_THAT(Differences(reused, computed, cluster_.snapshot()),
              ElementsAre(HasSubstr("FitError"), "number of verdicts: with reuse 2, computed 3"));
}

}  // namespace
}  // namespace berth::scheduler::testing
