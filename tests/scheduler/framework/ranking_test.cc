// SPDX-License-Identifier: Apache-2.0
// Tests the amount of repeated work: each test counts the nodes for which plugins were called.
// tests/scheduler/reuse shows that the results are the same.
#include "scheduler/framework/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::Reject;
using testing::Script;
using testing::Scripted;
using testing::TestCluster;

class RankingTest : public ::testing::Test {
 protected:
  RankingTest() {
    for (const char* name : {"a", "b", "c", "d"}) cluster_.Add(MakeNode(name).Label("rank", "1"));
  }

  static ResultKey AnyPod(const PendingPod&) { return ResultKey::Of(""); }
  static int64_t RankOf(const NodeView& node) {
    return std::stol(node.node().metadata.labels.at("rank"));
  }

  // Rejects nodes with the label "closed"; reads the Node object.
  PluginDescriptor Open() {
    return Scripted("Open", {.filter =
                                 [this](const CycleContext&, const NodeView& node) {
                                   filtered_.push_back(node.name());
                                   const bool closed =
                                       node.node().metadata.labels.contains("closed");
                                   return closed ? Reject("closed") : Verdict::Fits();
                                 },
                             .key_of = AnyPod,
                             .depends_on = {Epoch::kNodeObject}});
  }
  // Scores by the label "rank".
  PluginDescriptor ByRank(Normalizer normalizer = Normalizer::kNone) {
    return Scripted("Rank", {.score =
                                 [this](const CycleContext&, const NodeView& node) {
                                   scored_.push_back(node.name());
                                   return RankOf(node);
                                 },
                             .normalizer = normalizer,
                             .key_of = AnyPod,
                             .depends_on = {Epoch::kNodeObject}});
  }
  // Prefers nodes with few pods.
  PluginDescriptor ByPods() {
    return Scripted("Pods", {.score =
                                 [this](const CycleContext&, const NodeView& node) {
                                   scored_.push_back(node.name());
                                   return int64_t{50} -
                                          static_cast<int64_t>(node.info().pods.size());
                                 },
                             .key_of = AnyPod,
                             .depends_on = {Epoch::kNodePods}});
  }

  // Rejects the nodes whose name is in `full`; its results have no key.
  PluginDescriptor Dynamic(const std::string& full) {
    return Scripted("Dynamic", {.filter =
                                    [this, &full](const CycleContext&, const NodeView& node) {
                                      if (full == "throw") throw std::runtime_error("broken");
                                      asked_.push_back(node.name());
                                      const bool is_full = full.find(node.name()) != full.npos;
                                      return is_full ? Reject("full") : Verdict::Fits();
                                    },
                                .depends_on = {Epoch::kNodeObject}});
  }

  // Returns the selected node; filtered_, asked_ and scored_ are the nodes that plugins were called
  // for.
  std::string Schedule(const Profile& profile, CycleTrace* trace = nullptr) {
    filtered_.clear();
    asked_.clear();
    scored_.clear();
    CycleState state;
    const auto pod = MakePod("p").Info(cluster_.words());
    outcome_ = SchedulePod({.profile = profile,
                            .snapshot = cluster_.snapshot(),
                            .pod = *pod,
                            .nominated = nominated_,
                            .start = start_,
                            .trace = trace,
                            .result_cache = &result_cache_},
                           state);
    return outcome_.node.name();
  }
  // Returns the totals of the feasible nodes, from a trace.
  std::vector<int64_t> Totals(const Profile& profile) {
    CycleTrace trace;
    Schedule(profile, &trace);
    std::vector<int64_t> totals;
    for (const auto& row : trace.totals) totals.push_back(row.total);
    return totals;
  }
  void Update(const NodeBuilder& node) { cluster_.cache().UpdateNode(node.Build()); }

  TestCluster cluster_;
  Nominator nominated_;
  ResultCache result_cache_;
  size_t start_ = 0;
  Outcome outcome_;
  std::vector<std::string> filtered_, asked_, scored_;
};

TEST_F(RankingTest, SecondEquivalentPodCallsNoPlugin) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank()});
  EXPECT_EQ(Schedule(*profile), "a");
  EXPECT_THAT(filtered_, ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(Schedule(*profile), "a");
  EXPECT_THAT(filtered_, IsEmpty());
  EXPECT_THAT(scored_, IsEmpty());
}

TEST_F(RankingTest, EvaluatesOnlyTheChangedNode) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank()});
  Schedule(*profile);
  Update(MakeNode("c").Label("rank", "7"));
  EXPECT_EQ(Schedule(*profile), "c");
  EXPECT_THAT(filtered_, ElementsAre("c"));
  EXPECT_THAT(scored_, ElementsAre("c"));
}

TEST_F(RankingTest, NewPodRescoresOnlyPodDependentPluginsOnItsNode) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank(), ByPods()});
  EXPECT_EQ(Schedule(*profile), "a");
  cluster_.Add(MakePod("x").OnNode("a"));
  EXPECT_EQ(Schedule(*profile), "b");
  EXPECT_THAT(filtered_, IsEmpty());
  EXPECT_THAT(scored_, ElementsAre("a"));
}

TEST_F(RankingTest, NewHighestScoreRescalesAllTotals) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank(Normalizer::kDefault)});
  Schedule(*profile);
  Update(MakeNode("c").Label("rank", "4"));
  EXPECT_THAT(Totals(*profile), ElementsAre(25, 25, 100, 25));
  EXPECT_EQ(outcome_.node.name(), "c");
  EXPECT_THAT(scored_, ElementsAre("c")) << "the other raw scores are unchanged";
}

TEST_F(RankingTest, FollowsAddedAndRemovedNodes) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank()});
  Schedule(*profile);
  cluster_.cache().RemoveNode("a");
  EXPECT_EQ(Schedule(*profile), "b");
  EXPECT_THAT(filtered_, IsEmpty());
  cluster_.Add(MakeNode("e").Label("rank", "9"));
  EXPECT_EQ(Schedule(*profile), "e");
  EXPECT_THAT(filtered_, ElementsAre("e"));
}

TEST_F(RankingTest, FindsANodeAddedAfterItsPods) {
  const auto profile = MakeProfile(cluster_, {ByPods()});
  cluster_.Add(MakePod("x").OnNode("late"));
  Schedule(*profile);
  for (const char* name : {"a", "b", "c", "d"}) {
    cluster_.Add(MakePod(std::string(name) + "1").OnNode(name));
    cluster_.Add(MakePod(std::string(name) + "2").OnNode(name));
  }
  Schedule(*profile);
  cluster_.Add(MakeNode("late"));
  EXPECT_EQ(Schedule(*profile), "late");
}

TEST_F(RankingTest, RejectionEndsWithItsCause) {
  const auto profile = MakeProfile(cluster_, {Open(), ByRank()});
  Update(MakeNode("d").Label("rank", "9").Label("closed", ""));
  EXPECT_EQ(Schedule(*profile), "a");
  Update(MakeNode("d").Label("rank", "9"));
  EXPECT_EQ(Schedule(*profile), "d");
  EXPECT_THAT(filtered_, ElementsAre("d"));
  Update(MakeNode("d").Label("rank", "9").Label("closed", ""));
  EXPECT_EQ(Schedule(*profile), "a");
}

TEST_F(RankingTest, CallsOnlyDynamicFiltersInEachAttempt) {
  Update(MakeNode("d").Label("rank", "9").Label("closed", ""));
  std::string full = "a";
  const auto profile = MakeProfile(cluster_, {Dynamic(full), Open(), ByRank()});
  EXPECT_EQ(Schedule(*profile), "b");
  EXPECT_THAT(asked_, ElementsAre("a", "b", "c"))
      << "only for nodes that the static filters accept";
  full = "b";
  EXPECT_EQ(Schedule(*profile), "a");
  EXPECT_THAT(asked_, ElementsAre("a", "b", "c"));
  EXPECT_THAT(filtered_, IsEmpty());
  EXPECT_THAT(scored_, IsEmpty());
}

TEST_F(RankingTest, ReportsAllReasonsIfADynamicFilterLeavesNoNode) {
  Update(MakeNode("d").Label("closed", ""));
  std::string full = "abc";
  const auto profile = MakeProfile(cluster_, {Dynamic(full), Open(), ByRank()});
  EXPECT_EQ(Schedule(*profile), "");
  EXPECT_EQ(FitErrorText(outcome_), "0/4 nodes are available: 1 closed, 3 full.");
  EXPECT_THAT(profile->NamesOf(outcome_.unschedulable_plugins), ElementsAre("Dynamic", "Open"));
}

TEST_F(RankingTest, FailingDynamicFilterIsNamed) {
  std::string full = "throw";
  const auto profile = MakeProfile(cluster_, {Open(), Dynamic(full), ByRank()});
  EXPECT_EQ(Schedule(*profile), "");
  EXPECT_EQ(outcome_.error.plugin, "Dynamic");
  EXPECT_EQ(outcome_.evaluated, 0u);
  EXPECT_EQ(start_, 0u) << "the search made no progress";
}

TEST_F(RankingTest, ScalesOverTheRemainingNodes) {
  std::string full;
  const auto profile = MakeProfile(cluster_, {Dynamic(full), ByRank(Normalizer::kDefault)});
  Update(MakeNode("b").Label("rank", "2"));
  Update(MakeNode("c").Label("rank", "4"));
  Schedule(*profile);
  EXPECT_THAT(Totals(*profile), ElementsAre(25, 50, 100, 25));
  full = "c";
  EXPECT_THAT(Totals(*profile), ElementsAre(50, 100, 50)) << "the highest score was removed";
  full = "a";
  EXPECT_THAT(Totals(*profile), ElementsAre(50, 100, 25));
  EXPECT_THAT(scored_, IsEmpty()) << "the other raw scores are unchanged";
}

TEST_F(RankingTest, LimitAppliesToTheRemainingNodes) {
  for (int i = 0; i < 200; ++i) {
    cluster_.Add(MakeNode("n" + std::to_string(1000 + i)).Label("rank", "1"));
  }
  std::string full = "acd";
  const auto profile = MakeProfile(cluster_, {Dynamic(full), ByRank()}, /*percentage=*/5);
  start_ = 1;
  EXPECT_EQ(Schedule(*profile), "b");
  EXPECT_EQ(outcome_.feasible, 100u) << "the minimum number";
  EXPECT_EQ(outcome_.evaluated, 102u) << "including c and d";
  EXPECT_EQ(start_, 103u);
}

TEST_F(RankingTest, AddsCustomNormalizedScoresInEachAttempt) {
  const Script script{
      .score = [](const CycleContext&, const NodeView& node) { return RankOf(node); },
      .normalizer = Normalizer::kCustom,
      .normalize =
          [](std::span<const Slot>, std::span<int64_t> scores) {
            for (int64_t& score : scores) score = 100 - score;
            return Status::Success();
          },
      .key_of = AnyPod,
      .depends_on = {Epoch::kNodeObject}};
  const auto profile = MakeProfile(cluster_, {ByRank(), Scripted("Custom", script)});
  Schedule(*profile);
  CycleTrace trace;
  Update(MakeNode("b").Label("rank", "3"));
  Schedule(*profile, &trace);
  for (const auto& row : trace.totals) EXPECT_EQ(row.total, 100) << row.slot;
  EXPECT_EQ(trace.totals.size(), 4u);
}

TEST_F(RankingTest, RetriesAFailedPlugin) {
  bool broken = true;
  const Script script{.filter =
                          [&](const CycleContext&, const NodeView& node) {
                            if (broken && node.name() == "b") throw std::runtime_error("broken");
                            return Verdict::Fits();
                          },
                      .key_of = AnyPod,
                      .depends_on = {Epoch::kNodeObject}};
  const auto profile = MakeProfile(cluster_, {Scripted("Moody", script), ByRank()});
  EXPECT_EQ(Schedule(*profile), "");
  broken = false;
  EXPECT_EQ(Schedule(*profile), "a");
}

TEST_F(RankingTest, ExcludesNodesFilledByNominatedPods) {
  const Script script{.filter =
                          [](const CycleContext&, const NodeView& node) {
                            size_t pods = 0;
                            node.ForEachPod([&pods](const PodInfo&) { ++pods; });
                            return pods == 0 ? Verdict::Fits() : Reject("taken");
                          },
                      .key_of = AnyPod,
                      .depends_on = {Epoch::kNodePods}};
  const auto profile = MakeProfile(cluster_, {Scripted("One", script), ByRank()});
  EXPECT_EQ(Schedule(*profile), "a");
  nominated_.Nominate(MakePod("rival").Priority(1).Info(cluster_.words()), "a");
  EXPECT_EQ(Schedule(*profile), "b");
  nominated_.Delete("uid-rival");
  EXPECT_EQ(Schedule(*profile), "a") << "simulated results are not cached";
}

TEST_F(RankingTest, ChangedVersionsReevaluateOnePluginOnAllNodes) {
  Versions of_filter{1}, of_score{1};
  const auto profile = MakeProfile(
      cluster_,
      {Scripted("Filter", {.filter =
                               [this](const CycleContext&, const NodeView& node) {
                                 filtered_.push_back(node.name());
                                 return Verdict::Fits();
                               },
                           .key_of = AnyPod,
                           .versions_of = [&](const auto&, const auto&) { return of_filter; },
                           .depends_on = {Epoch::kNodeObject}}),
       Scripted("Score", {.score =
                              [this](const CycleContext&, const NodeView& node) {
                                scored_.push_back(node.name());
                                return int64_t{1};
                              },
                          .key_of = AnyPod,
                          .versions_of = [&](const auto&, const auto&) { return of_score; },
                          .depends_on = {Epoch::kNodeObject}})});
  Schedule(*profile);
  Schedule(*profile);
  EXPECT_THAT(filtered_, IsEmpty());
  EXPECT_THAT(scored_, IsEmpty());
  of_filter = {2};
  Schedule(*profile);
  EXPECT_THAT(filtered_, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(scored_, IsEmpty());
  of_score = {2};
  Schedule(*profile);
  EXPECT_THAT(filtered_, IsEmpty());
  EXPECT_THAT(scored_, ElementsAre("a", "b", "c", "d"));
}

TEST_F(RankingTest, DoesNotCacheReasonsOfOneAttempt) {
  const auto profile = MakeProfile(
      cluster_, {Scripted("Own", {.filter =
                                      [this](const CycleContext& cycle, const NodeView& node) {
                                        filtered_.push_back(node.name());
                                        return Verdict::Unschedulable(
                                            cycle.state.reasons().Add("not on " + node.name()));
                                      },
                                  .key_of = AnyPod,
                                  .depends_on = {Epoch::kNodeObject}})});
  Schedule(*profile);
  EXPECT_EQ(Schedule(*profile), "");
  EXPECT_THAT(filtered_, ElementsAre("a", "b", "c", "d"));
}

}  // namespace
}  // namespace berth::scheduler
