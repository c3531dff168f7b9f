// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"
#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeExtenders;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::Passing;
using testing::PodBuilder;
using testing::Reject;
using testing::Scripted;
using testing::ScriptedExtender;
using testing::TestCluster;
using testing::Text;

Result<ExtenderVerdicts> Broken(const PendingPod&, const Snapshot&, std::span<const Slot>) {
  return Fail(Reason::kUnavailable, "connection refused");
}

// Each test runs with a ranking and by visiting the nodes: extenders must not see a difference.
class SearchWithExtenders : public ::testing::TestWithParam<bool> {
 protected:
  void AddNodes(size_t count) {
    for (size_t i = 0; i < count; ++i) cluster_.Add(MakeNode("n" + std::to_string(i)));
  }
  static size_t NumberOf(const std::string& node) { return std::stoul(node.substr(1)); }

  // Plugins with cached results: a filter that accepts nodes by number, and a score of ten times
  // the number.
  static PluginDescriptor Keeping(std::function<bool(size_t)> keep) {
    return Scripted("Filter", {.filter =
                                   [keep](const CycleContext&, const NodeView& node) {
                                     return keep(NumberOf(node.name())) ? Verdict::Fits()
                                                                        : Reject("not this one");
                                   },
                               .key_of = [](const PendingPod&) { return ResultKey::Of(""); },
                               .depends_on = {Epoch::kNodeObject}});
  }
  static PluginDescriptor ByNumber() {
    return Scripted("Score", {.score =
                                  [](const CycleContext&, const NodeView& node) {
                                    return static_cast<int64_t>(10 * NumberOf(node.name()));
                                  },
                              .key_of = [](const PendingPod&) { return ResultKey::Of(""); },
                              .depends_on = {Epoch::kNodeObject}});
  }
  // Returns an answer that rejects all other nodes.
  static ScriptedExtender::FilterAnswer PassingNodes(std::set<std::string> names,
                                                     std::string message = "rejected",
                                                     bool is_resolvable = true) {
    return [=](const PendingPod&, const Snapshot& snapshot, std::span<const Slot> nodes) {
      return Result<ExtenderVerdicts>(Passing(
          snapshot, nodes, [&](const std::string& name) { return names.contains(name); }, message,
          is_resolvable));
    };
  }
  // Returns an answer that scores these nodes.
  static ScriptedExtender::ScoreAnswer Giving(std::map<std::string, int64_t> scores) {
    return [=](const PendingPod&, const Snapshot& snapshot, std::span<const Slot>) {
      ScriptedExtender::Scored given;
      for (const auto& [name, score] : scores) given.push_back({snapshot.Find(name), score});
      return Result<ScriptedExtender::Scored>(given);
    };
  }

  std::shared_ptr<const Profile> Make(std::vector<PluginDescriptor> plugins,
                                      const std::vector<ScriptedExtender*>& scripts,
                                      int32_t percentage = 0) {
    return MakeProfile(cluster_, std::move(plugins), percentage,
                       MakeExtenders(cluster_.handle(), scripts));
  }

  Outcome Schedule(const Profile& profile, const PodBuilder& pod = MakePod("p")) {
    state_ = CycleState();
    trace_ = CycleTrace();
    const auto info = pod.Info(cluster_.words());
    return SchedulePod({.profile = profile,
                        .snapshot = cluster_.snapshot(),
                        .pod = *info,
                        .nominated = nominated_,
                        .start = start_,
                        .trace = is_traced_ ? &trace_ : nullptr,
                        .result_cache = GetParam() ? &result_cache_ : nullptr,
                        .random = &random_},
                       state_);
  }
  std::vector<std::string> Rejectors(const Profile& profile, const Outcome& outcome) const {
    const auto names = profile.NamesOf(outcome.unschedulable_plugins);
    return {names.begin(), names.end()};
  }
  std::string NameOf(Slot slot) const { return cluster_.snapshot().At(slot).name.text(); }

  TestCluster cluster_;
  Nominator nominated_;
  size_t start_ = 0;
  ResultCache result_cache_;
  CycleState state_;
  bool is_traced_ = false;
  CycleTrace trace_;
  double chance_ = 0;
  std::function<double()> random_ = [this] { return chance_; };
};

INSTANTIATE_TEST_SUITE_P(Ways, SearchWithExtenders, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "Ranked" : "Visited"; });

bool All(size_t) { return true; }

TEST_P(SearchWithExtenders, EachExtenderGetsTheNodesLeftByTheOneBefore) {
  AddNodes(4);
  ScriptedExtender a("http://a"), b("http://b");
  a.Filters(PassingNodes({"n1", "n2"}));
  b.Filters(PassingNodes({"n1", "n3"}));
  const auto profile = Make({Keeping([](size_t n) { return n != 3; }), ByNumber()}, {&a, &b});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kPlaced);
  EXPECT_EQ(outcome.node.name(), "n1");
  EXPECT_EQ(outcome.feasible, 1u);
  EXPECT_EQ(outcome.evaluated, 4u);
  EXPECT_THAT(a.calls, ElementsAre("filter p: n0 n1 n2"));
  EXPECT_THAT(b.calls, ElementsAre("filter p: n1 n2"));
  EXPECT_TRUE(outcome.unschedulable_plugins.empty());
  EXPECT_THAT(outcome.verdicts.entries, IsEmpty());
}

TEST_P(SearchWithExtenders, SelectsTheBestAcceptedNodeOfEachAttempt) {
  AddNodes(5);
  ScriptedExtender a("http://a");
  a.Filters(PassingNodes({"n0", "n2", "n3"}));
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  EXPECT_EQ(Schedule(*profile).node.name(), "n3");
  // The answers are not cached.
  a.filter = PassingNodes({"n0", "n4"});
  EXPECT_EQ(Schedule(*profile).node.name(), "n4");
  a.filter = nullptr;
  EXPECT_EQ(Schedule(*profile).node.name(), "n4");
}

TEST_P(SearchWithExtenders, SkipsExtendersNotInterestedInThePod) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters(Broken).Scores(1).Preempts().Binds();
  a.spec.managed_resources = {{"example.com/gpu"}};
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  EXPECT_EQ(Schedule(*profile).node.name(), "n2");
  EXPECT_THAT(a.calls, IsEmpty());
  EXPECT_EQ(state_.Read<InterestedExtenders>(), nullptr);
  EXPECT_EQ(Schedule(*profile, MakePod("p").Requests("example.com/gpu=1")).kind,
            Outcome::Kind::kError);
}

TEST_P(SearchWithExtenders, DoesNotCallExtendersIfNoNodeFits) {
  AddNodes(2);
  ScriptedExtender a("http://a");
  a.Filters();
  const auto profile = Make({Keeping([](size_t) { return false; })}, {&a});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available: 2 not this one.");
  EXPECT_THAT(Rejectors(*profile, outcome), ElementsAre("Filter"));
  EXPECT_THAT(a.calls, IsEmpty());
}

// ---- Rejections

TEST_P(SearchWithExtenders, MessageCombinesReasonsOfExtendersAndPlugins) {
  AddNodes(4);
  ScriptedExtender a("http://a");
  a.Filters([this](const PendingPod&, const Snapshot& snapshot, std::span<const Slot> nodes) {
    ExtenderVerdicts verdicts = Passing(
        snapshot, nodes, [](const std::string&) { return false; }, "no license");
    verdicts.rejections[0].message = "wrong rack";
    verdicts.rejections[0].is_resolvable = false;
    verdicts.rejections.erase(verdicts.rejections.begin() + 1);  // n1 has no reason
    return verdicts;
  });
  const auto profile = Make({Keeping([](size_t n) { return n != 3; })}, {&a});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kUnschedulable);
  EXPECT_EQ(FitErrorText(outcome),
            "0/4 nodes are available: 1 no license, 1 not this one, 1 wrong rack.");
  EXPECT_THAT(Rejectors(*profile, outcome), ElementsAre("Extender", "Filter"));
  EXPECT_TRUE(outcome.pending_plugins.empty());
  // Preemption may try the nodes where removing pods helps.
  const auto code_of = [&](const std::string& node) {
    return outcome.verdicts.CodeOf(cluster_.snapshot().Find(node));
  };
  EXPECT_EQ(code_of("n0"), Code::kUnschedulableAndUnresolvable);
  EXPECT_NE(code_of("n1"), Code::kUnschedulable);
  EXPECT_EQ(code_of("n2"), Code::kUnschedulable);
  EXPECT_EQ(code_of("n3"), Code::kUnschedulable);
  EXPECT_THAT(a.calls, ElementsAre("filter p: n0 n1 n2")) << "called once";
}

TEST_P(SearchWithExtenders, VerdictsKeepTheVisitingOrder) {
  AddNodes(250);
  start_ = 200;
  ScriptedExtender a("http://a");
  a.Filters(PassingNodes({}, "no license"));
  const auto profile =
      Make({Keeping([](size_t n) { return n % 2 == 0; }), ByNumber()}, {&a}, /*percentage=*/40);
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(FitErrorText(outcome), "0/250 nodes are available: 100 no license, 100 not this one.");
  EXPECT_EQ(NameOf(outcome.verdicts.entries.at(0).slot), "n201");
  EXPECT_EQ(NameOf(outcome.verdicts.entries.at(99).slot), "n149");
  EXPECT_EQ(NameOf(outcome.verdicts.entries.at(100).slot), "n200");
  EXPECT_EQ(start_, 150u);
}

TEST_P(SearchWithExtenders, ReportsReasonOfFirstRejectingExtender) {
  AddNodes(3);
  ScriptedExtender a("http://a"), b("http://b"), c("http://c");
  a.Filters(PassingNodes({"n1"}, "by a"));
  b.Filters(PassingNodes({}, "by b"));
  c.Filters(PassingNodes({}, "by c"));
  const auto profile = Make({Keeping(All)}, {&a, &b, &c});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: 1 by b, 2 by a.");
  EXPECT_THAT(Rejectors(*profile, outcome), ElementsAre("Extender"));
  EXPECT_THAT(c.calls, IsEmpty());
}

TEST_P(SearchWithExtenders, EmptyFilterAnswerRejectsAllNodes) {
  AddNodes(2);
  ScriptedExtender a("http://a");
  a.Filters(PassingNodes({}, ""));
  const auto profile = Make({Keeping(All)}, {&a});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(FitErrorText(outcome), "0/2 nodes are available:");
  EXPECT_THAT(Rejectors(*profile, outcome), ElementsAre("Extender"));
}

TEST_P(SearchWithExtenders, ExtenderErrorFailsTheAttempt) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters(Broken);
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kError);
  EXPECT_EQ(Text(outcome.error), "Error: connection refused");
  EXPECT_TRUE(outcome.unschedulable_plugins.empty());
  a.filter = [](const auto&, const auto&, auto) -> Result<ExtenderVerdicts> {
    throw std::runtime_error("no memory");
  };
  EXPECT_EQ(Text(Schedule(*profile).error), "Error: threw an exception: no memory");
}

TEST_P(SearchWithExtenders, IgnoresErrorOfIgnorableExtender) {
  AddNodes(3);
  ScriptedExtender a("http://a"), b("http://b");
  a.Ignorable().Filters(Broken);
  b.Ignorable().Filters(PassingNodes({"n0", "n1"}));
  const auto profile = Make({Keeping(All), ByNumber()}, {&a, &b});
  EXPECT_EQ(Schedule(*profile).node.name(), "n1");
  EXPECT_THAT(b.calls, ElementsAre("filter p: n0 n1 n2"));
}

// ---- Number of visited nodes

TEST_P(SearchWithExtenders, StopsAtOneNodeUnlessAnExtenderFiltersOrScores) {
  AddNodes(5);
  ScriptedExtender idle("http://a"), filters("http://b"), scores("http://c");
  filters.Filters();
  scores.Scores(1);
  const auto feasible = [&](const std::vector<ScriptedExtender*>& extenders) {
    return Schedule(*Make({Keeping(All)}, extenders)).feasible;
  };
  EXPECT_EQ(feasible({}), 1u);
  EXPECT_EQ(feasible({&idle}), 1u);
  EXPECT_EQ(feasible({&filters}), 5u);
  EXPECT_EQ(feasible({&scores}), 5u);
}

TEST_P(SearchWithExtenders, FiltersTheSampleAndContinuesAfterIt) {
  AddNodes(250);
  ScriptedExtender a("http://a");
  size_t asked = 0;
  a.Filters([&](const auto&, const auto&, std::span<const Slot> nodes) {
    asked = nodes.size();
    return ExtenderVerdicts{{nodes[7], nodes[3]}, {}};
  });
  const auto profile = Make({Keeping(All), ByNumber()}, {&a}, /*percentage=*/50);
  const auto outcome = Schedule(*profile);
  EXPECT_EQ(asked, 125u);
  EXPECT_EQ(outcome.feasible, 2u);
  EXPECT_EQ(start_, 125u);
  a.filter = PassingNodes({}, "full");
  EXPECT_EQ(FitErrorText(Schedule(*profile)), "0/250 nodes are available: 125 full.");
  EXPECT_EQ(start_, 0u);
}

// ---- The nominated node

TEST_P(SearchWithExtenders, TakesTheNominatedNodeIfExtendersAcceptIt) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters().Scores(1);
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n1")).node.name(), "n1");
  EXPECT_THAT(a.calls, ElementsAre("filter p: n1"));
  EXPECT_EQ(start_, 0u);
}

TEST_P(SearchWithExtenders, VisitsAllNodesIfExtendersRejectTheNominatedOne) {
  AddNodes(3);
  for (const bool fails : {false, true}) {
    start_ = 0;
    ScriptedExtender a("http://a");
    a.Filters([fails, first = true](const PendingPod& pod, const Snapshot& snapshot,
                                    std::span<const Slot> nodes) mutable {
      if (fails && std::exchange(first, false)) return Broken(pod, snapshot, nodes);
      return PassingNodes({"n0", "n2"})(pod, snapshot, nodes);
    });
    const auto profile = Make({Keeping(All), ByNumber()}, {&a});
    EXPECT_EQ(Schedule(*profile, MakePod("p").Nominated("n1")).node.name(), "n2");
    EXPECT_THAT(a.calls, ElementsAre("filter p: n1", "filter p: n0 n1 n2"));
    // Upstream counts results: three of plugins, and the first one of the extender.
    EXPECT_EQ(start_, fails ? 0u : 1u);
  }
}

TEST_P(SearchWithExtenders, CountsARejectedNominatedNodeOnce) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters(PassingNodes({}, "full"));
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  const auto outcome = Schedule(*profile, MakePod("p").Nominated("n1"));
  EXPECT_EQ(FitErrorText(outcome), "0/3 nodes are available: 3 full.");
  EXPECT_EQ(outcome.verdicts.entries.size(), 3u);
}

TEST_P(SearchWithExtenders, KeepsTheNominatedNodesReasonIfTheSecondHasNone) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters([](const PendingPod& pod, const Snapshot& snapshot, std::span<const Slot> nodes) {
    return PassingNodes({}, nodes.size() == 1 ? "early" : "")(pod, snapshot, nodes);
  });
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});
  EXPECT_EQ(FitErrorText(Schedule(*profile, MakePod("p").Nominated("n1"))),
            "0/3 nodes are available: 1 early.");
}

// ---- Preemption

TEST_P(SearchWithExtenders, ReviewsCandidatesEvenIfPreFilterRejectsThePod) {
  AddNodes(1);
  for (const bool is_rejected : {false, true}) {
    ScriptedExtender a("http://a");
    a.Preempts();
    a.spec.managed_resources = {{"example.com/gpu"}};
    std::vector<bool> reviews;
    const auto profile = Make(
        {Scripted("Pre", {.pre_filter =
                              [&](CycleContext&) {
                                return PreFilterResult::Of(is_rejected ? Status::Unschedulable("no")
                                                                       : Status::Success());
                              }}),
         Keeping([](size_t) { return false; }),
         Scripted("Post", {.post_filter =
                               [&](PostFilterContext& context) {
                                 reviews.push_back(context.review != nullptr);
                                 return PostFilterResult{Status::Unschedulable("no")};
                               }})},
        {&a});
    Schedule(*profile);
    Schedule(*profile, MakePod("p").Requests("example.com/gpu=1"));
    EXPECT_THAT(reviews, ElementsAre(false, true));
  }
}

// ---- Scores. Follows the cases of kube-scheduler pkg/scheduler/extender_test.go and
// schedule_one_test.go, Test_prioritizeNodes.

TEST_P(SearchWithExtenders, TotalsAreExtenderScoresIfNoPluginScores) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Scores(1, Giving({{"n1", 3}}));
  is_traced_ = true;
  EXPECT_EQ(Schedule(*Make({Keeping(All)}, {&a})).node.name(), "n1");
  std::map<std::string, int64_t> totals;
  for (const auto& row : trace_.totals) totals[NameOf(row.slot)] = row.total;
  EXPECT_EQ(totals, (std::map<std::string, int64_t>{{"n0", 0}, {"n1", 30}, {"n2", 0}}));
}

TEST_P(SearchWithExtenders, MultipliesScoresByTenAndWeight) {
  AddNodes(3);
  ScriptedExtender a("http://a"), b("http://b");
  a.Scores(2, Giving({{"n0", 10}, {"n1", 1}}));
  b.Scores(1, Giving({{"n1", 3}}));
  is_traced_ = true;
  const auto profile = Make({Keeping(All), ByNumber()}, {&a, &b});
  EXPECT_EQ(Schedule(*profile).node.name(), "n0");
  std::map<std::string, int64_t> totals;
  for (const auto& row : trace_.totals) totals[NameOf(row.slot)] = row.total;
  EXPECT_EQ(totals,
            (std::map<std::string, int64_t>{{"n0", 200}, {"n1", 10 + 20 + 30}, {"n2", 20}}));
  std::vector<std::string> rows;
  for (const auto& row : trace_.scores) {
    if (row.plugin == "Score") continue;
    rows.push_back(std::string(row.plugin) + " " + NameOf(row.slot) + " " +
                   std::to_string(row.raw) + " " + std::to_string(row.normalized) + " x" +
                   std::to_string(row.weight));
  }
  EXPECT_THAT(rows,
              ElementsAre("http://a n0 10 100 x2", "http://a n1 1 10 x2", "http://b n1 3 30 x1"));
  EXPECT_THAT(a.calls, ElementsAre("prioritize p: n0 n1 n2"));
  EXPECT_THAT(b.calls, ElementsAre("prioritize p: n0 n1 n2"));
}

TEST_P(SearchWithExtenders, CallsAllExtendersBeforeAwaitingScores) {
  AddNodes(2);
  ScriptedExtender a("http://a"), b("http://b");
  size_t asked_of_b = 0;
  a.Scores(1, [&](const auto&, const auto&, auto) {
    asked_of_b = b.calls.size();
    return Result<ScriptedExtender::Scored>(ScriptedExtender::Scored());
  });
  b.Scores(1);
  Schedule(*Make({Keeping(All), ByNumber()}, {&a, &b}));
  EXPECT_EQ(asked_of_b, 1u);
}

TEST_P(SearchWithExtenders, IgnoresScoreErrorsOfAllExtenders) {
  AddNodes(3);
  ScriptedExtender a("http://a"), b("http://b"), c("http://c");
  a.Scores(5, [](const auto&, const auto&, auto) -> Result<ScriptedExtender::Scored> {
    return Fail(Reason::kTimeout, "timeout");
  });
  b.Scores(5, [](const auto&, const auto&, auto) -> Result<ScriptedExtender::Scored> {
    throw std::runtime_error("no memory");
  });
  c.Scores(1, Giving({{"n0", 10}}));
  EXPECT_EQ(Schedule(*Make({Keeping(All), ByNumber()}, {&a, &b, &c})).node.name(), "n0");
}

TEST_P(SearchWithExtenders, DoesNotScoreASingleNode) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters(PassingNodes({"n1"})).Scores(1);
  EXPECT_EQ(Schedule(*Make({Keeping(All), ByNumber()}, {&a})).node.name(), "n1");
  EXPECT_THAT(a.calls, ElementsAre("filter p: n0 n1 n2"));
}

TEST_P(SearchWithExtenders, ExcessiveScoresSaturate) {
  AddNodes(2);
  ScriptedExtender a("http://a");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  a.Scores(1000, Giving({{"n0", kMost}, {"n1", -kMost}}));
  EXPECT_EQ(Schedule(*Make({Keeping(All), ByNumber()}, {&a})).node.name(), "n0");
}

// ---- Ties

TEST_P(SearchWithExtenders, SelectsRandomlyAmongScoredNodesWithEqualTotals) {
  AddNodes(4);
  ScriptedExtender a("http://a");
  a.Scores(1, Giving({{"n1", 5}, {"n2", 5}, {"n3", 5}}));
  const auto profile = Make({Keeping(All)}, {&a});
  const auto chosen = [&](double chance) {
    chance_ = chance;
    return Schedule(*profile).node.name();
  };
  EXPECT_EQ(chosen(0), "n1");
  EXPECT_EQ(chosen(0.4), "n2");
  EXPECT_EQ(chosen(0.999), "n3");
  a.prioritize = Giving({{"n2", 0}});
  EXPECT_EQ(chosen(0), "n2") << "a scored node wins over equal nodes without a score";
  a.prioritize = nullptr;  // scores no node
  EXPECT_EQ(chosen(0.999), "n0");
}

TEST_P(SearchWithExtenders, ExtenderWithoutPrioritizeCountsAsScoringAllNodes) {
  AddNodes(4);
  ScriptedExtender a("http://a");
  a.Filters();
  const auto profile = Make({Keeping(All)}, {&a});
  chance_ = 0.999;
  EXPECT_EQ(Schedule(*profile).node.name(), "n3");
  EXPECT_THAT(a.calls, ElementsAre("filter p: n0 n1 n2 n3"));
}

TEST_P(SearchWithExtenders, TraceRecordsExtenderVerdicts) {
  AddNodes(3);
  ScriptedExtender a("http://a");
  a.Filters([](const PendingPod&, const Snapshot&, std::span<const Slot> nodes) {
    return Result<ExtenderVerdicts>(ExtenderVerdicts{{nodes[2]}, {{nodes[0], "full", true}}});
  });
  is_traced_ = true;
  const auto profile = Make({Keeping(All), ByNumber()}, {&a});  // must outlive the trace's names
  Schedule(*profile);
  std::vector<std::string> rows;
  for (const auto& row : trace_.filters) {
    if (row.plugin == "http://a") rows.push_back(NameOf(row.slot) + " " + Text(row.verdict));
  }
  EXPECT_THAT(
      rows, ElementsAre("n0 Unschedulable: full", "n1 UnschedulableAndUnresolvable", "n2 Success"));
}

}  // namespace
}  // namespace berth::scheduler
