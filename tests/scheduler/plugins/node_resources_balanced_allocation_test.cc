// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_balanced_allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;

constexpr const char* kThree =
    R"({"resources":[{"name":"cpu"},{"name":"memory"},{"name":"example.com/gpu","weight":0}]})";

// Returns the score of a node with `running` on it; the expected values were computed by hand with
// upstream's formulas.
int64_t BalancedScore(const std::string& running, const PodBuilder& pod, std::string args = "") {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi,example.com/gpu=4"))
      .Add(MakePod("running").Requests(running).OnNode("a"));
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>(std::move(args));
  Cycle cycle(cluster, pod);
  return ScoreAll(*plugin, cycle).at("a");
}

std::vector<std::string> BalancedErrors(std::string args) {
  std::vector<std::string> texts;
  for (const api::FieldError& error :
       NodeResourcesBalancedAllocation::Descriptor().check({std::move(args)})) {
    texts.push_back(error.ToString());
  }
  return texts;
}

TEST(NodeResourcesBalancedAllocation, ScoresMatchUpstreamFormula) {
  EXPECT_EQ(BalancedScore("cpu=1,memory=2Gi", MakePod("p").Requests("cpu=500m,memory=1Gi")), 75);
  EXPECT_EQ(BalancedScore("cpu=2,memory=1Gi", MakePod("p").Requests("cpu=200m,memory=3Gi")), 83);
  EXPECT_EQ(BalancedScore("cpu=1,memory=1Gi", MakePod("p").Requests("cpu=2")), 62);
}

TEST(NodeResourcesBalancedAllocation, CapsFractionAtOne) {
  // Before: 1 and 0.25, so 62; after: 1 (of 1.25) and 0.75, so 87.
  EXPECT_EQ(BalancedScore("cpu=4,memory=2Gi", MakePod("p").Requests("cpu=1,memory=4Gi")), 87);
}

TEST(NodeResourcesBalancedAllocation, UsesStandardDeviationOfThreeResources) {
  // Before: 0.5, 0.25, 0 with a deviation of 0.2041, so 79; after: 0.5, 0.25, 0.75, the same.
  EXPECT_EQ(BalancedScore("cpu=2,memory=2Gi", MakePod("p").Requests("example.com/gpu=3"), kThree),
            75);
  // After: 1, 0.25, 0.25 with a deviation of 0.3535, so 64.
  EXPECT_EQ(
      BalancedScore("cpu=2,memory=2Gi", MakePod("p").Requests("cpu=2,example.com/gpu=1"), kThree),
      67);
}

TEST(NodeResourcesBalancedAllocation, IgnoresScalarsNotRequested) {
  const std::string full = "cpu=1,memory=2Gi,example.com/gpu=4";
  EXPECT_EQ(BalancedScore(full, MakePod("p").Requests("cpu=500m,memory=1Gi"), kThree), 75);
}

TEST(NodeResourcesBalancedAllocation, SingleResourceIsBalanced) {
  EXPECT_EQ(
      BalancedScore("cpu=1", MakePod("p").Requests("cpu=1"), R"({"resources":[{"name":"cpu"}]})"),
      75);
  TestCluster cluster;
  cluster.Add(MakeNode("no-memory").Allocatable("cpu=4"));
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>();
  Cycle cycle(cluster, MakePod("p").Requests("cpu=1,memory=1Gi"));
  EXPECT_EQ(ScoreAll(*plugin, cycle).at("no-memory"), 75);
}

TEST(NodeResourcesBalancedAllocation, UsesNoDefaultRequestsForExistingPods) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=1Gi"))
      .Add(MakePod("silent").Requests("").OnNode("a"));
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>();
  Cycle cycle(cluster, MakePod("p").Requests("cpu=2"));
  EXPECT_EQ(ScoreAll(*plugin, cycle).at("a"), 62);  // 71 with 100m and 200 MiB
}

TEST(NodeResourcesBalancedAllocation, CountsPodLevelRequestsAndOverhead) {
  EXPECT_EQ(BalancedScore("cpu=1,memory=1Gi", MakePod("p").Requests("").PodLevel("cpu=2")), 62);
  EXPECT_EQ(
      BalancedScore("cpu=1,memory=1Gi", MakePod("p").Requests("cpu=1500m").Overhead("cpu=500m")),
      62);
}

TEST(NodeResourcesBalancedAllocation, CountsSimulatedPods) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi"));
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>();
  Cycle cycle(cluster, MakePod("p").Requests("cpu=2"));
  plugin->PreScore(cycle.context(), {});
  NodeDelta delta(cluster.cache().At(cluster.SlotOf("a")));
  delta.Add(MakePod("r").Requests("cpu=1,memory=1Gi").Info(cluster.words()));
  EXPECT_EQ(plugin->Score(cycle.context(), cluster.View("a", &delta)), 62);
}

TEST(NodeResourcesBalancedAllocation, SkipsPodWithoutRequests) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi"));
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>();
  for (const char* requests : {"", "cpu=0", "ephemeral-storage=1Gi,example.com/gpu=1"}) {
    Cycle cycle(cluster, MakePod("p").Requests(requests));
    EXPECT_EQ(plugin->PreScore(cycle.context(), {}).code, Code::kSkip) << requests;
    EXPECT_EQ(plugin->Score(cycle.context(), cluster.View("a")), 0) << "without PreScore";
  }
}

TEST(NodeResourcesBalancedAllocation, KeyHasOnlyScoredResources) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeResourcesBalancedAllocation>();
  const auto key = [&](const PodBuilder& pod) {
    return plugin->KeyOf(Cycle(cluster, pod).context());
  };
  EXPECT_EQ(key(MakePod("a").Requests("cpu=1,memory=1Gi")),
            key(MakePod("b").Requests("cpu=1").Requests("memory=1Gi,ephemeral-storage=1Gi")));
  EXPECT_NE(key(MakePod("a").Requests("cpu=1")), key(MakePod("b").Requests("memory=1")));
}

TEST(NodeResourcesBalancedAllocationArgs, AcceptsValidArgs) {
  EXPECT_THAT(BalancedErrors(""), IsEmpty());
  EXPECT_THAT(BalancedErrors(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                           "kind":"NodeResourcesBalancedAllocationArgs"})"),
              IsEmpty());
  EXPECT_THAT(BalancedErrors(kThree), IsEmpty());
}

TEST(NodeResourcesBalancedAllocationArgs, RejectsWeightsAndDuplicates) {
  EXPECT_THAT(BalancedErrors(R"({"resources":[{"name":"cpu","weight":2},{"name":"memory"},
                                        {"name":"cpu","weight":-1}]})"),
              ElementsAre("resources[0].weight: Invalid value: 2: must be 1",
                          "resources[2].name: Duplicate value: \"cpu\"",
                          "resources[2].weight: Invalid value: -1: must be 1"));
}

}  // namespace
}  // namespace berth::scheduler
