// SPDX-License-Identifier: Apache-2.0
#include "scenario/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/parse.h"

namespace berth::scenario {
namespace {

TEST(MakeWorkload, ReturnsTheInitialObjects) {
  const auto scenario = Parse(R"(
summary: s
nodes: [{name: node, count: 2, allocatable: {cpu: 4}}]
pods:
  - {name: old, nodeName: node-0}
  - {name: web, count: 3}
steps:
  - create: {pods: [{name: late}]}
  - expect: {placements: {web-0: nowhere}}
)",
                              "a.yaml");
  ASSERT_TRUE(scenario) << scenario.error().message();
  const auto workload = MakeWorkload(*scenario);
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->nodes.size(), 2u);
  EXPECT_EQ(workload->nodes[1]->metadata.name, "node-1");
  ASSERT_EQ(workload->assigned.size(), 1u);
  EXPECT_EQ(workload->assigned[0]->spec.node_name, "node-0");
  ASSERT_EQ(workload->pending.size(), 3u);
  EXPECT_EQ(workload->pending[0]->metadata.name, "web-0");
  EXPECT_NE(workload->pending[0]->metadata.uid, workload->pending[1]->metadata.uid);
  EXPECT_FALSE(workload->nodes[0]->metadata.uid.empty());
}

TEST(MakeWorkload, RejectsAnInvalidObject) {
  const auto scenario =
      Parse("{summary: s, pods: [{name: p, image: a, containers: [{name: main}]}]}", "a.yaml");
  ASSERT_TRUE(scenario) << scenario.error().message();
  const auto workload = MakeWorkload(*scenario);
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().message(), ::testing::HasSubstr("containers: "));
}

}  // namespace
}  // namespace berth::scenario
