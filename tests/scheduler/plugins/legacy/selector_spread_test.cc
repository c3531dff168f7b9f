// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/selector_spread.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeReplicaSet;
using testing::MakeReplicationController;
using testing::MakeService;
using testing::MakeStatefulSet;
using testing::NodeBuilder;
using testing::NormalizeAll;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::SpreadBy;
using testing::TestCluster;
using Scores = std::map<std::string, int64_t>;

constexpr const char* kTopologyZone = "topology.kubernetes.io/zone";
constexpr const char* kTopologyRegion = "topology.kubernetes.io/region";
constexpr const char* kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr const char* kBetaRegion = "failure-domain.beta.kubernetes.io/region";

PodBuilder Member(const std::string& name) { return MakePod(name).Label("app", "web"); }

class SelectorSpreadTest : public ::testing::Test {
 protected:
  SelectorSpreadTest() { cluster_.cache().Put(MakeService("web", {{"app", "web"}})); }

  // Adds a node with that many pods of the Service, and pods that are not counted.
  void AddNode(NodeBuilder node, int pods) {
    const std::string name = node.raw().metadata.name;
    cluster_.Add(node);
    for (int i = 0; i < pods; ++i) {
      cluster_.Add(Member(name + "-" + std::to_string(i)).OnNode(name));
    }
    cluster_.Add(Member(name + "-going").OnNode(name).Terminating());
    cluster_.Add(Member(name + "-away").OnNode(name).Namespace("other"));
    cluster_.Add(MakePod(name + "-else").OnNode(name).Label("app", "else"));
  }
  Scores Raw(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return ScoreAll(*cluster_.Plugin<SelectorSpread>(), cycle);
  }
  Scores Normalized(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return NormalizeAll(*cluster_.Plugin<SelectorSpread>(), cycle);
  }

  TestCluster cluster_;
};

// Returns the scores of nodes, each given as "zone:pods", "-" for no zone.
std::string SpreadScores(const std::string& nodes) {
  TestCluster cluster;
  cluster.cache().Put(MakeService("web", {{"app", "web"}}));
  std::vector<std::string> names;
  for (const auto part : Split(nodes, ' ')) {
    const std::string text(part);
    const size_t colon = text.find(':');
    const std::string& name = names.emplace_back("n" + std::to_string(names.size()));
    NodeBuilder node = MakeNode(name);
    if (text[0] != '-') node.Label(kTopologyZone, text.substr(0, colon));
    cluster.Add(node);
    for (int i = std::stoi(text.substr(colon + 1)); i > 0; --i) {
      cluster.Add(Member(name + "-" + std::to_string(i)).OnNode(name));
    }
  }
  Cycle cycle(cluster, Member("p"));
  const Scores scores = NormalizeAll(*cluster.Plugin<SelectorSpread>(), cycle);
  for (std::string& name : names) name = std::to_string(scores.at(name));
  return Join(std::span<const std::string>(names), " ");
}

// ---- Counting

TEST_F(SelectorSpreadTest, IgnoresOtherNamespacesAndTerminatingPods) {
  AddNode(MakeNode("a"), 3);
  AddNode(MakeNode("b"), 0);
  EXPECT_EQ(Raw(Member("p")), (Scores{{"a", 3}, {"b", 0}}));
  EXPECT_EQ(Raw(Member("p").Namespace("other")), Scores())
      << "no Service of that namespace selects it";
}

TEST_F(SelectorSpreadTest, ControllerSelectorCounts) {
  AddNode(MakeNode("a"), 2);
  cluster_.Add(Member("x").Label("tier", "front").OnNode("a"));
  cluster_.cache().Put(MakeReplicaSet("set", api::LabelSelector{{{"tier", "front"}}, {}}));
  cluster_.cache().Put(MakeReplicationController("rc", {{"tier", "front"}}));
  cluster_.cache().Put(MakeStatefulSet("state", api::LabelSelector{{{"tier", "back"}}, {}}));
  EXPECT_EQ(Raw(Member("p")).at("a"), 3);
  EXPECT_EQ(Raw(Member("p").ControlledBy("apps/v1", "ReplicaSet", "set")).at("a"), 1);
  EXPECT_EQ(Raw(Member("p").ControlledBy("v1", "ReplicationController", "rc")).at("a"), 1);
  EXPECT_EQ(Raw(Member("p").ControlledBy("apps/v1", "StatefulSet", "state")).at("a"), 0);
  EXPECT_EQ(Raw(MakePod("p").ControlledBy("apps/v1", "ReplicaSet", "set")).at("a"), 1);
}

TEST_F(SelectorSpreadTest, SkipsPodsWithoutSelectorOrWithOwnConstraints) {
  AddNode(MakeNode("a"), 2);
  const auto plugin = cluster_.Plugin<SelectorSpread>();
  const auto pre_score = [&](const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return plugin->PreScore(cycle.context(), FeasibleNodes({cluster_.SlotOf("a")})).code;
  };
  const PodBuilder own =
      Member("p").Spread(SpreadBy(kTopologyZone, 1, "ScheduleAnyway", "app", "web"));
  EXPECT_EQ(pre_score(Member("p")), Code::kSuccess);
  EXPECT_EQ(pre_score(own), Code::kSkip);
  EXPECT_EQ(pre_score(MakePod("p")), Code::kSkip);
  Cycle alone(cluster_, own);
  EXPECT_EQ(plugin->Score(alone.context(), cluster_.View("a")), 0) << "without PreScore";
}

// ---- The formula

// A node scores 100 * (most - pods) / most by node, the same by zone, and, if it has a zone, a
// third of the former plus two thirds of the latter.
TEST_F(SelectorSpreadTest, ScoresMatchUpstreamFormula) {
  const struct {
    const char* nodes;
    const char* scores;
  } kRows[] = {
      // Without zones.
      {"-:0", "100"},
      {"-:7", "0"},
      {"-:0 -:0", "100 100"},
      {"-:1 -:0", "0 100"},
      {"-:3 -:1 -:2", "0 66 33"},          // 100*2/3, 100*1/3
      {"-:7 -:6 -:1 -:0", "0 14 85 100"},  // 100/7 = 14.3, 600/7 = 85.7
      // With zones.
      {"a:0", "100"},  // 33.3 + 66.7
      {"a:5", "0"},
      {"a:0 b:0", "100 100"},
      {"a:1 a:0 b:0", "0 33 100"},       // 100/3 + 0
      {"a:1 a:1 b:1 b:0", "0 0 33 66"},  // zones 2 and 1: 0 + 50*2/3, 100/3 + 50*2/3
      {"a:1 b:1 c:0", "0 0 100"},
      {"a:1 a:1 a:1 b:3", "22 22 22 0"},  // 66.7/3 + 0
      {"a:5 a:0 b:4 b:4", "25 58 6 6"},   // zones 5, 8: 37.5*2/3, + 33.3; 20/3
      {"a:10 b:9 c:1", "0 10 90"},        // 10/3 + 20/3
      {"a:1 b:2 c:3 d:4", "75 50 25 0"},
      // Some have a zone.
      {"a:2 b:1 -:0 -:1", "0 50 100 50"},  // by node alone
      {"a:3 b:2 b:2 c:0 -:1", "16 11 11 100 66"},
      {"a:4 a:4 b:2 -:8", "16 16 75 0"},  // 50/3; 75/3 + 75*2/3
      {"-:2 a:0 a:0", "0 100 100"},       // no pod is in a zone
  };
  for (const auto& row : kRows) EXPECT_EQ(SpreadScores(row.nodes), row.scores) << row.nodes;
}

TEST_F(SelectorSpreadTest, ZoneIsPairOfRegionAndZone) {
  // One pod on each node. Two nodes are in the same zone if these labels have the same values.
  const std::vector<api::StringMap> kNodes = {
      {{kTopologyZone, "z"}},
      {{kTopologyZone, "z"}, {kTopologyRegion, "r"}},
      {{kTopologyRegion, "r"}},
      {{kBetaZone, "z"}, {kBetaRegion, "r"}},  // same as the second one
      {{kBetaZone, "z"},
       {kTopologyRegion, "r"},
       {kTopologyZone, "ignored"}},             // again the same: the deprecated label wins
      {{kBetaZone, ""}, {kTopologyZone, "z"}},  // even without a value: in no zone
      {},
  };
  for (size_t i = 0; i < kNodes.size(); ++i) {
    NodeBuilder node = MakeNode("n" + std::to_string(i));
    node.raw().metadata.labels = kNodes[i];
    AddNode(node, 1);
  }
  // By node 0; by zone 0 for the zone with three nodes, 100*2/3 for zones with one.
  EXPECT_EQ(
      Normalized(Member("p")),
      (Scores{{"n0", 44}, {"n1", 0}, {"n2", 44}, {"n3", 0}, {"n4", 0}, {"n5", 0}, {"n6", 0}}));
}

TEST_F(SelectorSpreadTest, NormalizesOverFeasibleNodesOnly) {
  AddNode(MakeNode("a").Label(kTopologyZone, "z"), 4);
  AddNode(MakeNode("b").Label(kTopologyZone, "z"), 1);
  AddNode(MakeNode("c").Label(kTopologyZone, "y"), 2);
  Cycle cycle(cluster_, Member("p"));
  const auto plugin = cluster_.Plugin<SelectorSpread>();
  std::vector<int64_t> scores = {1, 2};
  const std::vector<Slot> fit = {cluster_.SlotOf("b"), cluster_.SlotOf("c")};
  ASSERT_TRUE(plugin->NormalizeScore(cycle.context(), fit, scores).ok());
  EXPECT_EQ(scores, (std::vector<int64_t>{50, 0})) << "1 of 2 by node and by zone";
  ASSERT_TRUE(plugin->NormalizeScore(cycle.context(), {}, {}).ok());
}

// Returns the scores by a plain implementation of the formula, for (zone, pods) of each node.
std::vector<int64_t> PlainScores(const std::vector<std::pair<std::string, int>>& nodes) {
  std::map<std::string, int> zones;
  int most = 0;
  int most_of_zone = 0;
  for (const auto& [zone, pods] : nodes) {
    most = std::max(most, pods);
    if (zone != "-") most_of_zone = std::max(most_of_zone, zones[zone] += pods);
  }
  const auto part = [](int pods, int all) {
    return all == 0 ? 100.0 : 100.0 * (double(all - pods) / double(all));
  };
  std::vector<int64_t> scores;
  for (const auto& [zone, pods] : nodes) {
    const double by_node = part(pods, most);
    const double weight = 2.0 / 3.0;
    scores.push_back(
        zone == "-" ? int64_t(by_node)
                    : int64_t(by_node * (1 - weight) + weight * part(zones[zone], most_of_zone)));
  }
  return scores;
}

TEST_F(SelectorSpreadTest, RandomNodesMatchPlainFormula) {
  testing::Random random(20261123);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::pair<std::string, int>> nodes;
    std::string text;
    for (size_t i = 1 + random.Below(9); i > 0; --i) {
      const auto& [zone, pods] =
          nodes.emplace_back(random.Pick({"a", "b", "c", "-"}), static_cast<int>(random.Below(6)));
      text += (text.empty() ? "" : " ") + zone + ":" + std::to_string(pods);
    }
    std::vector<std::string> expected;
    for (const int64_t score : PlainScores(nodes)) expected.push_back(std::to_string(score));
    EXPECT_EQ(SpreadScores(text), Join(std::span<const std::string>(expected), " ")) << text;
  }
}

TEST_F(SelectorSpreadTest, PodsOfOneServiceShareAKey) {
  const auto plugin = cluster_.Plugin<SelectorSpread>();
  const auto key = [&](const PodBuilder& pod) {
    return plugin->KeyOf(Cycle(cluster_, pod).context());
  };
  EXPECT_EQ(key(Member("p")), key(Member("q").Label("more", "1")));
  EXPECT_NE(key(Member("p")), key(Member("p").Namespace("other")));
  const ResultKey before = key(Member("p"));
  cluster_.cache().Put(MakeService("front", {{"app", "web"}, {"tier", "front"}}));
  EXPECT_EQ(key(Member("p")), before);
  EXPECT_NE(key(Member("p").Label("tier", "front")), before) << "another Service selects it, too";
}

}  // namespace
}  // namespace berth::scheduler
