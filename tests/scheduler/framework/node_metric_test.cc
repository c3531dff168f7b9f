// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_metric.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::TestCluster;

constexpr int64_t kWhole = NodeMetric::kWhole;

class NodeMetricTest : public ::testing::Test {
 protected:
  NodeMetricTest() {
    for (const char* const node : {"a", "b", "c"}) cluster_.Add(MakeNode(node));
  }
  void Put(const NodeMetric::Samples& samples) { metric_.Put(samples, cluster_.snapshot()); }

  TestCluster cluster_;
  NodeMetric metric_{/*keeps_last=*/false};
};

TEST_F(NodeMetricTest, ReturnsSharesOfTheHighestValue) {
  Put({{"a", 0}, {"b", 25}, {"c", 100}});
  EXPECT_EQ(metric_.Find("a"), 0);
  EXPECT_EQ(metric_.Find("b"), kWhole / 4);
  EXPECT_EQ(metric_.Find("c"), kWhole);
  EXPECT_TRUE(metric_.IsComplete(cluster_.snapshot()));
}

TEST_F(NodeMetricTest, IsEmptyBeforeTheFirstSamples) {
  EXPECT_EQ(metric_.Find("a"), std::nullopt);
  EXPECT_EQ(metric_.neutral(), 0);
  EXPECT_FALSE(metric_.IsComplete(cluster_.snapshot()));
}

TEST_F(NodeMetricTest, IgnoresSamplesOfUnknownNodes) {
  Put({{"a", 1}, {"b", 2}, {"elsewhere", 1000}});
  EXPECT_EQ(metric_.Find("b"), kWhole);
  EXPECT_EQ(metric_.Find("elsewhere"), std::nullopt);
  EXPECT_EQ(metric_.known(), 2u);
  EXPECT_EQ(metric_.strangers(), 1u);
  EXPECT_EQ(metric_.nodes(), 3u);
  EXPECT_FALSE(metric_.IsComplete(cluster_.snapshot()));
}

TEST_F(NodeMetricTest, TakesTheHighestOfSeveralSamplesOfANode) {
  cluster_.Add(MakeNode("a").Address("InternalIP", "10.0.0.1").Address("Hostname", "machine-1"));
  Put({{"a", 10}, {"10.0.0.1", 50}, {"machine-1", 20}, {"b", 100}});
  EXPECT_EQ(metric_.Find("a"), kWhole / 2);
  EXPECT_EQ(metric_.known(), 2u);
  EXPECT_EQ(metric_.strangers(), 0u);
}

TEST_F(NodeMetricTest, FindsANodeByItsChangedAddress) {
  cluster_.Add(MakeNode("a").Address("InternalIP", "10.0.0.1"));
  Put({{"10.0.0.1", 1}, {"10.0.0.9", 1}});
  EXPECT_EQ(metric_.Find("a"), kWhole);
  EXPECT_EQ(metric_.strangers(), 1u);
  cluster_.Add(MakeNode("a").Address("InternalIP", "10.0.0.9"));
  cluster_.Add(MakeNode("b").Address("InternalIP", "10.0.0.1"));
  Put({{"10.0.0.1", 1}, {"10.0.0.9", 2}});
  EXPECT_EQ(metric_.Find("a"), kWhole);
  EXPECT_EQ(metric_.Find("b"), kWhole / 2);
}

TEST_F(NodeMetricTest, NeutralIsTheAverage) {
  Put({{"a", 100}, {"b", 50}});
  EXPECT_EQ(metric_.neutral(), kWhole / 4 * 3);
}

TEST_F(NodeMetricTest, HandlesValuesOfAnySize) {
  constexpr double kMost = std::numeric_limits<double>::max();
  Put({{"a", kMost}, {"b", kMost / 2}, {"c", std::numeric_limits<double>::denorm_min()}});
  EXPECT_EQ(metric_.Find("a"), kWhole);
  EXPECT_EQ(metric_.Find("b"), kWhole / 2);
  EXPECT_EQ(metric_.Find("c"), 0);
  Put({{"a", 1e-300}, {"b", 5e-301}, {"c", 0}});
  EXPECT_EQ(metric_.Find("b"), kWhole / 2);
  Put({{"a", 0}, {"b", 0}, {"c", 0}});
  EXPECT_EQ(metric_.Find("a"), 0);
}

TEST_F(NodeMetricTest, RevisionChangesOnlyWithTheShares) {
  Put({{"a", 0}, {"b", 50}, {"c", 100}});
  const uint64_t revision = metric_.revision();
  Put({{"a", 0.49}, {"b", 50.49}, {"c", 100}});
  EXPECT_EQ(metric_.revision(), revision);
  EXPECT_EQ(metric_.Find("b"), kWhole / 2) << "small steps are compared with the stored share";
  Put({{"a", 0}, {"b", 50.51}, {"c", 100}});
  EXPECT_NE(metric_.revision(), revision);
}

TEST_F(NodeMetricTest, RevisionChangesWithTheSetOfNodes) {
  Put({{"a", 1}, {"b", 1}});
  const uint64_t revision = metric_.revision();
  Put({{"a", 1}, {"c", 1}});
  EXPECT_NE(metric_.revision(), revision);
  EXPECT_EQ(metric_.Find("b"), std::nullopt);
}

TEST_F(NodeMetricTest, ForgetChangesTheRevisionOnce) {
  Put({{"a", 1}});
  const uint64_t revision = metric_.revision();
  metric_.Forget();
  EXPECT_EQ(metric_.Find("a"), std::nullopt);
  EXPECT_EQ(metric_.revision(), revision + 1);
  metric_.Forget();
  EXPECT_EQ(metric_.revision(), revision + 1);
}

TEST_F(NodeMetricTest, KeepsLastValuesOfExistingNodesIfConfigured) {
  NodeMetric metric(/*keeps_last=*/true);
  metric.Put({{"a", 100}, {"b", 50}}, cluster_.snapshot());
  metric.Put({{"b", 100}, {"c", 0}}, cluster_.snapshot());
  EXPECT_EQ(metric.Find("a"), kWhole);
  cluster_.cache().RemoveNode("a");
  metric.Put({}, cluster_.snapshot());
  EXPECT_EQ(metric.Find("a"), std::nullopt);
  EXPECT_EQ(metric.Find("b"), kWhole);
}

TEST_F(NodeMetricTest, IsIncompleteAfterANodeWasAdded) {
  Put({{"a", 1}, {"b", 2}, {"c", 3}});
  cluster_.Add(MakeNode("d"));
  EXPECT_FALSE(metric_.IsComplete(cluster_.snapshot()));
  cluster_.cache().RemoveNode("a");
  EXPECT_FALSE(metric_.IsComplete(cluster_.snapshot()))
      << "three nodes have shares, but not these three";
}

}  // namespace
}  // namespace berth::scheduler
