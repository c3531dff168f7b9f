// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/algorithm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::PodBuilder;
using testing::Reject;
using testing::Scripted;
using testing::TestCluster;
using testing::Text;

class SchedulePodTest : public ::testing::Test {
 protected:
  // Node names are n000, n001, …, so that the number is easy to parse.
  void AddNodes(size_t count) {
    for (size_t i = 0; i < count; ++i) cluster_.Add(MakeNode(NameOf(i)));
  }
  static std::string NameOf(size_t i) {
    const std::string digits = std::to_string(i);
    return "n" + std::string(3 - digits.size(), '0') + digits;
  }
  static size_t NumberOf(const NodeView& node) { return std::stoul(node.name().substr(1)); }

  // Returns a filter that accepts the nodes for which `keep` returns true.
  PluginDescriptor Keeping(std::function<bool(size_t)> keep) {
    return Scripted("Filter", {.filter = [this, keep](const CycleContext&, const NodeView& node) {
                      ++asked_;
                      return keep(NumberOf(node)) ? Verdict::Fits() : Reject("not this one");
                    }});
  }
  // Returns a score equal to the node's number, so that the last node wins.
  static PluginDescriptor ByNumber() {
    return Scripted("Score", {.score = [](const CycleContext&, const NodeView& node) {
                      return static_cast<int64_t>(NumberOf(node) % 101);
                    }});
  }

  Outcome Schedule(const Profile& profile, const PodBuilder& pod = MakePod("p")) {
    CycleState state;
    const auto info = pod.Info(cluster_.words());
    return SchedulePod({.profile = profile,
                        .snapshot = cluster_.snapshot(),
                        .pod = *info,
                        .nominated = nominated_,
                        .start = start_},
                       state);
  }

  TestCluster cluster_;
  Nominator nominated_;
  size_t start_ = 0;
  size_t asked_ = 0;
};

TEST_F(SchedulePodTest, SelectsTheBestFeasibleNode) {
  AddNodes(5);
  const auto outcome =
      Schedule(*MakeProfile(cluster_, {Keeping([](size_t n) { return n != 4; }), ByNumber()}));
  EXPECT_EQ(outcome.kind, Outcome::Kind::kPlaced);
  EXPECT_EQ(outcome.node.name(), "n003");
  EXPECT_EQ(outcome.feasible, 4u);
  EXPECT_EQ(outcome.evaluated, 5u);
}

TEST_F(SchedulePodTest, ClusterWithoutNodesIsAnErrorWithoutRejectors) {
  const auto outcome = Schedule(*MakeProfile(cluster_, {}));
  EXPECT_EQ(outcome.kind, Outcome::Kind::kError);
  EXPECT_EQ(Text(outcome.error),
            "UnschedulableAndUnresolvable: no nodes available to schedule pods");
  EXPECT_TRUE(outcome.unschedulable_plugins.empty());
}

TEST_F(SchedulePodTest, DoesNotScoreASingleFeasibleNode) {
  AddNodes(3);
  const auto profile = MakeProfile(
      cluster_, {Keeping([](size_t n) { return n == 1; }),
                 Scripted("Score", {.score = [](const CycleContext&, const NodeView&) -> int64_t {
                            ADD_FAILURE() << "scored";
                            return 0;
                          }})});
  EXPECT_EQ(Schedule(*profile).node.name(), "n001");
}

TEST_F(SchedulePodTest, ReportsReasonsIfNoNodeFits) {
  AddNodes(3);
  const auto profile = MakeProfile(cluster_, {Keeping([](size_t) { return false; })});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kUnschedulable);
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: 3 not this one.");
  EXPECT_THAT(profile->NamesOf(outcome.unschedulable_plugins), ElementsAre("Filter"));
  EXPECT_TRUE(outcome.pending_plugins.empty());
  EXPECT_EQ(outcome.post_filter.mode, NominatingMode::kOverride) << "the nomination is cleared";
  EXPECT_EQ(outcome.post_filter.nominated_node, "");
}

TEST_F(SchedulePodTest, PendingVerdictMarksPluginAsPending) {
  AddNodes(1);
  const auto profile = MakeProfile(
      cluster_, {Scripted("Filter", {.filter = [](const CycleContext&, const NodeView&) {
                            return Verdict::Of(Code::kPending, VerdictReason::Intern("waits"));
                          }})});
  const auto outcome = Schedule(*profile);
  EXPECT_THAT(profile->NamesOf(outcome.unschedulable_plugins), ElementsAre("Filter"));
  EXPECT_THAT(profile->NamesOf(outcome.pending_plugins), ElementsAre("Filter"));
}

TEST_F(SchedulePodTest, PercentageLimitsSearchAndNextPodContinues) {
  AddNodes(300);
  const auto profile =
      MakeProfile(cluster_, {Keeping([](size_t n) { return n % 2 == 1; }), ByNumber()},
                  /*percentage=*/40);
  // 120 of 300 nodes are wanted: the odd nodes up to n239. The search ends at the next fitting
  // node, n241, after n240 was rejected.
  Outcome outcome = Schedule(*profile);
  EXPECT_EQ(outcome.feasible, 120u);
  EXPECT_EQ(outcome.evaluated, 241u);
  EXPECT_EQ(start_, 241u);
  outcome = Schedule(*profile);
  EXPECT_EQ(outcome.feasible, 120u);
  // From n241, wrapping around: 30 odd nodes up to n299, 90 more up to n179; then n180 is rejected.
  EXPECT_EQ(start_, 181u);
}

TEST_F(SchedulePodTest, ZeroPercentVisitsAllNodes) {
  AddNodes(300);
  const auto outcome =
      Schedule(*MakeProfile(cluster_, {Keeping([](size_t) { return true; }), ByNumber()}));
  EXPECT_EQ(outcome.feasible, 300u);
  EXPECT_EQ(start_, 0u);
}

TEST_F(SchedulePodTest, TakesTheFirstFeasibleNodeWithoutScores) {
  AddNodes(10);
  start_ = 4;
  const auto outcome = Schedule(*MakeProfile(cluster_, {Keeping([](size_t n) { return n != 4; })}));
  EXPECT_EQ(outcome.node.name(), "n005");
  EXPECT_EQ(outcome.feasible, 1u);
  EXPECT_EQ(start_, 6u);
}

TEST_F(SchedulePodTest, StartIndexWrapsByAllNodesEvenForASubset) {
  AddNodes(4);
  start_ = 3;
  const auto profile = MakeProfile(
      cluster_, {Scripted("Names", {.pre_filter =
                                        [](CycleContext&) {
                                          return PreFilterResult{
                                              Status::Success(),
                                              std::set<std::string>{"n001", "n002", "gone"}};
                                        }}),
                 Keeping([](size_t) { return false; })});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(start_, (3u + 2u) % 4u);
  EXPECT_EQ(FitErrorText(outcome),
            "0/4 nodes are available: 2 node(s) didn't satisfy plugin(s) [Names], 2 not this one.");
  EXPECT_THAT(profile->NamesOf(outcome.unschedulable_plugins), ElementsAre("Filter", "Names"));
  ASSERT_EQ(outcome.verdicts.entries.size(), 2u);
  EXPECT_EQ(outcome.verdicts.entries[0].slot, cluster_.SlotOf("n002")) << "begins at 3 mod 2";
}

TEST_F(SchedulePodTest, NarrowingPluginsCountAsRejectorsToo) {
  AddNodes(2);
  const auto narrows = Scripted("Narrows", {.pre_filter = [](CycleContext&) {
                                  return PreFilterResult{Status::Success(), {{"n001"}}};
                                }});
  const auto rejects = Scripted("Rejects", {.pre_filter = [](CycleContext&) {
                                  return PreFilterResult::Of(Status::Unschedulable("not now"));
                                }});
  const auto profile = MakeProfile(cluster_, {narrows, rejects});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kUnschedulable);
  EXPECT_EQ(outcome.pre_filter_message, "not now");
  EXPECT_THAT(profile->NamesOf(outcome.unschedulable_plugins), ElementsAre("Narrows", "Rejects"));
}

TEST_F(SchedulePodTest, PreFilterRejectionAppliesToAllNodes) {
  AddNodes(2);
  const auto profile =
      MakeProfile(cluster_, {Scripted("Claims", {.pre_filter =
                                                     [](CycleContext&) {
                                                       return PreFilterResult::Of(
                                                           Status::Unschedulable("no claim"));
                                                     }}),
                             Keeping([](size_t) { return true; })});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available: no claim.");
  EXPECT_THAT(profile->NamesOf(outcome.unschedulable_plugins), ElementsAre("Claims"));
  EXPECT_EQ(outcome.verdicts.absent.plugin, "Claims");
  EXPECT_EQ(asked_, 0u);
}

TEST_F(SchedulePodTest, FilterErrorFailsTheAttempt) {
  AddNodes(3);
  const auto profile = MakeProfile(
      cluster_, {Scripted("Filter", {.filter = [](const CycleContext&, const NodeView& node) {
                            return NumberOf(node) == 1
                                       ? Verdict::Failed(VerdictReason::Intern("lost"))
                                       : Reject("no");
                          }})});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kError);
  EXPECT_EQ(Text(outcome.error), "Error: running \"Filter\" filter plugin: lost");
  EXPECT_EQ(start_, 1u);
}

TEST_F(SchedulePodTest, TakesTheNominatedNodeWithoutVisitingOthers) {
  AddNodes(5);
  const auto profile = MakeProfile(cluster_, {Keeping([](size_t) { return true; }), ByNumber()});
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n002")).node.name(), "n002");
  EXPECT_EQ(asked_, 1u);
  EXPECT_EQ(start_, 0u);
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("gone")).node.name(), "n004");
}

TEST_F(SchedulePodTest, CountsARejectedNominatedNodeOnce) {
  AddNodes(3);
  const auto profile = MakeProfile(cluster_, {Keeping([](size_t) { return false; })});
  const auto outcome = Schedule(*profile, MakePod("p").Nominated("n001"));
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: 3 not this one.");
  EXPECT_EQ(outcome.verdicts.entries.size(), 3u);
}

TEST_F(SchedulePodTest, PostFilterGetsVerdictsAndAddsItsMessage) {
  AddNodes(2);
  size_t seen = 0;
  const auto profile = MakeProfile(
      cluster_, {Keeping([](size_t) { return false; }),
                 Scripted("Post", {.post_filter = [&](PostFilterContext& context) {
                            seen = context.verdicts.entries.size();
                            return PostFilterResult{Status::Unschedulable("preemption: no"),
                                                    NominatingMode::kNoop, ""};
                          }})});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(seen, 2u);
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available: 2 not this one. preemption: no");
  EXPECT_EQ(outcome.post_filter.mode, NominatingMode::kNoop);
}

TEST_F(SchedulePodTest, NominatedPodsOccupyTheirNodes) {
  AddNodes(2);
  const auto profile = MakeProfile(
      cluster_, {Scripted("One", {.filter = [](const CycleContext&, const NodeView& node) {
                            size_t pods = 0;
                            node.ForEachPod([&](const PodInfo&) { ++pods; });
                            return pods == 0 ? Verdict::Fits() : Reject("taken");
                          }})});
  nominated_.Nominate(MakePod("x").Priority(1).Info(cluster_.words()), "n000");
  EXPECT_EQ(Schedule(*profile).node.name(), "n001");
  EXPECT_EQ(Schedule(*profile, MakePod("p").Priority(2)).node.name(), "n000");
}

// ---- Nodes restricted by PreFilter. Follows the cases of kube-scheduler
// pkg/scheduler/schedule_one_test.go, TestSchedulerSchedulePod.

PluginDescriptor Narrowing(std::string_view name, std::set<std::string> nodes) {
  return Scripted(name, {.pre_filter = [nodes](CycleContext&) {
                    return PreFilterResult{Status::Success(), nodes};
                  }});
}

TEST_F(SchedulePodTest, VisitsTheIntersectionOfPreFilterNodes) {
  AddNodes(4);
  const auto outcome = Schedule(
      *MakeProfile(cluster_, {Narrowing("A", {"n001", "n002"}), Narrowing("B", {"n002", "n003"}),
                              Keeping([](size_t) { return true; }), ByNumber()}));
  EXPECT_EQ(outcome.node.name(), "n002");
  EXPECT_EQ(outcome.evaluated, 1u);
  EXPECT_EQ(asked_, 1u);
  EXPECT_EQ(start_, 1u);
}

TEST_F(SchedulePodTest, ReportsThePreFiltersThatLeftNoNode) {
  AddNodes(3);
  struct Case {
    std::vector<PluginDescriptor> plugins;
    std::string text;
    std::vector<std::string_view> blamed;
  };
  const Case cases[] = {
      {{Narrowing("B", {"n001"}), Narrowing("A", {"n002"})},
       "0/3 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously.",
       {"A", "B"}},
      {{Narrowing("A", {})}, "0/3 nodes are available: node(s) didn't satisfy plugin A.", {"A"}},
      {{Narrowing("A", {"gone"})},
       "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [A].",
       {"A"}},
  };
  for (const Case& each : cases) {
    const auto profile = MakeProfile(cluster_, each.plugins);
    const auto outcome = Schedule(*profile);
    EXPECT_EQ(FitErrorText(outcome), each.text);
    EXPECT_EQ(profile->NamesOf(outcome.unschedulable_plugins), each.blamed) << each.text;
    EXPECT_EQ(outcome.verdicts.absent.code, Code::kUnschedulableAndUnresolvable) << each.text;
  }
}

TEST_F(SchedulePodTest, SkippedPreFilterSkipsItsFilter) {
  AddNodes(2);
  const auto skipping = Scripted(
      "Skips", {.pre_filter =
                    [](CycleContext&) {
                      return PreFilterResult{Status::Skip(), std::set<std::string>{"gone"}};
                    },
                .filter =
                    [](const CycleContext&, const NodeView&) {
                      ADD_FAILURE() << "called";
                      return Reject("no");
                    }});
  EXPECT_EQ(Schedule(*MakeProfile(cluster_, {skipping, ByNumber()})).node.name(), "n001")
      << "and it does not restrict the nodes";
}

TEST_F(SchedulePodTest, PercentageAppliesToTheNodesLeftByPreFilter) {
  AddNodes(300);
  std::set<std::string> some;
  for (size_t i = 0; i < 200; ++i) some.insert(NameOf(i));
  const auto outcome = Schedule(*MakeProfile(
      cluster_, {Narrowing("A", some), Keeping([](size_t) { return true; }), ByNumber()},
      /*percentage=*/60));
  EXPECT_EQ(outcome.feasible, 120u);
  EXPECT_EQ(start_, 120u);
}

// ---- Length of the search

TEST_F(SchedulePodTest, EachSearchStartsAtTheEndOfTheLastOne) {
  AddNodes(500);
  const auto profile = MakeProfile(cluster_, {Keeping([](size_t) { return true; }), ByNumber()},
                                   /*percentage=*/30);
  for (size_t i = 1; i <= 2 * (500 / 150 + 1); ++i) {
    const auto outcome = Schedule(*profile);
    EXPECT_EQ(outcome.feasible, 150u);
    EXPECT_EQ(start_, i * 150 % 500);
  }
}

TEST_F(SchedulePodTest, TakesTheWantedNumberWithoutFilters) {
  AddNodes(300);
  const auto outcome = Schedule(*MakeProfile(cluster_, {ByNumber()}, /*percentage=*/40));
  EXPECT_EQ(outcome.feasible, 120u);
  EXPECT_EQ(outcome.evaluated, 120u);
  EXPECT_EQ(start_, 120u);
}

TEST_F(SchedulePodTest, TakesTheFirstNodeIfAllPreScoresSkip) {
  AddNodes(3);
  const auto skipping = Scripted(
      "Skips", {.pre_score = [](CycleContext&, const FeasibleNodes&) { return Status::Skip(); },
                .score = [](const CycleContext&, const NodeView&) -> int64_t {
                  ADD_FAILURE() << "scored";
                  return 0;
                }});
  const auto outcome = Schedule(*MakeProfile(cluster_, {skipping}));
  EXPECT_EQ(outcome.node.name(), "n000") << "all totals are equal; the first node wins";
  EXPECT_EQ(outcome.feasible, 3u);
}

TEST_F(SchedulePodTest, PreScoreAndScoreErrorsHaveUpstreamsTexts) {
  AddNodes(2);
  const auto pre_score = Scripted(
      "S",
      {.pre_score = [](CycleContext&, const FeasibleNodes&) { return Status::Unschedulable("no"); },
       .score = [](const CycleContext&, const NodeView&) -> int64_t { return 0; }});
  auto outcome = Schedule(*MakeProfile(cluster_, {pre_score}));
  EXPECT_EQ(Text(outcome.error), "Error: running PreScore plugin \"S\": no");
  const auto too_much =
      Scripted("S", {.score = [](const CycleContext&, const NodeView&) -> int64_t { return 101; }});
  outcome = Schedule(*MakeProfile(cluster_, {too_much}));
  EXPECT_EQ(Text(outcome.error),
            "Error: applying score defaultWeights on Score plugins: plugin \"S\" returns an "
            "invalid score 101, it should in the range of [0, 100] after normalizing");
  EXPECT_EQ(outcome.kind, Outcome::Kind::kError);
  EXPECT_TRUE(outcome.unschedulable_plugins.empty());
}

TEST_F(SchedulePodTest, VerdictsKeepResolvability) {
  AddNodes(3);
  static const VerdictReason kNever = VerdictReason::Intern("never");
  const auto profile = MakeProfile(
      cluster_, {Scripted("Filter", {.filter = [](const CycleContext&, const NodeView& node) {
                            return NumberOf(node) == 1
                                       ? Verdict::UnschedulableAndUnresolvable(kNever)
                                       : Reject("not now");
                          }})});
  const auto outcome = Schedule(*profile);
  ASSERT_EQ(outcome.verdicts.entries.size(), 3u);
  EXPECT_EQ(outcome.verdicts.entries[0].verdict.code(), Code::kUnschedulable);
  EXPECT_EQ(outcome.verdicts.entries[1].verdict.code(), Code::kUnschedulableAndUnresolvable);
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: 1 never, 2 not now.");
}

// ---- Nominations. Source: kube-scheduler pkg/scheduler/schedule_one.go, evaluateNominatedNode.

TEST_F(SchedulePodTest, TriesTheNominatedNodeDespitePreFilterNodes) {
  AddNodes(3);
  const auto profile = MakeProfile(
      cluster_, {Narrowing("A", {"n001"}), Keeping([](size_t) { return true; }), ByNumber()});
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n002")).node.name(), "n002");
}

TEST_F(SchedulePodTest, ErrorOnTheNominatedNodeContinuesTheSearch) {
  AddNodes(3);
  bool first = true;
  const auto profile = MakeProfile(
      cluster_,
      {Scripted("Filter", {.filter =
                               [&](const CycleContext&, const NodeView&) {
                                 return std::exchange(first, false)
                                            ? Verdict::Failed(VerdictReason::Intern("lost"))
                                            : Verdict::Fits();
                               }}),
       ByNumber()});
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n001")).node.name(), "n002");
}

TEST_F(SchedulePodTest, NominatedNodeMustFitWithOtherNominatedPods) {
  AddNodes(2);
  const auto profile = MakeProfile(
      cluster_, {Scripted("One", {.filter = [](const CycleContext&, const NodeView& node) {
                            size_t pods = 0;
                            node.ForEachPod([&](const PodInfo&) { ++pods; });
                            return pods == 0 ? Verdict::Fits() : Reject("taken");
                          }})});
  nominated_.Nominate(MakePod("x").Priority(1).Info(cluster_.words()), "n001");
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n001")).node.name(), "n000");
}

TEST_F(SchedulePodTest, VisitsOtherNodesIfTheNominatedOneIsRejected) {
  AddNodes(3);
  const auto profile =
      MakeProfile(cluster_, {Keeping([](size_t n) { return n != 1; }), ByNumber()});
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n001")).node.name(), "n002");
  EXPECT_EQ(start_, 0u);
}

TEST(NodeVerdicts, FindReturnsTheEntryOfANode) {
  NodeVerdicts verdicts;
  EXPECT_EQ(verdicts.Find(0), nullptr);
  for (const Slot slot : {7u, 2u, 4u}) verdicts.entries.push_back({slot, Reject("no"), "P"});
  for (const auto& entry : verdicts.entries) EXPECT_EQ(verdicts.Find(entry.slot), &entry);
  EXPECT_EQ(verdicts.Find(3), nullptr);
  EXPECT_EQ(verdicts.Find(100), nullptr);
}

}  // namespace
}  // namespace berth::scheduler
