// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_ports.h"

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

constexpr const char* kTaken =
    "Unschedulable: node(s) didn't have free ports for the requested pod ports";

std::string Ask(const PodBuilder& running, const PodBuilder& wanting) {
  TestCluster cluster;
  cluster.Add(MakeNode("n")).Add(PodBuilder(running).OnNode("n"));
  const auto plugin = cluster.Plugin<NodePorts>();
  Cycle cycle(cluster, wanting);
  const auto answers = FilterAll(*plugin, cycle);
  return answers.begin()->second;
}

TEST(NodePorts, ComparesProtocolPortAndAddress) {
  const struct {
    PodBuilder running, wanting;
    std::string answer;
  } cases[] = {
      {MakePod("a").HostPort(80), MakePod("b").HostPort(80), kTaken},
      {MakePod("a").HostPort(80), MakePod("b").HostPort(81), "Success"},
      {MakePod("a").HostPort(80, "TCP"), MakePod("b").HostPort(80), kTaken},
      {MakePod("a").HostPort(80, "UDP"), MakePod("b").HostPort(80), "Success"},
      {MakePod("a").HostPort(80, "", "10.0.0.1"), MakePod("b").HostPort(80), kTaken},
      {MakePod("a").HostPort(80), MakePod("b").HostPort(80, "", "10.0.0.1"), kTaken},
      {MakePod("a").HostPort(80, "", "0.0.0.0"), MakePod("b").HostPort(80, "", "10.0.0.1"), kTaken},
      {MakePod("a").HostPort(80, "", "10.0.0.1"), MakePod("b").HostPort(80, "", "10.0.0.1"),
       kTaken},
      {MakePod("a").HostPort(80, "", "10.0.0.2"), MakePod("b").HostPort(80, "", "10.0.0.1"),
       "Success"},
      {MakePod("a").HostPort(80, "", "::"), MakePod("b").HostPort(80, "", "10.0.0.1"), "Success"},
      {MakePod("a").HostPort(80), MakePod("b").HostPort(9).HostPort(80), kTaken},
      {MakePod("a").SidecarHostPort(80), MakePod("b").HostPort(80), kTaken},
      {MakePod("a").InitHostPort(80), MakePod("b").HostPort(80), "Success"},
      {MakePod("a"), MakePod("b").HostPort(80).HostPort(80), "Success"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Ask(test.running, test.wanting), test.answer) << &test - cases;
  }
}

TEST(NodePorts, SkipsPodWithoutHostPorts) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodePorts>();
  for (const PodBuilder& pod :
       {MakePod("none").Requests("cpu=1"), MakePod("init").InitHostPort(80)}) {
    Cycle cycle(cluster, pod);
    EXPECT_EQ(Text(plugin->PreFilter(cycle.context()).status), "Skip");
  }
}

TEST(NodePorts, CountsSimulatedPods) {
  TestCluster cluster;
  cluster.Add(MakeNode("n")).Add(MakePod("running").HostPort(80).OnNode("n"));
  const auto plugin = cluster.Plugin<NodePorts>();
  const auto running = cluster.cache().At(cluster.SlotOf("n")).pods.front();
  const auto nominated = MakePod("nominated").HostPort(81).Info(cluster.words());
  const NodeInfo& node = cluster.cache().At(cluster.SlotOf("n"));
  NodeDelta without(node);
  without.Remove(*running);
  NodeDelta with(node);
  with.Add(nominated);
  Cycle wants80(cluster, MakePod("b").HostPort(80));
  EXPECT_EQ(Text(plugin->Filter(wants80.context(), cluster.View("n", &without))), "Success");
  EXPECT_EQ(Text(plugin->Filter(wants80.context(), cluster.View("n", &with))), kTaken);
  Cycle wants81(cluster, MakePod("c").HostPort(81));
  EXPECT_EQ(Text(plugin->Filter(wants81.context(), cluster.View("n"))), "Success");
  EXPECT_EQ(Text(plugin->Filter(wants81.context(), cluster.View("n", &with))), kTaken);
}

TEST(NodePorts, HintQueuesIfPortIsFreed) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodePorts>();
  const auto pod = MakePod("p").HostPort(80).Info(cluster.words());
  const auto hint = [&](const PodBuilder& deleted) {
    return plugin->Hint(*pod, {Resource::kAssignedPod, action::kDelete, {}},
                        testing::PodChange(cluster.words(), &deleted, nullptr));
  };
  EXPECT_EQ(hint(MakePod("a").HostPort(80).OnNode("n")), QueueingHint::kQueue);
  EXPECT_EQ(hint(MakePod("a").HostPort(80).Nominated("n")), QueueingHint::kQueue);
  EXPECT_EQ(hint(MakePod("a").HostPort(80)), QueueingHint::kSkip);
  EXPECT_EQ(hint(MakePod("a").HostPort(81).OnNode("n")), QueueingHint::kSkip);
  EXPECT_EQ(hint(MakePod("a").OnNode("n")), QueueingHint::kSkip);
  const auto node = MakeNode("n");
  EXPECT_EQ(
      plugin->Hint(*pod, {Resource::kNode, action::kAdd, {}}, testing::NodeChange(nullptr, &node)),
      QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
