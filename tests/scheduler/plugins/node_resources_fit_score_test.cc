// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "scheduler/plugins/node_resources_fit.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;

std::string Ratio(const std::string& shape, const std::string& resources) {
  return R"({"scoringStrategy":{"type":"RequestedToCapacityRatio","resources":)" + resources +
         R"(,"requestedToCapacityRatio":{"shape":)" + shape + "}}}";
}

constexpr const char* kMost = R"({"scoringStrategy":{"type":"MostAllocated"}})";
constexpr const char* kEven = R"([{"name":"cpu"},{"name":"memory"}])";

// Returns the score of a node with `running` on it; the expected values were computed by hand with
// upstream's formulas.
int64_t FitScore(const PodBuilder& running, const PodBuilder& pod, std::string args = "") {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi,example.com/gpu=4"))
      .Add(PodBuilder(running).OnNode("a"));
  const auto plugin = cluster.Plugin<NodeResourcesFit>(std::move(args));
  Cycle cycle(cluster, pod);
  return ScoreAll(*plugin, cycle).at("a");
}

const PodBuilder& Running() {
  static const PodBuilder pod = MakePod("running").Requests("cpu=1,memory=2Gi");
  return pod;
}

TEST(NodeResourcesFitScore, ScoresMatchUpstreamFormula) {
  const auto pod = MakePod("p").Requests("cpu=500m,memory=1Gi");
  EXPECT_EQ(FitScore(Running(), pod), 62);
  EXPECT_EQ(FitScore(Running(), pod, kMost), 37);
  EXPECT_EQ(
      FitScore(Running(), pod,
               Ratio(R"([{"utilization":0,"score":0},{"utilization":100,"score":10}])", kEven)),
      37);
  EXPECT_EQ(
      FitScore(Running(), pod,
               Ratio(R"([{"utilization":0,"score":10},{"utilization":100,"score":0}])", kEven)),
      63);
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("cpu=1500m,memory=1Gi"),
                     Ratio(R"([{"utilization":0,"score":0},{"utilization":50,"score":8},
                            {"utilization":100,"score":10}])",
                           R"([{"name":"cpu","weight":3},{"name":"memory","weight":1}])")),
            78);
}

TEST(NodeResourcesFitScore, UsesDefaultsForContainerWithoutRequests) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi"));
  const auto plugin = cluster.Plugin<NodeResourcesFit>();
  Cycle cycle(cluster, MakePod("p").Requests(""));
  EXPECT_EQ(ScoreAll(*plugin, cycle).at("a"), 97);
}

TEST(NodeResourcesFitScore, UsesDefaultsForExistingPods) {
  EXPECT_EQ(FitScore(MakePod("silent").Requests("").Requests(""),
                     MakePod("p").Requests("cpu=0,memory=0")),
            95);  // cpu 200m of 4: 95, memory 400 MiB of 8 GiB: 95
}

TEST(NodeResourcesFitScore, CapsUtilizationAtCapacity) {
  const auto pod = MakePod("p").Requests("cpu=5,memory=9Gi");
  EXPECT_EQ(FitScore(Running(), pod), 0);
  EXPECT_EQ(FitScore(Running(), pod, kMost), 100);
}

TEST(NodeResourcesFitScore, IgnoresScalarsNotRequested) {
  const std::string args =
      R"({"scoringStrategy":{"type":"LeastAllocated","resources":[{"name":"example.com/gpu","weight":3},{"name":"cpu","weight":1}]}})";
  // cpu 2 of 4: 50; memory 2 GiB and the default 200 MiB of 8 GiB: 72.
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("cpu=1")), 61);
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("cpu=1"), args), 50);
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("cpu=1,example.com/gpu=1"), args),
            (75 * 3 + 50) / 4);
}

TEST(NodeResourcesFitScore, IgnoresResourcesMissingOnNode) {
  const std::string args =
      R"({"scoringStrategy":{"type":"LeastAllocated","resources":[{"name":"example.com/tpu"},{"name":"ephemeral-storage"},{"name":"pods"}]}})";
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("example.com/tpu=1"), args), 0);
}

TEST(NodeResourcesFitScore, IgnoresPodLevelRequestsOfIncomingPod) {
  // 3 CPUs for the whole pod, but its container requests none: 100m counts, as in kube-scheduler.
  EXPECT_EQ(FitScore(Running(), MakePod("p").Requests("memory=1Gi").PodLevel("cpu=3,memory=1Gi")),
            FitScore(Running(), MakePod("p").Requests("memory=1Gi,cpu=100m")));
}

TEST(NodeResourcesFitScore, CountsPodLevelRequestsOfExistingPods) {
  const auto pod = MakePod("p").Requests("cpu=500m,memory=1Gi");
  EXPECT_EQ(FitScore(MakePod("r").Requests("").PodLevel("cpu=1,memory=2Gi"), pod), 62);
}

TEST(NodeResourcesFitScore, CountsSimulatedPods) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Allocatable("cpu=4,memory=8Gi"));
  const auto plugin = cluster.Plugin<NodeResourcesFit>();
  Cycle cycle(cluster, MakePod("p").Requests("cpu=500m,memory=1Gi"));
  plugin->PreScore(cycle.context(), {});
  NodeDelta delta(cluster.cache().At(cluster.SlotOf("a")));
  delta.Add(Running().Info(cluster.words()));
  EXPECT_EQ(plugin->Score(cycle.context(), cluster.View("a", &delta)), 62);
  EXPECT_EQ(plugin->Score(cycle.context(), cluster.View("a")), 87);
}

}  // namespace
}  // namespace berth::scheduler
