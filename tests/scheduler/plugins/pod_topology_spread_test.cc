// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/plugins/pod_topology_spread_fixture.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::MakePod;
using testing::MakeReplicaSet;
using testing::MakeService;
using testing::Simulated;
using testing::Text;

constexpr const char* kTooMany =
    "Unschedulable: node(s) didn't match pod topology spread constraints";
constexpr const char* kNoKey =
    "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing "
    "required label)";

TEST_F(PodTopologySpreadTest, RejectsDomainAboveMinimumPlusMaxSkew) {
  AddZones();
  AddWebPods("a", 2);
  AddWebPods("c", 1);
  EXPECT_EQ(Filter(WebPod("p").Spread(Hard(kZone))),
            (Answers{{"a", kTooMany}, {"b", kTooMany}, {"c", "Success"}, {"d", kNoKey}}));
  EXPECT_EQ(Filter(WebPod("p").Spread(Hard(kZone, 2)))["a"], "Success");
  EXPECT_EQ(Filter(MakePod("not-counted-itself").Spread(Hard(kZone)))["a"], "Success");
}

TEST_F(PodTopologySpreadTest, ChecksAllConstraintsInOrder) {
  AddZones();
  AddWebPods("c", 1);
  const PodBuilder pod = WebPod("p").Spread(Hard(kZone)).Spread(Hard(kHost));
  EXPECT_EQ(Filter(pod),
            (Answers{{"a", "Success"}, {"b", "Success"}, {"c", kTooMany}, {"d", kNoKey}}));
  AddWebPods("d", 3);
  EXPECT_EQ(Filter(WebPod("p").Spread(Hard(kHost)).Spread(Hard(kZone)))["d"], kNoKey)
      << "pods on a node that lacks one of the keys do not count";
}

TEST_F(PodTopologySpreadTest, IgnoresOtherNamespacesAndTerminatingPods) {
  AddZones();
  cluster_.Add(WebPod("gone").OnNode("a").Terminating());
  cluster_.Add(WebPod("other").Namespace("other").OnNode("a"));
  EXPECT_EQ(Filter(WebPod("p").Spread(Hard(kZone)))["a"], "Success");
}

TEST_F(PodTopologySpreadTest, EmptySelectorCountsOnlyThePodItself) {
  AddZones();
  AddWebPods("a", 5);
  api::TopologySpreadConstraint everything = Hard(kZone);
  everything.label_selector = api::LabelSelector();
  EXPECT_EQ(Filter(MakePod("p").Spread(everything))["a"], "Success");
  EXPECT_EQ(FilterSimulated(MakePod("p").Spread(everything), "a",
                            Simulated{{Placed(MakePod("x").OnNode("a"))}}),
            kTooMany)
      << "a simulated pod counts";
}

TEST_F(PodTopologySpreadTest, NullSelectorCountsNoPods) {
  AddZones();
  AddWebPods("a", 5);
  api::TopologySpreadConstraint nothing = Hard(kZone);
  nothing.label_selector = {};
  nothing.match_label_keys = {"app"};
  EXPECT_EQ(Filter(WebPod("p").Spread(nothing))["a"], "Success");
}

TEST_F(PodTopologySpreadTest, MatchLabelKeysNarrowTheSelector) {
  AddZones();
  cluster_.Add(WebPod("old").Label("hash", "1").OnNode("a"));
  api::TopologySpreadConstraint by_hash = Hard(kZone);
  by_hash.match_label_keys = {"hash", "absent"};
  EXPECT_EQ(Filter(WebPod("p").Label("hash", "1").Spread(by_hash))["a"], kTooMany);
  EXPECT_EQ(Filter(WebPod("p").Label("hash", "2").Spread(by_hash))["a"], "Success");
  EXPECT_EQ(Filter(WebPod("p").Spread(by_hash))["a"], kTooMany);
}

TEST_F(PodTopologySpreadTest, MinimumIsZeroBelowMinDomains) {
  AddZones();
  AddWebPods("a", 1);
  AddWebPods("c", 1);
  api::TopologySpreadConstraint constraint = Hard(kZone);
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint))["a"], "Success");
  constraint.min_domains = 2;
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint))["a"], "Success");
  constraint.min_domains = 3;
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint))["a"], kTooMany);
}

TEST_F(PodTopologySpreadTest, IgnoresNodesExcludedByAffinity) {
  AddZones();
  AddWebPods("c", 1);
  const PodBuilder pod = WebPod("p").NodeSelector(kZone, "2");
  api::TopologySpreadConstraint constraint = Hard(kZone);
  EXPECT_EQ(Filter(PodBuilder(pod).Spread(constraint))["c"], "Success") << "zone 1 is excluded";
  constraint.node_affinity_policy = "Ignore";
  EXPECT_EQ(Filter(PodBuilder(pod).Spread(constraint))["c"], kTooMany);
}

TEST_F(PodTopologySpreadTest, CountsTaintedNodesUnlessHonored) {
  AddNode("a", "1");
  cluster_.Add(MakeNode("t").Label(kZone, "2").Taint("gpu"));
  AddWebPods("a", 1);
  api::TopologySpreadConstraint constraint = Hard(kZone);
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint))["a"], kTooMany);
  constraint.node_taints_policy = "Honor";
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint))["a"], "Success");
  EXPECT_EQ(Filter(WebPod("p").Toleration("gpu").Spread(constraint))["a"], kTooMany);
}

TEST_F(PodTopologySpreadTest, AdmitsNodeExcludedFromCounting) {
  AddNode("a", "1");
  cluster_.Add(MakeNode("t").Label(kZone, "2").Taint("gpu"));
  AddWebPods("t", 4);
  api::TopologySpreadConstraint constraint = Hard(kZone);
  constraint.node_taints_policy = "Honor";
  EXPECT_EQ(Filter(WebPod("p").Spread(constraint)), (Answers{{"a", "Success"}, {"t", "Success"}}));
}

TEST_F(PodTopologySpreadTest, SkipsPodWithoutHardConstraints) {
  AddZones();
  EXPECT_EQ(Filter(WebPod("p")), (Answers{{"", "Skip"}}));
  EXPECT_EQ(Filter(WebPod("p").Spread(Soft(kZone))), (Answers{{"", "Skip"}}));
}

TEST_F(PodTopologySpreadTest, FailsOnInvalidSelector) {
  AddZones();
  api::TopologySpreadConstraint bad = Hard(kZone);
  bad.label_selector.Edit().match_expressions = {{"app", "Near", {}}};
  EXPECT_EQ(Filter(WebPod("p").Spread(bad))[""],
            "Error: get constraints from pod: obtaining pod's hard topology spread constraints: "
            "\"Near\" is not a valid label selector operator");
  bad.when_unsatisfiable = "ScheduleAnyway";
  Cycle cycle(cluster_, WebPod("p").Spread(bad));
  EXPECT_EQ(Text(cluster_.Plugin<PodTopologySpread>()->PreScore(cycle.context(), {})),
            "Error: calculating preScoreState: obtaining pod's soft topology spread constraints: "
            "\"Near\" is not a valid label selector operator");
}

// ---- Simulated nodes

TEST_F(PodTopologySpreadTest, CountsSimulatedPod) {
  AddZones();
  const PodBuilder pod = WebPod("p").Spread(Hard(kZone));
  const auto web = Placed(WebPod("w").OnNode("a"));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{web}}), kTooMany);
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{Placed(MakePod("x").OnNode("a"))}}), "Success");
  EXPECT_EQ(
      FilterSimulated(pod, "a", Simulated{{Placed(WebPod("o").Namespace("other").OnNode("a"))}}),
      "Success");
  EXPECT_EQ(FilterSimulated(pod, "d", Simulated{{web}}), kNoKey);
}

TEST_F(PodTopologySpreadTest, VictimMayMakeItsDomainTheMinimum) {
  AddZones();
  AddWebPods("a", 2);
  AddWebPods("c", 1);
  const auto victim = Placed(WebPod("a-web-0").OnNode("a"));
  const auto second = Placed(WebPod("a-web-1").OnNode("a"));
  const PodBuilder pod = WebPod("p").Spread(Hard(kZone));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {victim}}), "Success");
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {victim, second}}), "Success");
}

TEST_F(PodTopologySpreadTest, OnlyDomainIsMinimumWithSimulatedPods) {
  AddNode("a", "1");
  const auto web = Placed(WebPod("w").OnNode("a"));
  const auto more = Placed(WebPod("x").OnNode("a"));
  EXPECT_EQ(FilterSimulated(WebPod("p").Spread(Hard(kZone)), "a", Simulated{{web, more}}),
            "Success");
  api::TopologySpreadConstraint constraint = Hard(kZone);
  constraint.min_domains = 2;
  EXPECT_EQ(FilterSimulated(WebPod("p").Spread(constraint), "a", Simulated{{web}}), kTooMany);
}

// Upstream does not count terminating pods, but subtracts a terminating victim like any other.
TEST_F(PodTopologySpreadTest, SubtractsTerminatingVictim) {
  AddZones();
  AddWebPods("a", 2);
  AddWebPods("c", 1);
  const PodBuilder leaving = WebPod("leaving").OnNode("a").Terminating();
  cluster_.Add(leaving);
  const PodBuilder pod = WebPod("p").Spread(Hard(kZone));
  EXPECT_EQ(Filter(pod)["a"], kTooMany);
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {Placed(leaving)}}), "Success");
}

TEST_F(PodTopologySpreadTest, IgnoresSimulatedPodsOnExcludedNode) {
  AddNode("a", "1");
  cluster_.Add(MakeNode("t").Label(kZone, "2").Taint("gpu"));
  api::TopologySpreadConstraint constraint = Hard(kZone);
  constraint.node_taints_policy = "Honor";
  EXPECT_EQ(FilterSimulated(WebPod("p").Spread(constraint), "t",
                            Simulated{{Placed(WebPod("w").OnNode("t"))}}),
            "Success");
}

// ---- Scores

TEST_F(PodTopologySpreadTest, ScoresPodsTimesLogOfDomains) {
  AddNode("a", "1");
  AddNode("b", "2");
  AddNode("c", "3");
  AddWebPods("a", 2);
  AddWebPods("b", 1);
  // log(3 + 2) = 1.609 for each pod.
  EXPECT_EQ(Score(WebPod("p").Spread(Soft(kZone))), (Scores{{"a", 3}, {"b", 2}, {"c", 0}}));
  EXPECT_EQ(Normalized(WebPod("p").Spread(Soft(kZone))), (Scores{{"a", 0}, {"b", 33}, {"c", 100}}));
}

TEST_F(PodTopologySpreadTest, LargeMaxSkewReducesScoreDifferences) {
  AddNode("a", "1");
  AddNode("b", "2");
  AddWebPods("a", 3);
  AddWebPods("b", 1);
  EXPECT_EQ(Score(WebPod("p").Spread(Soft(kZone, 5))), (Scores{{"a", 8}, {"b", 5}}));
  EXPECT_EQ(Normalized(WebPod("p").Spread(Soft(kZone, 5))), (Scores{{"a", 62}, {"b", 100}}));
}

TEST_F(PodTopologySpreadTest, NormalizesAllZeroToHundred) {
  AddNode("a", "1");
  AddNode("b", "2");
  EXPECT_EQ(Normalized(WebPod("p").Spread(Soft(kZone))), (Scores{{"a", 100}, {"b", 100}}));
}

TEST_F(PodTopologySpreadTest, NodesWithoutAllKeysScoreZero) {
  AddZones();
  AddWebPods("a", 1);
  AddWebPods("d", 9);
  const PodBuilder pod = WebPod("p").Spread(Soft(kZone)).Spread(Soft(kHost));
  // Two zones: log(4) = 1.386; three hosts: log(5) = 1.609.
  EXPECT_EQ(Score(pod), (Scores{{"a", 3}, {"b", 1}, {"c", 0}, {"d", 0}}));
  EXPECT_EQ(Normalized(pod), (Scores{{"a", 0}, {"b", 66}, {"c", 100}, {"d", 0}}));
}

TEST_F(PodTopologySpreadTest, NodeCountsAfterGettingMissingKey) {
  AddZones();
  AddWebPods("a", 1);
  const PodBuilder pod = WebPod("p").Spread(Soft(kZone));
  EXPECT_EQ(Normalized(pod), (Scores{{"a", 0}, {"b", 0}, {"c", 100}, {"d", 0}}));
  cluster_.cache().UpdateNode(MakeNode("d").Label(kHost, "d").Label(kZone, "3").Build());
  EXPECT_EQ(Normalized(pod), (Scores{{"a", 0}, {"b", 0}, {"c", 100}, {"d", 100}}));
}

TEST_F(PodTopologySpreadTest, HostnameKeyIgnoresInclusionPolicies) {
  cluster_.Add(MakeNode("t").Label(kHost, "t").Taint("gpu"));
  AddNode("a", "1");
  AddWebPods("t", 2);
  api::TopologySpreadConstraint constraint = Soft(kHost);
  constraint.node_taints_policy = "Honor";
  EXPECT_EQ(Score(WebPod("p").Spread(constraint)), (Scores{{"a", 0}, {"t", 3}}));
  cluster_.Add(MakeNode("u").Label(kZone, "1").Taint("gpu"));
  AddWebPods("u", 5);
  constraint.topology_key = kZone;
  EXPECT_EQ(Score(WebPod("p").Spread(constraint))["a"], 0)
      << "the tainted node is excluded from its zone";
}

TEST_F(PodTopologySpreadTest, WeightCountsOnlyFeasibleDomains) {
  AddNode("a", "1");
  AddNode("b", "2");
  AddNode("c", "3");
  AddWebPods("a", 5);
  const auto plugin = cluster_.Plugin<PodTopologySpread>();
  Cycle cycle(cluster_, WebPod("p").Spread(Soft(kZone)));
  const FeasibleNodes feasible({cluster_.SlotOf("a")});
  ASSERT_TRUE(plugin->PreScore(cycle.context(), feasible).ok());
  EXPECT_EQ(plugin->Score(cycle.context(), cluster_.View("a")), 5) << "5 * log(3) = 5.49";
}

// Upstream's formulas, written plainly: scoreForCount, math.Round and NormalizeScore of scoring.go.
int64_t PlainNormalized(int64_t score, int64_t lowest, int64_t highest) {
  return highest == 0 ? 100 : 100 * (highest + lowest - score) / highest;
}

TEST_F(PodTopologySpreadTest, ScoresMatchUpstreamFormulaExactly) {
  constexpr int kNodes = 40;
  constexpr int kZones = 5;
  std::array<int, kZones> in_zone{};
  const auto name = [](int i) { return "n" + std::to_string(i); };
  const auto on_node = [](int i) { return i * 7 % 23; };
  for (int i = 0; i < kNodes; ++i) {
    AddNode(name(i), std::to_string(i % kZones));
    AddWebPods(name(i), on_node(i));
    in_zone[i % kZones] += on_node(i);
  }
  for (const int32_t max_skew : {1, 2, 1000, std::numeric_limits<int32_t>::max()}) {
    Scores expected;
    for (int i = 0; i < kNodes; ++i) {
      const double score = in_zone[i % kZones] * std::log(kZones + 2.0) + (max_skew - 1.0) +
                           (on_node(i) * std::log(kNodes + 2.0) + 4.0);
      expected[name(i)] = static_cast<int64_t>(std::round(score));
    }
    const PodBuilder pod = WebPod("p").Spread(Soft(kZone, max_skew)).Spread(Soft(kHost, 5));
    EXPECT_EQ(Score(pod), expected) << max_skew;
    const auto [lowest, highest] = std::ranges::minmax(std::views::values(expected));
    for (auto& [node, score] : expected) score = PlainNormalized(score, lowest, highest);
    EXPECT_EQ(Normalized(pod), expected) << max_skew;
  }
}

TEST_F(PodTopologySpreadTest, NormalizesLikeIntegerDivision) {
  AddNode("a", "1");
  Cycle cycle(cluster_, WebPod("p").Spread(Soft(kHost)));
  const auto plugin = cluster_.Plugin<PodTopologySpread>();
  const auto check = [&](const std::vector<int64_t>& scores) {
    const auto [lowest, highest] = std::ranges::minmax(scores);
    std::vector<int64_t> normalized = scores;
    const std::vector<Slot> slots(scores.size(), cluster_.SlotOf("a"));
    ASSERT_TRUE(plugin->NormalizeScore(cycle.context(), slots, normalized).ok());
    for (size_t i = 0; i < scores.size(); ++i) {
      ASSERT_EQ(normalized[i], PlainNormalized(scores[i], lowest, highest))
          << scores[i] << " of " << lowest << " to " << highest;
    }
  };
  for (int64_t highest = 1; highest <= 300; ++highest) {
    for (const int64_t lowest : {int64_t{0}, int64_t{1}, highest / 2, highest}) {
      std::vector<int64_t> scores(static_cast<size_t>(highest - lowest + 1));
      std::iota(scores.begin(), scores.end(), lowest);
      check(scores);
    }
  }
  // Many pods and a large maxSkew: scores at which the quotient is close to the next integer.
  for (const int64_t highest : {int64_t{999'983}, int64_t{1} << 31, (int64_t{1} << 40) - 100}) {
    std::vector<int64_t> scores = {0, highest};
    for (int64_t quotient = 1; quotient < 100; ++quotient) {
      const int64_t at_most = highest - (quotient * highest + 99) / 100;
      scores.insert(scores.end(), {at_most, at_most + 1});
    }
    check(scores);
  }
}

TEST_F(PodTopologySpreadTest, PreScoreSkipsWithoutSoftConstraints) {
  AddZones();
  AddWebPods("a", 1);
  EXPECT_EQ(Score(WebPod("p").Spread(Hard(kZone))), Scores());
  EXPECT_EQ(Score(WebPod("p")), Scores()) << "no Service or controller selects the pod";
}

// ---- Default constraints

class DefaultSpreadTest : public PodTopologySpreadTest {
 protected:
  static constexpr const char* kHardByZone = R"({"defaultingType":"List","defaultConstraints":[
      {"topologyKey":"topology.kubernetes.io/zone","maxSkew":1,
       "whenUnsatisfiable":"DoNotSchedule"}]})";
  static constexpr const char* kSoftByZone = R"({"defaultingType":"List","defaultConstraints":[
      {"topologyKey":"topology.kubernetes.io/zone","maxSkew":1,
       "whenUnsatisfiable":"ScheduleAnyway"}]})";

  DefaultSpreadTest() {
    AddZones();
    cluster_.cache().Put(MakeService("web", {{"app", "web"}}));
  }
};

TEST_F(DefaultSpreadTest, SystemDefaultsSpreadOverHostsAndZones) {
  AddWebPods("a", 1);
  // Hosts: log(4 + 2) = 1.79 and 2; zones 1, 2 and none: log(3 + 2) = 1.61 and 4.
  EXPECT_EQ(Score(WebPod("p")), (Scores{{"a", 9}, {"b", 8}, {"c", 6}, {"d", 2}}));
  EXPECT_EQ(Score(MakePod("of-no-service")), Scores());
  EXPECT_EQ(Filter(WebPod("p")), (Answers{{"", "Skip"}}));
}

TEST_F(DefaultSpreadTest, UsesOwnersSelector) {
  AddWebPods("a", 1);
  cluster_.cache().Put(MakeReplicaSet("rs", api::LabelSelector{{{"app", "db"}}, {}}));
  cluster_.Add(MakePod("db").Label("app", "db").OnNode("c"));
  const PodBuilder pod =
      MakePod("p").Label("app", "db").ControlledBy("apps/v1", "ReplicaSet", "rs");
  EXPECT_EQ(Score(pod)["c"], 9);
  EXPECT_EQ(Score(pod)["a"], 6);
}

TEST_F(DefaultSpreadTest, ListReplacesSystemDefaults) {
  AddWebPods("a", 1);
  EXPECT_EQ(Filter(WebPod("p"), kHardByZone),
            (Answers{{"a", kTooMany}, {"b", kTooMany}, {"c", "Success"}, {"d", kNoKey}}));
  EXPECT_EQ(Score(WebPod("p"), kHardByZone), Scores());
  EXPECT_EQ(Filter(MakePod("of-no-service"), kHardByZone), (Answers{{"", "Skip"}}));
  EXPECT_EQ(Normalized(WebPod("p"), kSoftByZone),
            (Scores{{"a", 0}, {"b", 0}, {"c", 100}, {"d", 0}}))
      << "unlike with System, a node must have all keys";
}

TEST_F(DefaultSpreadTest, DefaultsDoNotApplyToPodWithConstraints) {
  AddWebPods("a", 1);
  EXPECT_EQ(Filter(WebPod("p").Spread(Soft(kZone)), kHardByZone), (Answers{{"", "Skip"}}));
  EXPECT_EQ(Score(WebPod("p").Spread(Hard(kZone))), Scores());
}

TEST_F(DefaultSpreadTest, ReadsServicesOnlyForDefaultConstraints) {
  const PluginDescriptor descriptor = PodTopologySpread::Descriptor();
  EXPECT_EQ(descriptor.ReadsWith({""}), descriptor.reads);
  EXPECT_EQ(descriptor.ReadsWith({kSoftByZone}), descriptor.reads);
  EXPECT_TRUE(descriptor.ReadsWith({R"({"defaultingType":"List"})"}).empty());
}

TEST_F(PodTopologySpreadTest, WorksWithoutPreFilterAndPreScore) {
  AddZones();
  AddWebPods("a", 1);
  const auto plugin = cluster_.Plugin<PodTopologySpread>();
  Cycle cycle(cluster_, WebPod("p").Spread(Hard(kZone)).Spread(Soft(kHost)));
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("a"))), kTooMany);
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("c"))), "Success");
  EXPECT_EQ(plugin->Score(cycle.context(), cluster_.View("a")), 2) << "log(4 + 2) = 1.79";
  api::TopologySpreadConstraint bad = Hard(kZone);
  bad.label_selector.Edit().match_expressions = {{"app", "Near", {}}};
  Cycle broken(cluster_, WebPod("p").Spread(bad));
  EXPECT_EQ(plugin->Filter(broken.context(), cluster_.View("a")).code(), Code::kError);
}

// ---- Arguments

TEST_F(PodTopologySpreadTest, ValidatesArgs) {
  const auto check = PodTopologySpread::Descriptor().check;
  const auto texts = [&](const char* args) {
    std::vector<std::string> found;
    for (const api::FieldError& error : check({args})) found.push_back(error.ToString());
    return found;
  };
  EXPECT_THAT(texts(""), ::testing::IsEmpty());
  EXPECT_THAT(texts(R"({"defaultingType":""})"), ::testing::IsEmpty());
  EXPECT_THAT(texts(R"({"defaultingType":"Some"})"),
              ::testing::ElementsAre("defaultingType: Unsupported value: \"Some\": supported "
                                     "values: \"System\", \"List\""));
  EXPECT_THAT(texts(R"({"defaultConstraints":[
      {"topologyKey":"zone","maxSkew":1,"whenUnsatisfiable":"ScheduleAnyway"}]})"),
              ::testing::ElementsAre("defaultingType: Invalid value: \"System\": when "
                                     ".defaultConstraints are not empty"));
  EXPECT_THAT(
      texts(R"({"defaultingType":"List","defaultConstraints":[
          {"topologyKey":"zone","maxSkew":1,"whenUnsatisfiable":"ScheduleAnyway"},
          {"topologyKey":"","maxSkew":0,"whenUnsatisfiable":"","labelSelector":{}},
          {"topologyKey":"zone","maxSkew":2,"whenUnsatisfiable":"ScheduleAnyway"},
          {"topologyKey":"zone","maxSkew":2,"whenUnsatisfiable":"Never"}]})"),
      ::testing::ElementsAre(
          "defaultConstraints[1].maxSkew: Invalid value: 0: not in valid range (0, inf)",
          "defaultConstraints[1].topologyKey: Required value: can not be empty",
          "defaultConstraints[1].whenUnsatisfiable: Required value: can not be empty",
          "defaultConstraints[1].labelSelector: Forbidden: constraint must not define a selector, "
          "as they deduced for each pod",
          "defaultConstraints[2]: Duplicate value: \"{zone, ScheduleAnyway}\"",
          "defaultConstraints[3].whenUnsatisfiable: Unsupported value: \"Never\": supported "
          "values: \"DoNotSchedule\", \"ScheduleAnyway\""));
}

}  // namespace
}  // namespace berth::scheduler
