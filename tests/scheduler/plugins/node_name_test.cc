// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_name.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::TestCluster;
using Answers = std::map<std::string, std::string>;

constexpr const char* kOther =
    "UnschedulableAndUnresolvable: node(s) didn't match the requested node name";

TEST(NodeName, AdmitsOnlyNamedNode) {
  TestCluster cluster;
  cluster.Add(MakeNode("a")).Add(MakeNode("b")).Add(MakeNode("B"));
  const auto plugin = cluster.Plugin<NodeName>();
  Cycle cycle(cluster, MakePod("p").OnNode("b"));
  EXPECT_EQ(FilterAll(*plugin, cycle), (Answers{{"a", kOther}, {"b", "Success"}, {"B", kOther}}));
}

TEST(NodeName, AdmitsEveryNodeWithoutNodeName) {
  TestCluster cluster;
  cluster.Add(MakeNode("a"));
  const auto plugin = cluster.Plugin<NodeName>();
  Cycle cycle(cluster, MakePod("p"));
  EXPECT_EQ(FilterAll(*plugin, cycle), (Answers{{"a", "Success"}}));
}

TEST(NodeName, PreFilterLimitsTheSearchToTheNamedNode) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeName>();
  Cycle named(cluster, MakePod("p").OnNode("gone"));
  const PreFilterResult limited = plugin->PreFilter(named.context());
  EXPECT_TRUE(limited.status.ok());
  EXPECT_EQ(limited.nodes, (std::set<std::string>{"gone"})) << "the node need not exist";
  Cycle unnamed(cluster, MakePod("p"));
  const PreFilterResult all = plugin->PreFilter(unnamed.context());
  EXPECT_TRUE(all.status.ok());
  EXPECT_EQ(all.nodes, std::nullopt);
}

TEST(NodeName, HintQueuesForNewNode) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeName>();
  const auto node = MakeNode("n");
  EXPECT_EQ(plugin->Hint(*MakePod("p").Info(cluster.words()), {Resource::kNode, action::kAdd, {}},
                         testing::NodeChange(nullptr, &node)),
            QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
