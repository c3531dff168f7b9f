// SPDX-License-Identifier: Apache-2.0
#include "engine/unknown_values.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::engine {
namespace {

using scheduler::testing::MakeNode;
using scheduler::testing::MakePod;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

api::Node NodeWithTaint(const std::string& effect) {
  api::Node node = *MakeNode("n").Build();
  node.spec.taints = {{.key = "k", .value = {}, .effect = effect, .time_added = {}}};
  return node;
}

TEST(UnknownValues, ReportsEachValueOnce) {
  UnknownValues unknown;
  EXPECT_THAT(unknown.Look(NodeWithTaint("NoSchedule")), IsEmpty());
  EXPECT_THAT(unknown.Look(NodeWithTaint("NoService")),
              ElementsAre("spec.taints.effect: NoService"));
  EXPECT_THAT(unknown.Look(NodeWithTaint("NoService")), IsEmpty());
  EXPECT_THAT(unknown.Look(NodeWithTaint("NoMore")), ElementsAre("spec.taints.effect: NoMore"));
}

TEST(UnknownValues, ChecksFieldsThatAffectScheduling) {
  api::Pod pod = *MakePod("a").Build();
  UnknownValues unknown;
  EXPECT_THAT(unknown.Look(pod), IsEmpty());
  pod.spec.preemption_policy = "Ask";
  pod.spec.tolerations.resize(1);
  pod.spec.tolerations[0].op = "Lt";
  pod.spec.tolerations[0].effect = "NoService";
  pod.spec.topology_spread_constraints.resize(1);
  pod.spec.topology_spread_constraints[0].when_unsatisfiable = "Shrug";
  EXPECT_THAT(unknown.Look(pod),
              ElementsAre("spec.tolerations.operator: Lt", "spec.tolerations.effect: NoService",
                          "spec.topologySpreadConstraints.whenUnsatisfiable: Shrug",
                          "spec.preemptionPolicy: Ask"));
}

TEST(UnknownValues, StopsReportingAtALimit) {
  UnknownValues unknown;
  size_t said = 0;
  for (size_t i = 0; i < 2 * UnknownValues::kMost; ++i) {
    said += unknown.Look(NodeWithTaint("No" + std::to_string(i))).size();
  }
  EXPECT_EQ(said, UnknownValues::kMost);
}

}  // namespace
}  // namespace berth::engine
