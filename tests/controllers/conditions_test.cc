// SPDX-License-Identifier: Apache-2.0
#include "controllers/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/controllers/world.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;

using Texts = std::vector<std::string>;

TEST(Conditions, OfANewProfileSayThatItIsBeingRendered) {
  World world(MakeProfile("a"));
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=False/NoDeployment", "Valid=True/Valid", "Available=False/NoDeployment",
                   "ConfigApplied=Unknown/NoHeartbeat", "Reconciling=True/Rendering"}));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

TEST(Conditions, AreReadyOnlyWhenTheSchedulerRunsThisConfiguration) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports("other");
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=False/Pending", "Valid=True/Valid", "Available=True/SchedulerReady",
                   "ConfigApplied=False/Pending", "Reconciling=True/Pending"}));
  EXPECT_EQ(world.Kstatus(), "InProgress");

  world.Reports(world.ConfigHash());
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=True/Ready", "Valid=True/Valid", "Available=True/SchedulerReady",
                   "ConfigApplied=True/Applied"}));
  EXPECT_EQ(world.Kstatus(), "Current");
}

TEST(Conditions, AreNotReadyWithoutAReadyPod) {
  World world(MakeProfile("a"));
  world.Deployed(0).Reports(world.ConfigHash());
  EXPECT_EQ(
      world.Conditions(),
      (Texts{"Ready=False/NoReadyScheduler", "Valid=True/Valid", "Available=False/NoReadyScheduler",
             "ConfigApplied=True/Applied", "Reconciling=True/NoReadyScheduler"}));
}

TEST(Conditions, DoNotBelieveASilentScheduler) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  world.observed.lease_unchanged = std::chrono::seconds(16);
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=Unknown/NoHeartbeat"));
  EXPECT_EQ(world.profile.status.scheduler.leader, "");
}

TEST(Conditions, AreStalledWhenTheSchedulerRefusesTheConfiguration) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports("other", "profiles[0]: no");
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/ConfigRefused"));
  EXPECT_EQ(world.Kstatus(), "Failed");
}

TEST(Conditions, AreStalledWhenTheConfigurationRunsOnlyInPart) {
  World world(MakeProfile("a"));
  world.Deployed(1).RunsAllBut("leaderElection.leaseDuration");
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=False/RestartNeeded"));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/RestartNeeded"));
  EXPECT_THAT(world.MessageOf("ConfigApplied"), HasSubstr("leaderElection.leaseDuration"));
}

TEST(Conditions, AreStalledWhenTheRolloutTookTooLong) {
  World world(MakeProfile("a"));
  world.Deployed(0).WithDeployment([](api::Deployment& deployment) {
    deployment.status.conditions = {{.type = "Progressing",
                                     .status = "False",
                                     .reason = "ProgressDeadlineExceeded",
                                     .message = "has timed out"}};
  });
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/ProgressDeadlineExceeded"));
  EXPECT_THAT(world.Conditions(), testing::Not(Contains(HasSubstr("Reconciling"))));
}

TEST(Conditions, OfASuspendedProfileSayNothingElseIsWrong) {
  World world(MakeProfile("a", "{suspend: true}"));
  world.Deployed(0, 0);
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=False/Suspended", "Valid=True/Valid", "Available=False/Suspended",
                   "ConfigApplied=Unknown/NoHeartbeat", "Suspended=True/Suspended"}));
}

TEST(Conditions, KeepTheTimeOfATransitionWhileTheStatusStays) {
  World world(MakeProfile("a"));
  world.Conditions();
  const Time before =
      api::FindCondition(world.profile.status.conditions, "Valid")->last_transition_time;
  world.profile.status =
      StatusOf(world.profile, world.observed, {}, before + std::chrono::hours(1));
  EXPECT_EQ(api::FindCondition(world.profile.status.conditions, "Valid")->last_transition_time,
            before);
}

TEST(Conditions, SayWhyPodsAreRefused) {
  World world(MakeProfile("a"));
  world.Deployed(0).WithDeployment([](api::Deployment& deployment) {
    deployment.status.conditions = {
        {.type = "ReplicaFailure", .status = "True", .message = "exceeded quota"}};
  });
  EXPECT_THAT(world.Conditions(), Contains("Available=False/PodsRefused"));
  EXPECT_EQ(world.MessageOf("Available"), "exceeded quota");
}

TEST(Conditions, DoNotLookAtADeploymentOfSomebodyElse) {
  World world(MakeProfile("a"));
  world.Deployed(1).WithDeployment(
      [](api::Deployment& deployment) { deployment.metadata.owner_references[0].uid = "other"; });
  EXPECT_THAT(world.Conditions(), Contains("Available=False/NoDeployment"));
}

TEST(Conditions, CountThePodsThatAreUpToDate) {
  World world(MakeProfile("a", "{deployment: {replicas: 2}}"));
  world.Deployed(1, 2).Reports(world.ConfigHash()).WithDeployment([](api::Deployment& deployment) {
    deployment.status.updated_replicas = 1;
  });
  EXPECT_THAT(world.Conditions(), Contains("Reconciling=True/RollingOut"));
  EXPECT_EQ(world.MessageOf("Reconciling"), "1 of 2 scheduler pods are up to date");
  EXPECT_EQ(world.MessageOf("Available"), "1 of 2 scheduler pods are ready");
}

TEST(Conditions, AreNotVerifiedForAnImageOfItsOwn) {
  World world(MakeProfile(
      "a", "{engine: {image: example.com/mine}, plugins: {score: {enabled: [{name: Mine}]}}}"));
  EXPECT_THAT(world.Conditions(), Contains("Valid=True/PluginsNotVerified"));
}

Problem Failed(Reason reason, std::string message) {
  return {.key = {&api::ConfigMap::kResource, "berth-system", "berth-a"},
          .verb = "create",
          .error = Error(reason, std::move(message))};
}

TEST(Conditions, SayAtOnceWhatAPersonHasToSolve) {
  World world(MakeProfile("a"));
  world.Met(Failed(Reason::kUnavailable, "away")).Met(Failed(Reason::kForbidden, "no"));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/Forbidden"));
  EXPECT_THAT(world.Conditions(), Contains("Ready=False/Forbidden"));
}

TEST(Conditions, WaitForWhatMayPass) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash()).Met(Failed(Reason::kUnavailable, "away"));
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=True/Ready", "Valid=True/Valid", "Available=True/SchedulerReady",
                   "ConfigApplied=True/Applied", "Reconciling=True/Retrying"}));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

// What is first in the list is said, whatever else is wrong.
TEST(Conditions, NameTheProfileBeforeTheObjectsAndTheObjectsBeforeTheScheduler) {
  World world(MakeProfile("a", "{engine: {type: KubeScheduler}}"));
  world.Deployed(1).Reports("other", "no such plugin").Met(Failed(Reason::kForbidden, "no"));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/EngineNotSupported"));
  world.profile.spec.engine = {};
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/Forbidden"));
  world.problems.clear();
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/ConfigRefused"));
}

}  // namespace
}  // namespace berth::controllers
