// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/rolling_update.h"

#include <gmock/gmock.h>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

DeploymentSpec Spec(int32_t replicas, IntOrString unavailable, IntOrString surge) {
  DeploymentSpec spec;
  spec.replicas = replicas;
  spec.strategy = {.type = "RollingUpdate",
                   .rolling_update = api::RollingUpdateDeployment{unavailable, surge}};
  return spec;
}

TEST(AllowanceOf, RoundsSurgeUpAndUnavailabilityDown) {
  const Allowance allowance =
      AllowanceOf(Spec(10, IntOrString(std::string("25%")), IntOrString(std::string("25%"))));
  EXPECT_EQ(allowance.max_unavailable, 2);
  EXPECT_EQ(allowance.max_surge, 3);
}

TEST(AllowanceOf, DefaultsTo25Percent) {
  DeploymentSpec spec;
  spec.replicas = 4;
  EXPECT_EQ(AllowanceOf(spec).max_unavailable, 1);
  EXPECT_EQ(AllowanceOf(spec).max_surge, 1);
}

TEST(AllowanceOf, IsNeverZeroForRollingUpdate) {
  EXPECT_EQ(AllowanceOf(Spec(3, 0, 0)).max_unavailable, 1);
}

TEST(AllowanceOf, IsZeroForRecreate) {
  DeploymentSpec spec = Spec(3, 1, 1);
  spec.strategy.type = "Recreate";
  EXPECT_EQ(AllowanceOf(spec).max_surge, 0);
  EXPECT_EQ(AllowanceOf(spec).max_unavailable, 0);
}

TEST(NewReplicas, GrowsUpToSurge) {
  EXPECT_EQ(NewReplicas(Spec(3, 0, 1), 0, 3), 1);
  EXPECT_EQ(NewReplicas(Spec(3, 0, 1), 1, 4), 1);
  EXPECT_EQ(NewReplicas(Spec(3, 0, 5), 0, 3), 3);
}

TEST(NewReplicas, ShrinksAtOnce) { EXPECT_EQ(NewReplicas(Spec(2, 0, 1), 5, 5), 2); }

TEST(ScaleOldDown, KeepsEnoughPodsAvailable) {
  const ReplicaSet newest = ASet("new", "v2", 1, 1);
  const ReplicaSet old = ASet("old", "v1", 3, 3);
  EXPECT_THAT(ScaleOldDown(Spec(3, 0, 1), newest, {&old}), ElementsAre(Pair("old", 2)));
}

TEST(ScaleOldDown, WaitsForNewPodsToBecomeAvailable) {
  const ReplicaSet newest = ASet("new", "v2", 1, 0);
  const ReplicaSet old = ASet("old", "v1", 3, 3);
  EXPECT_THAT(ScaleOldDown(Spec(3, 0, 1), newest, {&old}), IsEmpty());
}

TEST(ScaleOldDown, RemovesBrokenPodsFirst) {
  const ReplicaSet newest = ASet("new", "v2", 1, 1);
  const ReplicaSet old = ASet("old", "v1", 3, 2);
  // 3 + 1 desired, 3 must stay available, and exactly 3 are: the broken one is removed.
  EXPECT_THAT(ScaleOldDown(Spec(3, 0, 1), newest, {&old}), ElementsAre(Pair("old", 2)));
}

TEST(ScaleOldDown, SpreadsOverSeveralOldSetsOldestFirst) {
  const ReplicaSet newest = ASet("new", "v3", 2, 2);
  const ReplicaSet oldest = ASet("oldest", "v1", 1, 1);
  const ReplicaSet older = ASet("older", "v2", 3, 3);
  EXPECT_THAT(ScaleOldDown(Spec(4, 0, 2), newest, {&oldest, &older}),
              ElementsAre(Pair("older", 2), Pair("oldest", 0)));
}

}  // namespace
}  // namespace berth::simulation
