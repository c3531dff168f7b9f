// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/service_affinity.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeService;
using testing::NodeBuilder;
using testing::NodeChange;
using testing::NormalizeAll;
using testing::PodBuilder;
using testing::PodChange;
using testing::ScoreAll;
using testing::Simulated;
using testing::TestCluster;
using testing::Text;
using Scores = std::map<std::string, int64_t>;

constexpr const char* kNoServiceAffinity = "Unschedulable: node(s) didn't match service affinity";
constexpr const char* kByRegion = R"({"affinityLabels":["region"]})";
constexpr const char* kByBoth = R"({"affinityLabels":["region","zone"]})";
constexpr const char* kOverRacks = R"({"antiAffinityLabelsPreference":["rack"]})";

PodBuilder ServicePod(const std::string& name) { return MakePod(name).Label("app", "web"); }

// Pods of the Service "web", and nodes n0, n1, ... in this visiting order.
class ServiceAffinityTest : public ::testing::Test {
 protected:
  ServiceAffinityTest() { AddService(); }
  void AddService() { cluster_.cache().Put(MakeService("web", {{"app", "web"}})); }
  // Adds a node with labels given as "region=r zone=z".
  void AddNode(const std::string& labels) {
    NodeBuilder node = MakeNode("n" + std::to_string(cluster_.snapshot().NodeCount()));
    for (const auto part : Split(labels, ' ')) {
      const size_t equals = part.find('=');
      if (equals == std::string_view::npos) continue;
      node.Label(std::string(part.substr(0, equals)), std::string(part.substr(equals + 1)));
    }
    cluster_.Add(node);
  }
  // Returns the names of the nodes that the pod fits, "n0 n2"; "Skip" if PreFilter skips.
  std::string Fitting(const PodBuilder& pod, const std::string& args) {
    Cycle cycle(cluster_, pod);
    std::string names;
    for (const auto& [node, answer] : FilterAll(*cluster_.Plugin<ServiceAffinity>(args), cycle)) {
      if (node.empty()) return answer;
      if (answer == "Success") {
        names += (names.empty() ? "" : " ") + node;
      } else {
        EXPECT_EQ(answer, kNoServiceAffinity);
      }
    }
    return names;
  }
  Scores Raw(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return ScoreAll(*cluster_.Plugin<ServiceAffinity>(kOverRacks), cycle);
  }

  TestCluster cluster_;
};

// ---- Filter

TEST_F(ServiceAffinityTest, FiltersByNodeOfFirstPod) {
  AddNode("region=r zone=a");
  AddNode("region=r zone=b");
  AddNode("region=s zone=a");
  AddNode("region=s");
  AddNode("zone=a");
  AddNode("");
  const std::string all = "n0 n1 n2 n3 n4 n5";
  const struct {
    std::vector<PodBuilder> placed;
    PodBuilder pod;
    const char* args;
    std::string fitting;
  } kRows[] = {
      // No requirement.
      {{}, ServicePod("p"), kByRegion, all},
      {{ServicePod("x").OnNode("n0")}, ServicePod("p"), "{}", "Skip"},
      {{ServicePod("x").OnNode("n0")}, ServicePod("p"), kOverRacks, "Skip"},
      // Values of the nodeSelector.
      {{}, ServicePod("p").NodeSelector("region", "r"), kByRegion, "n0 n1"},
      {{}, ServicePod("p").NodeSelector("region", "r").NodeSelector("zone", "a"), kByBoth, "n0"},
      {{}, ServicePod("p").NodeSelector("zone", "a"), kByRegion, all},  // not an affinityLabel
      {{}, ServicePod("p").NodeSelector("region", "t"), kByRegion, ""},
      {{ServicePod("x").OnNode("n2")},
       ServicePod("p").NodeSelector("region", "r"),
       kByRegion,
       "n0 n1"},
      {{}, MakePod("p").NodeSelector("region", "s"), kByRegion, "n2 n3"},  // without a Service
      // Values of the first pod's node.
      {{ServicePod("x").OnNode("n1")}, ServicePod("p"), kByRegion, "n0 n1"},
      {{ServicePod("x").OnNode("n3")}, ServicePod("p"), kByRegion, "n2 n3"},
      {{ServicePod("x").OnNode("n1")}, ServicePod("p"), kByBoth, "n1"},
      {{ServicePod("x").OnNode("n3")},
       ServicePod("p"),
       kByBoth,
       "n2 n3"},  // n3 has no zone: any zone fits
      {{ServicePod("x").OnNode("n4")}, ServicePod("p"), kByBoth, "n0 n2 n4"},
      {{ServicePod("x").OnNode("n5")}, ServicePod("p"), kByBoth, all},
      {{ServicePod("x").OnNode("n2"), ServicePod("y").OnNode("n1")},
       ServicePod("p"),
       kByRegion,
       "n0 n1"},  // n1 is first
      {{ServicePod("x").OnNode("n2").Terminating()}, ServicePod("p"), kByRegion, "n2 n3"},
      // Both.
      {{ServicePod("x").OnNode("n0")}, ServicePod("p").NodeSelector("zone", "b"), kByBoth, "n1"},
      {{ServicePod("x").OnNode("n0")}, ServicePod("p").NodeSelector("region", "s"), kByBoth, "n2"},
      // Which pods match.
      {{ServicePod("x").OnNode("n1").Namespace("other")}, ServicePod("p"), kByRegion, all},
      {{MakePod("x").OnNode("n1").Label("app", "else")}, ServicePod("p"), kByRegion, all},
      {{ServicePod("x").OnNode("n1").Label("more", "1")}, ServicePod("p"), kByRegion, "n0 n1"},
      {{ServicePod("x").OnNode("n1")},
       ServicePod("p").Label("more", "1"),
       kByRegion,
       all},  // x lacks one label
      {{MakePod("x").OnNode("n1").Label("app", "else")},
       MakePod("p").Label("app", "else"),
       kByRegion,
       all},  // no Service selects them
      {{ServicePod("x").OnNode("unknown")}, ServicePod("p"), kByRegion, all},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(&row - kRows);
    for (const PodBuilder& pod : row.placed) cluster_.Add(pod);
    EXPECT_EQ(Fitting(row.pod, row.args), row.fitting);
    for (const PodBuilder& pod : row.placed) {
      cluster_.cache().RemovePod(pod.Build()->metadata.uid);
    }
  }
}

TEST_F(ServiceAffinityTest, FilterWorksWithoutPreFilter) {
  AddNode("region=r");
  AddNode("region=s");
  cluster_.Add(ServicePod("x").OnNode("n1"));
  const auto plugin = cluster_.Plugin<ServiceAffinity>(kByRegion);
  Cycle cycle(cluster_, ServicePod("p"));
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("n0"))), kNoServiceAffinity);
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("n1"))), "Success");
  const auto without = cluster_.Plugin<ServiceAffinity>(kOverRacks);
  EXPECT_EQ(Text(without->Filter(cycle.context(), cluster_.View("n0"))), "Success");
}

// Simulated changes of a node must count as if they were real.
TEST_F(ServiceAffinityTest, IgnoresVictims) {
  testing::Random random(20261123);
  int differ = 0;
  for (int round = 0; round < 300; ++round) {
    TestCluster as_is;
    TestCluster as_simulated;
    const size_t on = random.Below(4);
    Simulated simulated;
    for (TestCluster* cluster : {&as_is, &as_simulated}) {
      cluster->cache().Put(MakeService("web", {{"app", "web"}}));
    }
    for (size_t i = 0; i < 4; ++i) {
      NodeBuilder node = MakeNode("n" + std::to_string(i));
      if (!random.OneIn(6)) node.Label("region", random.Pick({"r", "s"}));
      if (!random.OneIn(3)) node.Label("zone", random.Pick({"a", "b"}));
      as_is.Add(node);
      as_simulated.Add(node);
    }
    for (int i = 0; i < 4; ++i) {
      const size_t node = random.OneIn(2) ? on : random.Below(4);
      const std::string name = "x" + std::to_string(i);
      const PodBuilder pod =
          (random.OneIn(4) ? MakePod(name) : ServicePod(name)).OnNode("n" + std::to_string(node));
      as_is.Add(pod);
      const bool goes = node == on && !random.OneIn(4);
      if (goes) simulated.removed.push_back(as_is.cache().FindPod("uid-" + name));
      if (!goes) as_simulated.Add(pod);
    }
    const std::string name = "n" + std::to_string(on);
    const auto plugin = as_is.Plugin<ServiceAffinity>(kByBoth);
    Cycle cycle(as_is, ServicePod("p"));
    Cycle there(as_simulated, ServicePod("p"));
    plugin->PreFilter(cycle.context());
    const NodeDelta delta = simulated.On(as_is.snapshot().At(as_is.SlotOf(name)));
    const Verdict with = plugin->Filter(cycle.context(), as_is.View(name, &delta));
    EXPECT_EQ(with, plugin->Filter(there.context(), as_simulated.View(name))) << "round " << round;
    differ += with != plugin->Filter(cycle.context(), as_is.View(name)) ? 1 : 0;
  }
  EXPECT_GT(differ, 10) << "too few simulated changes had an effect";
}

// ---- Score

TEST_F(ServiceAffinityTest, CountsPodsOfFirstServiceByName) {
  AddNode("");
  AddNode("");
  cluster_.Add(ServicePod("x").OnNode("n0"))
      .Add(ServicePod("y").OnNode("n0").Label("tier", "front"))
      .Add(ServicePod("z").OnNode("n0").Terminating())
      .Add(ServicePod("away").OnNode("n0").Namespace("other"))
      .Add(MakePod("else").OnNode("n1").Label("app", "else").Label("tier", "front"));
  EXPECT_EQ(Raw(ServicePod("p")), (Scores{{"n0", 2}, {"n1", 0}}));
  EXPECT_EQ(Raw(MakePod("p")), (Scores{{"n0", 0}, {"n1", 0}})) << "no Service selects it";
  cluster_.cache().Put(MakeService("a-front", {{"tier", "front"}}));
  EXPECT_EQ(Raw(ServicePod("p")), (Scores{{"n0", 2}, {"n1", 0}}));
  EXPECT_EQ(Raw(ServicePod("p").Label("tier", "front")), (Scores{{"n0", 1}, {"n1", 1}}))
      << "the first by name";
}

// Returns the scores of nodes, each given as "value:pods" for one label and "value,value:pods" for
// two; "-" is a missing label.
std::string AntiAffinityScores(const std::string& nodes, const std::vector<std::string>& labels) {
  TestCluster cluster;
  cluster.cache().Put(MakeService("web", {{"app", "web"}}));
  std::vector<std::string> names;
  for (const auto part : Split(nodes, ' ')) {
    const size_t colon = part.find(':');
    const std::string& name = names.emplace_back("n" + std::to_string(names.size()));
    NodeBuilder node = MakeNode(name);
    const auto values = Split(part.substr(0, colon), ',');
    for (size_t i = 0; i < labels.size(); ++i) {
      if (values[i] != "-") node.Label(labels[i], std::string(values[i]));
    }
    cluster.Add(node);
    for (int i = std::stoi(std::string(part.substr(colon + 1))); i > 0; --i) {
      cluster.Add(ServicePod(name + "-" + std::to_string(i)).OnNode(name));
    }
  }
  const std::string args = R"({"antiAffinityLabelsPreference":[")" +
                           Join(std::span<const std::string>(labels), R"(",")") + R"("]})";
  Cycle cycle(cluster, ServicePod("p"));
  const Scores scores = NormalizeAll(*cluster.Plugin<ServiceAffinity>(args), cycle);
  for (std::string& name : names) name = std::to_string(scores.at(name));
  return Join(std::span<const std::string>(names), " ");
}

// For each label 100 * (all pods - pods with the node's value) / all pods, then the average.
TEST_F(ServiceAffinityTest, ScoresMatchUpstreamFormula) {
  const struct {
    const char* nodes;
    const char* scores;
  } kOneLabel[] = {
      {"a:0 b:0", "100 100"},
      {"a:0 -:0", "100 0"},
      {"a:1 b:0", "0 100"},
      {"a:1 a:0 b:0", "0 0 100"},
      {"a:3 b:1", "25 75"},         // 100*1/4, 100*3/4
      {"a:1 b:1 c:1", "66 66 66"},  // 200/3
      {"a:2 b:1 -:1", "50 75 0"},   // 4 pods in all: pods on nodes without the label count
      {"-:4 a:0 b:0", "0 100 100"},
      {"a:5 a:2 b:3 -:0", "30 30 70 0"},
      {"a:7", "0"},
  };
  for (const auto& row : kOneLabel)
    EXPECT_EQ(AntiAffinityScores(row.nodes, {"rack"}), row.scores) << row.nodes;
  const struct {
    const char* nodes;
    const char* scores;
  } kTwoLabels[] = {
      {"a,x:1 a,y:0 b,x:0 b,y:0", "0 50 50 100"},
      {"a,x:3 b,y:1 a,-:0 -,-:2", "50 83 25 0"},  // of 6: (50+50)/2, (83.3+83.3)/2, (50+0)/2
      {"a,x:0 a,-:0 -,-:0", "100 50 0"},
      {"a,x:2 b,x:1 c,y:1", "37 50 75"},  // of 4: (50+25)/2, (75+25)/2, (75+75)/2
  };
  for (const auto& row : kTwoLabels) {
    EXPECT_EQ(AntiAffinityScores(row.nodes, {"rack", "row"}), row.scores) << row.nodes;
  }
}

TEST_F(ServiceAffinityTest, ScoresZeroWithoutAntiAffinityLabels) {
  AddNode("rack=1");
  cluster_.Add(ServicePod("x").OnNode("n0"));
  Cycle cycle(cluster_, ServicePod("p"));
  EXPECT_EQ(NormalizeAll(*cluster_.Plugin<ServiceAffinity>(kByRegion), cycle), (Scores{{"n0", 0}}));
}

// ---- Keys, kinds and hints

TEST_F(ServiceAffinityTest, KeyHasRequiredValues) {
  AddNode("region=r rack=1");
  AddNode("region=s rack=2");
  const auto filter = cluster_.Plugin<ServiceAffinity>(kByRegion);
  const auto score = cluster_.Plugin<ServiceAffinity>(kOverRacks);
  const auto key = [&](const ServiceAffinity& plugin, const PodBuilder& pod) {
    return plugin.KeyOf(Cycle(cluster_, pod).context());
  };
  EXPECT_EQ(key(*filter, ServicePod("p")), key(*filter, MakePod("p")))
      << "there are no existing pods";
  cluster_.Add(ServicePod("x").OnNode("n1"));
  const ResultKey region_s = key(*filter, ServicePod("p"));
  EXPECT_NE(region_s, key(*filter, MakePod("p")));
  EXPECT_EQ(region_s, key(*filter, MakePod("p").NodeSelector("region", "s")));
  cluster_.Add(ServicePod("y").OnNode("n0"));
  EXPECT_NE(region_s, key(*filter, ServicePod("p"))) << "another pod is first now";
  EXPECT_EQ(key(*score, ServicePod("p")), key(*score, ServicePod("q").Label("more", "1")));
  EXPECT_NE(key(*score, ServicePod("p")), key(*score, MakePod("p")));
}

TEST_F(ServiceAffinityTest, ReadsServicesOnlyIfLabelsAreSet) {
  const PluginDescriptor descriptor = ServiceAffinity::Descriptor();
  EXPECT_TRUE(descriptor.ReadsWith({""}).empty());
  EXPECT_TRUE(descriptor.ReadsWith({R"({"affinityLabels":[]})"}).empty());
  for (const char* args : {kByRegion, kOverRacks}) {
    EXPECT_EQ(descriptor.ReadsWith({args}), ObjectKindSet{ObjectKind::kService}) << args;
  }
}

TEST_F(ServiceAffinityTest, HintQueuesForMatchingPods) {
  const auto plugin = cluster_.Plugin<ServiceAffinity>(kByRegion);
  const auto pod = ServicePod("p").Info(cluster_.words());
  const auto hint = [&](const PodBuilder* before, const PodBuilder* after) {
    return plugin->Hint(*pod, {Resource::kAssignedPod, action::kAll, {}},
                        PodChange(cluster_.words(), before, after));
  };
  const PodBuilder like = ServicePod("x").OnNode("n0").Label("more", "1");
  const PodBuilder like_too = ServicePod("x").OnNode("n0").Label("more", "2");
  const PodBuilder other = MakePod("x").OnNode("n0").Label("app", "else");
  const PodBuilder away = ServicePod("x").OnNode("n0").Namespace("other");
  const PodBuilder waits = ServicePod("x");
  EXPECT_EQ(hint(nullptr, &like), QueueingHint::kQueue);
  EXPECT_EQ(hint(&like, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(hint(&other, &like), QueueingHint::kQueue);
  EXPECT_EQ(hint(&like, &other), QueueingHint::kQueue);
  EXPECT_EQ(hint(&like, &like_too), QueueingHint::kSkip);
  EXPECT_EQ(hint(nullptr, &other), QueueingHint::kSkip);
  EXPECT_EQ(hint(&away, nullptr), QueueingHint::kSkip);
  EXPECT_EQ(hint(nullptr, &waits), QueueingHint::kSkip) << "the pod has no node";
  const PodBuilder relabelled = MakePod("p").Label("app", "else");
  const PodBuilder before = ServicePod("p");
  EXPECT_EQ(plugin->Hint(*relabelled.Info(cluster_.words()),
                         {Resource::kTargetPod, action::kUpdatePodLabel, {}},
                         PodChange(cluster_.words(), &before, &relabelled)),
            QueueingHint::kQueue)
      << "other pods match now";
}

TEST_F(ServiceAffinityTest, HintQueuesIfAffinityLabelsChange) {
  const auto plugin = cluster_.Plugin<ServiceAffinity>(kByRegion);
  const auto pod = ServicePod("p").Info(cluster_.words());
  const auto hint = [&](const NodeBuilder* before, const NodeBuilder* after) {
    return plugin->Hint(*pod, {Resource::kNode, action::kAll, {}}, NodeChange(before, after));
  };
  const NodeBuilder r = MakeNode("n").Label("region", "r");
  const NodeBuilder s = MakeNode("n").Label("region", "s");
  const NodeBuilder none = MakeNode("n");
  const NodeBuilder empty = MakeNode("n").Label("region", "");
  const NodeBuilder r_zoned = MakeNode("n").Label("region", "r").Label("zone", "a");
  EXPECT_EQ(hint(nullptr, &none), QueueingHint::kQueue);
  EXPECT_EQ(hint(&none, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(hint(&r, &s), QueueingHint::kQueue);
  EXPECT_EQ(hint(&r, &none), QueueingHint::kQueue);
  EXPECT_EQ(hint(&none, &empty), QueueingHint::kQueue);
  EXPECT_EQ(hint(&r, &r_zoned), QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
