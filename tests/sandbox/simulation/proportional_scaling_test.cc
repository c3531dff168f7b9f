// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/proportional_scaling.h"

#include <gmock/gmock.h>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// A Deployment with a surge of 25%, and its previous state when its ReplicaSets were scaled.
struct Scene {
  explicit Scene(int32_t was, int32_t is) : before(ADeployment(was)), deployment(ADeployment(is)) {}

  ReplicaSet Set(const std::string& name, int32_t replicas, int32_t available, int64_t age = 1) {
    ReplicaSet set = ASet(name, name, replicas, available, age);
    for (const auto& [key, value] : SizeNotes(before.spec)) set.metadata.annotations[key] = value;
    return set;
  }

  Deployment before;
  Deployment deployment;
};

TEST(WasScaled, ComparesAnnotationsWithSpec) {
  Scene scene(4, 8);
  const ReplicaSet set = scene.Set("a", 4, 4);
  EXPECT_TRUE(WasScaled(scene.deployment.spec, {&set}));
  EXPECT_FALSE(WasScaled(scene.before.spec, {&set}));
  const ReplicaSet idle = scene.Set("b", 0, 0);
  EXPECT_FALSE(WasScaled(scene.deployment.spec, {&idle}));
  const ReplicaSet silent = ASet("c", "v1", 4, 4);
  EXPECT_FALSE(WasScaled(scene.deployment.spec, {&silent}));
}

TEST(ScaleToFit, TheOnlySetWithPodsGetsAll) {
  Scene scene(4, 8);
  const ReplicaSet active = scene.Set("active", 4, 4);
  const ReplicaSet idle = scene.Set("idle", 0, 0);
  EXPECT_THAT(ScaleToFit(scene.deployment, &active, {&idle}),
              UnorderedElementsAre(Pair("active", 8)));
  EXPECT_THAT(ScaleToFit(scene.deployment, &idle, {&active}),
              UnorderedElementsAre(Pair("active", 8)));
}

TEST(ScaleToFit, WithoutPodsTheNewestGrows) {
  Scene scene(0, 3);
  const ReplicaSet old = scene.Set("old", 0, 0);
  const ReplicaSet newest = scene.Set("newest", 0, 0, 2);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("newest", 3)));
  EXPECT_THAT(ScaleToFit(scene.deployment, nullptr, {&old, &newest}),
              UnorderedElementsAre(Pair("newest", 3)));
  EXPECT_THAT(ScaleToFit(scene.deployment, nullptr, {}), IsEmpty());
}

TEST(ScaleToFit, RollingSetsGrowProportionally) {
  Scene scene(4, 8);  // at most 5 before, 10 now
  const ReplicaSet old = scene.Set("old", 4, 4);
  const ReplicaSet newest = scene.Set("newest", 1, 0, 2);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("old", 8), Pair("newest", 2)));
}

TEST(ScaleToFit, RollingSetsShrinkProportionally) {
  Scene scene(8, 4);  // at most 10 before, 5 now
  const ReplicaSet old = scene.Set("old", 6, 6);
  const ReplicaSet newest = scene.Set("newest", 4, 2, 2);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("old", 3), Pair("newest", 2)));
  scene.deployment.spec.replicas = 0;
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("old", 0), Pair("newest", 0)));
}

TEST(ScaleToFit, LargestSetGetsTheRemainder) {
  Scene scene(10, 11);  // at most 13 before, 14 now
  const ReplicaSet a = scene.Set("a", 5, 5, 1);
  const ReplicaSet b = scene.Set("b", 4, 4, 2);
  const ReplicaSet newest = scene.Set("newest", 4, 0, 3);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&a, &b}),
              UnorderedElementsAre(Pair("a", 6), Pair("b", 4), Pair("newest", 4)));
}

TEST(ScaleToFit, NewerOfEqualSetsGrowsAndOlderShrinks) {
  Scene scene(4, 5);  // at most 5 before, 7 now; 4 exist
  const ReplicaSet old = scene.Set("old", 2, 2, 1);
  const ReplicaSet newest = scene.Set("newest", 2, 2, 2);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("old", 3), Pair("newest", 4)));
  scene.deployment.spec.replicas = 2;  // at most 3
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}),
              UnorderedElementsAre(Pair("old", 1), Pair("newest", 2)));
}

TEST(ScaleToFit, SaturatedNewSetRemovesOldOnes) {
  Scene scene(4, 4);
  const ReplicaSet old = scene.Set("old", 2, 2);
  const ReplicaSet newest = scene.Set("newest", 4, 4, 2);
  EXPECT_THAT(ScaleToFit(scene.deployment, &newest, {&old}), UnorderedElementsAre(Pair("old", 0)));
}

// Otherwise the rollout would wait forever for a ReplicaSet that was scaled by another client.
TEST(ScaleToFit, ListsSetWithOutdatedAnnotationOnly) {
  Scene scene(4, 8);
  const ReplicaSet set = scene.Set("set", 8, 8);
  EXPECT_THAT(ScaleToFit(scene.deployment, &set, {}), UnorderedElementsAre(Pair("set", 8)));
}

TEST(ScaleToFit, OmitsUnchangedReplicaSets) {
  Scene scene(4, 4);
  const ReplicaSet set = scene.Set("set", 4, 4);
  EXPECT_THAT(ScaleToFit(scene.deployment, &set, {}), IsEmpty());
}

}  // namespace
}  // namespace berth::simulation
