// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_name_length.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::ScoreAll;
using testing::TestCluster;

int64_t LengthScore(size_t length, const std::string& args = "") {
  TestCluster cluster;
  const std::string name(length, 'n');
  cluster.Add(MakeNode(name));
  const auto plugin = cluster.Plugin<NodeNameLength>(args);
  Cycle cycle(cluster, MakePod("p"));
  return ScoreAll(*plugin, cycle).at(name);
}

TEST(NodeNameLength, ScoresByNameLength) {
  EXPECT_EQ(LengthScore(1), 95);
  EXPECT_EQ(LengthScore(4), 80);
  EXPECT_EQ(LengthScore(13), 35);
  EXPECT_EQ(LengthScore(19), 5);
  EXPECT_EQ(LengthScore(20), 0);
  EXPECT_EQ(LengthScore(253), 0);
}

TEST(NodeNameLength, UsesBaseFromArgs) {
  EXPECT_EQ(LengthScore(1, R"({"base":1})"), 0);
  EXPECT_EQ(LengthScore(1, R"({"base":3})"), 66);
  EXPECT_EQ(LengthScore(1, R"({"base":2147483647})"), 99);
}

TEST(NodeNameLength, RejectsInvalidBase) {
  const auto errors = NodeNameLength::Descriptor().check({R"({"base":-1})"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().ToString(), "base: Invalid value: -1: must be at least 1");
}

}  // namespace
}  // namespace berth::scheduler
