// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_fit.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::TestCluster;
using testing::Text;

// One node with 4 CPUs, 8 GiB, 10 GiB of storage, 2 GPUs and 3 pods; a running pod uses 3 CPUs, 2
// GiB and 1 GPU.
class NodeResourcesFitTest : public ::testing::Test {
 protected:
  NodeResourcesFitTest() {
    cluster_
        .Add(MakeNode("n").Allocatable(
            "cpu=4,memory=8Gi,ephemeral-storage=10Gi,example.com/gpu=2,hugepages-2Mi=4Mi,pods=3"))
        .Add(MakePod("running")
                 .Requests("cpu=3,memory=2Gi,example.com/gpu=1,hugepages-2Mi=4Mi")
                 .OnNode("n"));
  }

  std::string Ask(const PodBuilder& pod, std::string args = "") {
    const auto plugin = cluster_.Plugin<NodeResourcesFit>(std::move(args));
    Cycle cycle(cluster_, pod);
    return FilterAll(*plugin, cycle).begin()->second;
  }

  TestCluster cluster_;
};

TEST_F(NodeResourcesFitTest, ComparesRequestsWithFreeResources) {
  const struct {
    std::string requests, answer;
  } cases[] = {
      {"", "Success"},
      {"cpu=1,memory=6Gi,ephemeral-storage=10Gi,example.com/gpu=1", "Success"},
      {"cpu=1001m", "Unschedulable: Insufficient cpu"},
      {"cpu=4001m", "UnschedulableAndUnresolvable: Insufficient cpu"},
      {"memory=6442450945", "Unschedulable: Insufficient memory"},
      {"ephemeral-storage=11Gi", "UnschedulableAndUnresolvable: Insufficient ephemeral-storage"},
      {"example.com/gpu=2", "Unschedulable: Insufficient example.com/gpu"},
      {"example.com/tpu=1", "UnschedulableAndUnresolvable: Insufficient example.com/tpu"},
      {"example.com/tpu=0", "Success"},
      {"cpu=2,example.com/tpu=1,example.com/npu=1",
       "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient example.com/npu, "
       "Insufficient example.com/tpu"},
      {"hugepages-2Mi=2Mi", "Unschedulable: Insufficient hugepages-2Mi"},
      {"cpu=2,memory=7Gi", "Unschedulable: Insufficient cpu, Insufficient memory"},
      {"cpu=2,memory=9Gi", "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory"},
      {"notext=5", "Success"},  // not a resource the scheduler tracks
      {"memory=9223372036854775807", "UnschedulableAndUnresolvable: Insufficient memory"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Ask(MakePod("p").Requests(test.requests)), test.answer) << test.requests;
  }
}

TEST_F(NodeResourcesFitTest, RejectsIfTooManyPods) {
  cluster_.Add(MakePod("b").OnNode("n"));
  EXPECT_EQ(Ask(MakePod("p")), "Success");
  cluster_.Add(MakePod("c").OnNode("n"));
  EXPECT_EQ(Ask(MakePod("p")), "Unschedulable: Too many pods");
  EXPECT_EQ(Ask(MakePod("p").Requests("cpu=5")),
            "UnschedulableAndUnresolvable: Too many pods, Insufficient cpu");
}

TEST_F(NodeResourcesFitTest, RejectsNodeWithoutAllocatable) {
  cluster_.cache().RemoveNode("n");
  TestCluster bare;
  auto node = MakeNode("bare");
  node.raw().status.allocatable.clear();
  bare.Add(node);
  const auto plugin = bare.Plugin<NodeResourcesFit>();
  Cycle cycle(bare, MakePod("p"));
  EXPECT_EQ(FilterAll(*plugin, cycle).at("bare"), "Unschedulable: Too many pods");
}

TEST_F(NodeResourcesFitTest, IgnoresExtendedResourcesByNameAndGroup) {
  const auto pod = MakePod("p").Requests("example.com/tpu=1");
  EXPECT_EQ(Ask(pod, R"({"ignoredResources":["example.com/tpu"]})"), "Success");
  EXPECT_EQ(Ask(pod, R"({"ignoredResourceGroups":["example.com"]})"), "Success");
  EXPECT_EQ(Ask(pod, R"({"ignoredResourceGroups":["example.org"]})"),
            "UnschedulableAndUnresolvable: Insufficient example.com/tpu");
  EXPECT_EQ(
      Ask(MakePod("p").Requests("hugepages-2Mi=8Mi"), R"({"ignoredResources":["hugepages-2Mi"]})"),
      "UnschedulableAndUnresolvable: Insufficient hugepages-2Mi");
}

TEST_F(NodeResourcesFitTest, CountsSimulatedPods) {
  const auto plugin = cluster_.Plugin<NodeResourcesFit>();
  const auto running = cluster_.cache().At(cluster_.SlotOf("n")).pods.front();
  const auto nominated = MakePod("nominated").Requests("cpu=1").Info(cluster_.words());
  Cycle cycle(cluster_, MakePod("p").Requests("cpu=1"));
  plugin->PreFilter(cycle.context());
  const NodeInfo& info = cluster_.cache().At(cluster_.SlotOf("n"));
  NodeDelta with(info);
  with.Add(nominated);
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("n", &with))),
            "Unschedulable: Insufficient cpu");
  NodeDelta swapped(info);
  swapped.Add(nominated);
  swapped.Remove(*running);
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("n", &swapped))), "Success");
}

TEST_F(NodeResourcesFitTest, ThousandsOfUnofferedResourcesAreOneReasonOfAllNodes) {
  cluster_.Add(MakeNode("m").Allocatable("cpu=4,example.com/gpu=1,pods=3"));
  const auto plugin = cluster_.Plugin<NodeResourcesFit>();
  Cycle cycle(cluster_, MakePod("p").Requests("example.com/gpu=1," + testing::MostScalars()));
  plugin->PreFilter(cycle.context());
  const auto* request = cycle.context().state.Read<FitRequest>();
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(request->scalars.size(), 1u) << "compared with each node";
  const Verdict verdict = plugin->Filter(cycle.context(), cluster_.View("n"));
  EXPECT_EQ(verdict, plugin->Filter(cycle.context(), cluster_.View("m")));
  EXPECT_EQ(verdict.Texts().size(), testing::kMostScalars);
}

TEST_F(NodeResourcesFitTest, FilterWorksWithoutPreFilter) {
  const auto plugin = cluster_.Plugin<NodeResourcesFit>();
  Cycle cycle(cluster_, MakePod("p").Requests("cpu=2"));
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster_.View("n"))),
            "Unschedulable: Insufficient cpu");
}

TEST_F(NodeResourcesFitTest, NeverSkips) {
  const auto plugin = cluster_.Plugin<NodeResourcesFit>();
  Cycle cycle(cluster_, MakePod("p"));
  EXPECT_EQ(Text(plugin->PreFilter(cycle.context()).status), "Success");
  EXPECT_EQ(Text(plugin->PreScore(cycle.context(), {})), "Success");
}

}  // namespace
}  // namespace berth::scheduler
