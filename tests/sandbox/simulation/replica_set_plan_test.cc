// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/replica_set_plan.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Removed(const ReplicaSetPlan& plan) {
  std::vector<std::string> names;
  for (const PodPtr& pod : plan.remove) names.push_back(pod->metadata.name);
  return names;
}

TEST(PlanReplicaSet, CreatesMissingPods) {
  const ReplicaSet set = ASet("set", "v1", 3, 0);
  const ReplicaSetPlan plan = PlanReplicaSet(set, {APod("a", "set-uid")}, kNow);
  EXPECT_EQ(plan.create, 2);
  EXPECT_TRUE(plan.remove.empty());
}

TEST(PlanReplicaSet, ReplacesEndedAndTerminatingPods) {
  const ReplicaSet set = ASet("set", "v1", 2, 0);
  const ReplicaSetPlan plan =
      PlanReplicaSet(set,
                     {APod("failed", "set-uid", {.phase = "Failed"}),
                      APod("leaving", "set-uid", {.leaving = true}), APod("fine", "set-uid"),
                      APod("stranger", "another-uid")},
                     kNow);
  EXPECT_EQ(plan.create, 1);
  EXPECT_EQ(plan.status.replicas, 1);
}

TEST(PlanReplicaSet, DeletesSurplusPodsInUpstreamsOrder) {
  const ReplicaSet set = ASet("set", "v1", 2, 0);
  const ReplicaSetPlan plan = PlanReplicaSet(
      set,
      {APod("old", "set-uid", {.ready_for_seconds = 900}), APod("recent", "set-uid"),
       APod("unready", "set-uid", {.ready = false}),
       APod("pending", "set-uid", {.phase = "Pending", .ready = false}),
       APod("unassigned", "set-uid", {.node = "", .phase = "Pending", .ready = false})},
      kNow);
  EXPECT_THAT(Removed(plan), ElementsAre("unassigned", "pending", "unready"));
}

TEST(PlanReplicaSet, DeletesYoungestOfEquallyReadyPods) {
  const ReplicaSet set = ASet("set", "v1", 1, 0);
  const ReplicaSetPlan plan = PlanReplicaSet(set,
                                             {APod("elder", "set-uid", {.age_seconds = 500}),
                                              APod("younger", "set-uid", {.age_seconds = 50})},
                                             kNow);
  EXPECT_THAT(Removed(plan), ElementsAre("younger"));
}

TEST(PlanReplicaSet, DoesNothingWhileBeingDeleted) {
  ReplicaSet set = ASet("set", "v1", 3, 0);
  set.metadata.deletion_timestamp = kNow;
  EXPECT_EQ(PlanReplicaSet(set, {}, kNow).create, 0);
}

TEST(PlanReplicaSet, ReadyPodIsAvailableAfterMinReadySeconds) {
  ReplicaSet set = ASet("set", "v1", 2, 0);
  set.spec.min_ready_seconds = 60;
  const ReplicaSetPlan plan = PlanReplicaSet(set,
                                             {APod("long", "set-uid", {.ready_for_seconds = 61}),
                                              APod("short", "set-uid", {.ready_for_seconds = 40})},
                                             kNow);
  EXPECT_EQ(plan.status.ready_replicas, 2);
  EXPECT_EQ(plan.status.available_replicas, 1);
  ASSERT_TRUE(plan.requeue_after);
  EXPECT_EQ(*plan.requeue_after, std::chrono::seconds(20));
}

TEST(PodOf, CarriesTheTemplateAndNamesItsController) {
  ReplicaSet set = ASet("set", "v1", 1, 0);
  set.spec.template_.text =
      R"({"metadata":{"labels":{"app":"web"}},"spec":{"unknownField":7,"containers":[]}})";
  const nlohmann::json pod = nlohmann::json::parse(PodOf(set));
  EXPECT_EQ(pod["metadata"]["generateName"], "set-");
  EXPECT_EQ(pod["metadata"]["labels"]["app"], "web");
  EXPECT_EQ(pod["metadata"]["ownerReferences"][0]["uid"], "set-uid");
  EXPECT_EQ(pod["spec"]["unknownField"], 7);
}

}  // namespace
}  // namespace berth::simulation
