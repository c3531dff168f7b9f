// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/deployment_plan.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "api/conditions.h"
#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

ReplicaSetPtr Shared(ReplicaSet set) { return std::make_shared<const ReplicaSet>(std::move(set)); }

DeploymentPlan Plan(const Deployment& deployment, std::vector<ReplicaSetPtr> sets,
                    bool old_pods_exist = false) {
  return PlanDeployment({.deployment = deployment,
                         .sets = std::move(sets),
                         .old_pods_exist = old_pods_exist,
                         .now = kNow});
}

const api::DeploymentCondition& Condition(const api::DeploymentStatus& status,
                                          const std::string& type) {
  const api::DeploymentCondition* condition = api::FindCondition(status.conditions, type);
  if (condition == nullptr) throw std::runtime_error("no condition " + type);
  return *condition;
}

TEST(PlanDeployment, CreatesAReplicaSetNamedAfterTheTemplate) {
  const Deployment deployment = ADeployment(3);
  const DeploymentPlan plan = Plan(deployment, {});
  ASSERT_TRUE(plan.create);
  const std::string hash = TemplateHash(deployment.spec.template_, 0);
  EXPECT_EQ(plan.create->name, "web-" + hash);
  const nlohmann::json set = nlohmann::json::parse(plan.create->json);
  EXPECT_EQ(set["spec"]["replicas"], 3);
  EXPECT_EQ(set["spec"]["selector"]["matchLabels"][kTemplateHashLabel], hash);
  EXPECT_EQ(set["spec"]["template"]["metadata"]["labels"][kTemplateHashLabel], hash);
  EXPECT_EQ(set["metadata"]["annotations"][kRevisionAnnotation], "1");
  EXPECT_EQ(set["metadata"]["ownerReferences"][0]["uid"], "deployment-uid");
  EXPECT_EQ(Condition(plan.status, "Progressing").reason, "NewReplicaSetCreated");
}

TEST(PlanDeployment, CollisionYieldsAnotherName) {
  Deployment deployment = ADeployment(1);
  const std::string first = Plan(deployment, {}).create->name;
  deployment.status.collision_count = 1;
  EXPECT_NE(Plan(deployment, {}).create->name, first);
}

TEST(PlanDeployment, NewTemplateStartsWithSurge) {
  const DeploymentPlan plan = Plan(ADeployment(4, "v2"), {Shared(ASet("old", "v1", 4, 4, 7))});
  ASSERT_TRUE(plan.create);
  EXPECT_EQ(nlohmann::json::parse(plan.create->json)["spec"]["replicas"], 1);
  EXPECT_EQ(plan.revision_text, "8");
  EXPECT_THAT(plan.scale, IsEmpty());
}

TEST(PlanDeployment, OldReplicaSetsShrinkAfterNewOneGrew) {
  const DeploymentPlan plan = Plan(ADeployment(4, "v2"), {Shared(ASet("old", "v1", 4, 4, 1)),
                                                          Shared(ASet("new", "v2", 1, 1, 2))});
  EXPECT_FALSE(plan.create);
  EXPECT_THAT(plan.scale, ElementsAre(Pair("old", 2)));
}

TEST(PlanDeployment, RollbackReusesOldReplicaSet) {
  const DeploymentPlan plan = Plan(ADeployment(4, "v1"), {Shared(ASet("first", "v1", 0, 0, 1)),
                                                          Shared(ASet("second", "v2", 4, 4, 2))});
  EXPECT_FALSE(plan.create);
  EXPECT_EQ(plan.newest, "first");
  EXPECT_EQ(plan.revision, 3);
  EXPECT_EQ(plan.revision_text, "3");
  EXPECT_THAT(plan.scale, ElementsAre(Pair("first", 1)));
}

TEST(PlanDeployment, RecreateWaitsForTheLastOldPod) {
  Deployment deployment = ADeployment(2, "v2");
  deployment.spec.strategy.type = "Recreate";
  const DeploymentPlan first = Plan(deployment, {Shared(ASet("old", "v1", 2, 2))}, true);
  EXPECT_THAT(first.scale, ElementsAre(Pair("old", 0)));
  EXPECT_FALSE(first.create);
  const auto empty = Shared(ASet("old", "v1", 0, 0));
  EXPECT_FALSE(Plan(deployment, {empty}, true).create);
  const DeploymentPlan then = Plan(deployment, {empty}, false);
  ASSERT_TRUE(then.create);
  EXPECT_EQ(nlohmann::json::parse(then.create->json)["spec"]["replicas"], 2);
}

TEST(PlanDeployment, PausedDeploymentOnlyUpdatesStatus) {
  Deployment deployment = ADeployment(2, "v2");
  deployment.spec.paused = true;
  const DeploymentPlan plan = Plan(deployment, {Shared(ASet("old", "v1", 2, 2))});
  EXPECT_FALSE(plan.create);
  EXPECT_THAT(plan.scale, IsEmpty());
  EXPECT_EQ(plan.status.available_replicas, 2);
  EXPECT_EQ(Condition(plan.status, "Progressing").reason, "DeploymentPaused");
  EXPECT_EQ(Condition(plan.status, "Progressing").status, "Unknown");
}

TEST(PlanDeployment, ResumedDeploymentContinuesRollout) {
  Deployment deployment = ADeployment(2, "v2");
  deployment.spec.paused = true;
  const auto set = Shared(ASet("old", "v1", 2, 2));
  deployment.status = Plan(deployment, {set}).status;
  deployment.spec.paused = false;
  const DeploymentPlan plan = Plan(deployment, {set});
  EXPECT_TRUE(plan.create);
  EXPECT_EQ(Condition(plan.status, "Progressing").reason, "DeploymentResumed");
  deployment.status = plan.status;
  EXPECT_EQ(Condition(Plan(deployment, {set}).status, "Progressing").reason,
            "NewReplicaSetCreated");
}

TEST(PlanDeployment, RemovesIdleReplicaSetsBeyondTheHistory) {
  Deployment deployment = ADeployment(1, "v4");
  deployment.spec.revision_history_limit = 1;
  const DeploymentPlan plan =
      Plan(deployment, {Shared(ASet("r1", "v1", 0, 0, 1)), Shared(ASet("r2", "v2", 0, 0, 2)),
                        Shared(ASet("r3", "v3", 0, 0, 3)), Shared(ASet("r4", "v4", 1, 1, 4))});
  ASSERT_EQ(plan.remove.size(), 2U);
  EXPECT_EQ(plan.remove[0]->metadata.name, "r1");
  EXPECT_EQ(plan.remove[1]->metadata.name, "r2");
}

TEST(PlanDeployment, ReportsCompletion) {
  const DeploymentPlan plan = Plan(ADeployment(2), {Shared(ASet("set", "v1", 2, 2))});
  EXPECT_EQ(plan.status.updated_replicas, 2);
  EXPECT_EQ(plan.status.unavailable_replicas, 0);
  EXPECT_EQ(Condition(plan.status, "Available").status, "True");
  EXPECT_EQ(Condition(plan.status, "Progressing").reason, "NewReplicaSetAvailable");
  EXPECT_FALSE(plan.requeue_after);
}

TEST(PlanDeployment, ReportsExceededProgressDeadline) {
  Deployment deployment = ADeployment(2);
  deployment.spec.progress_deadline_seconds = 60;
  deployment.status.replicas = deployment.status.updated_replicas = 2;
  deployment.status.conditions = {{.type = "Progressing",
                                   .status = "True",
                                   .reason = "ReplicaSetUpdated",
                                   .message = "",
                                   .last_update_time = kNow - std::chrono::seconds(50)}};
  const auto set = Shared(ASet("set", "v1", 2, 0));
  const DeploymentPlan early = Plan(deployment, {set});
  EXPECT_EQ(Condition(early.status, "Progressing").status, "True");
  ASSERT_TRUE(early.requeue_after);
  EXPECT_EQ(*early.requeue_after, std::chrono::seconds(10));
  deployment.status.conditions[0].last_update_time = kNow - std::chrono::seconds(61);
  const DeploymentPlan late = Plan(deployment, {set});
  EXPECT_EQ(Condition(late.status, "Progressing").reason, "ProgressDeadlineExceeded");
}

TEST(PlanDeployment, KeepsTimestampsOfUnchangedStatus) {
  Deployment deployment = ADeployment(2);
  const auto set = Shared(ASet("set", "v1", 2, 2));
  deployment.status = Plan(deployment, {set}).status;
  EXPECT_EQ(PlanDeployment({.deployment = deployment,
                            .sets = {set},
                            .old_pods_exist = false,
                            .now = kNow + std::chrono::hours(1)})
                .status,
            deployment.status);
}

TEST(SameTemplate, IgnoresOnlyTheHash) {
  json::Raw hashed{R"({"metadata":{"labels":{"app":"web","pod-template-hash":"abc"}},"spec":{}})"};
  json::Raw bare{R"({"metadata":{"labels":{"app":"web"}},"spec":{}})"};
  json::Raw other{R"({"metadata":{"labels":{"app":"web"}},"spec":{"x":1}})"};
  EXPECT_TRUE(SameTemplate(hashed, bare));
  EXPECT_FALSE(SameTemplate(hashed, other));
}

}  // namespace
}  // namespace berth::simulation
