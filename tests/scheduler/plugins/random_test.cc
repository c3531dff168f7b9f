// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/random.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;

int64_t RandomScore(const std::string& args, const PodBuilder& pod, const std::string& node) {
  TestCluster cluster;
  cluster.Add(MakeNode(node));
  const auto plugin = cluster.Plugin<Random>(args);
  Cycle cycle(cluster, pod);
  return ScoreAll(*plugin, cycle).at(node);
}

// Expected values were computed independently, from the formula in the header.
TEST(RandomPlugin, ScoresMatchDocumentedHash) {
  EXPECT_EQ(RandomScore("", MakePod("p"), "a"), 84);
  EXPECT_EQ(RandomScore("", MakePod("p"), "b"), 83);
  EXPECT_EQ(RandomScore(R"({"seed":1})", MakePod("p"), "a"), 71);
  EXPECT_EQ(RandomScore(R"({"seed":-1})", MakePod("p"), "a"), 79);
  EXPECT_EQ(RandomScore("", MakePod("q"), "a"), 52);
  EXPECT_EQ(RandomScore("", MakePod("p").Namespace("other"), "a"), 37);
  EXPECT_EQ(RandomScore(R"({"seed":42})", MakePod("web-7d4b9c-x2x"), "node-0001"), 73);
}

TEST(RandomPlugin, RecreatedPodGetsSameScore) {
  EXPECT_EQ(RandomScore("", MakePod("p").Uid("another"), "a"), RandomScore("", MakePod("p"), "a"));
}

TEST(RandomPlugin, ScoresCoverWholeRange) {
  TestCluster cluster;
  for (int i = 0; i < 3000; ++i) cluster.Add(MakeNode("node-" + std::to_string(i)));
  const auto plugin = cluster.Plugin<Random>();
  Cycle cycle(cluster, MakePod("p"));
  std::map<int64_t, int> draws;
  for (const auto& [node, score] : ScoreAll(*plugin, cycle)) ++draws[score];
  EXPECT_EQ(draws.size(), 101u);
  EXPECT_EQ(draws.begin()->first, kMinNodeScore);
  EXPECT_EQ(draws.rbegin()->first, kMaxNodeScore);
  for (const auto& [score, times] : draws) EXPECT_LT(times, 70) << score;  // 30 on average
}

TEST(RandomPlugin, RejectsNonNumericSeed) {
  EXPECT_TRUE(Random::Descriptor().check({R"({"seed":7})"}).empty());
  EXPECT_FALSE(Random::Descriptor().check({R"({"seed":"x"})"}).empty());
}

}  // namespace
}  // namespace berth::scheduler
