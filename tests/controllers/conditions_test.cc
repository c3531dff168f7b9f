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

TEST(Conditions, NewProfileIsRendering) {
  World world(MakeProfile("a"));
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=False/NoDeployment", "Valid=True/Valid", "Available=False/NoDeployment",
                   "ConfigApplied=Unknown/NoHeartbeat", "Reconciling=True/Rendering"}));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

TEST(Conditions, ReadyNeedsTheSchedulerToRunTheConfiguration) {
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

TEST(Conditions, NotReadyWithoutAReadyPod) {
  World world(MakeProfile("a"));
  world.Deployed(0).Reports(world.ConfigHash());
  EXPECT_EQ(
      world.Conditions(),
      (Texts{"Ready=False/NoReadyScheduler", "Valid=True/Valid", "Available=False/NoReadyScheduler",
             "ConfigApplied=True/Applied", "Reconciling=True/NoReadyScheduler"}));
}

TEST(Conditions, ConfigAppliedIsUnknownWithoutHeartbeat) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  world.observed.lease_unchanged = std::chrono::seconds(16);
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=Unknown/NoHeartbeat"));
  EXPECT_EQ(world.profile.status.scheduler.leader, "");
}

TEST(Conditions, StalledWhenTheSchedulerRejectsTheConfiguration) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports("other", "profiles[0]: no");
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/ConfigRefused"));
  EXPECT_EQ(world.Kstatus(), "Failed");
}

// A scheduler pod without a sidecar rejects the extender of the next configuration. This is
// tolerated only for profiles with sidecars.
TEST(Conditions, RejectedConfigReconcilesWhilePodsGetSidecars) {
  const auto world_of = [](const char* spec) {
    World world(MakeProfile("a", spec));
    world.Deployed(1).Reports("other", "extenders[0].urlPrefix: no");
    return world;
  };
  constexpr const char* kSidecar =
      "{extenders: [{urlPrefix: 'http://localhost:80'}], deployment: {sidecars: [{name: b, image: "
      "example.com/x, port: 80}]}}";
  World beside = world_of(kSidecar);
  const auto roll_out = [](api::Deployment& deployment) { deployment.status.updated_replicas = 0; };
  beside.WithDeployment(roll_out);
  EXPECT_THAT(beside.Conditions(), Contains("ConfigApplied=False/ConfigRefused"));
  EXPECT_THAT(beside.Conditions(), Contains("Reconciling=True/RollingOut"));
  EXPECT_EQ(beside.Kstatus(), "InProgress");

  World ending = world_of(kSidecar);
  ending.HasPod(R"({"metadata":{"name":"old","deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  EXPECT_THAT(ending.Conditions(), Contains("Reconciling=True/ConfigRefused"));

  World rolled_out = world_of(kSidecar);
  EXPECT_THAT(rolled_out.Conditions(), Contains("Stalled=True/ConfigRefused"));
  World alone = world_of("");
  alone.WithDeployment(roll_out);
  EXPECT_THAT(alone.Conditions(), Contains("Stalled=True/ConfigRefused"));
}

TEST(Conditions, IgnoreRejectionOfAnotherConfiguration) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports("other", "profiles[0]: no");
  world.profile.spec.percentage_of_nodes_to_score = 30;
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=False/Pending"));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

TEST(Conditions, ReportsReconcilingWhileRestartIsNeeded) {
  World world(MakeProfile("a"));
  world.Deployed(1).RunsAllBut("leaderElection.leaseDuration");
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=False/RestartNeeded"));
  EXPECT_THAT(world.Conditions(), Contains("Reconciling=True/RestartNeeded"));
  EXPECT_THAT(world.MessageOf("ConfigApplied"), HasSubstr("leaderElection.leaseDuration"));
}

TEST(Conditions, StalledAfterTheProgressDeadline) {
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

TEST(Conditions, SuspendedProfileHasNoOtherProblem) {
  World world(MakeProfile("a", "{suspend: true}"));
  world.Deployed(0, 0);
  EXPECT_EQ(world.Conditions(),
            (Texts{"Suspended=True/Suspended", "Valid=True/Valid", "Available=False/Suspended",
                   "ConfigApplied=Unknown/NoHeartbeat"}));
  EXPECT_EQ(world.Kstatus(), "Current");
}

// `kubectl get` prints the reason of the first condition.
TEST(Conditions, PausedIsBeforeReady) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  world.profile.metadata.annotations[std::string(api::kPausedAnnotation)] = "true";
  EXPECT_EQ(world.Conditions(),
            (Texts{"Paused=True/Paused", "Ready=True/Ready", "Valid=True/Valid",
                   "Available=True/SchedulerReady", "ConfigApplied=True/Applied"}));
}

TEST(Conditions, NotRenderedNamesTheCauseAndTheRunningConfiguration) {
  World world(MakeProfile("a", "{plugins: {filter: {enabled: [{name: Nope}]}}}"));
  world.profile.metadata.generation = 7;
  world.Deployed(1).Reports("0123");
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=False/NotRendered"));
  EXPECT_EQ(world.MessageOf("ConfigApplied"),
            "generation 7 of the profile is not accepted (UnknownPlugin), so it has no "
            "configuration; the scheduler keeps 0123");
}

TEST(Conditions, ReadyNamesItsGeneration) {
  World world(MakeProfile("a"));
  world.profile.metadata.generation = 7;
  world.Deployed(1).Reports(world.ConfigHash());
  EXPECT_THAT(world.Conditions(), Contains("Ready=True/Ready"));
  EXPECT_EQ(world.MessageOf("Ready"),
            "the scheduler is available and runs the configuration of generation 7");
}

TEST(Conditions, KeepTransitionTimeWhileStatusIsUnchanged) {
  World world(MakeProfile("a"));
  world.Conditions();
  const Time before =
      api::FindCondition(world.profile.status.conditions, "Valid")->last_transition_time;
  world.profile.status =
      StatusOf(world.profile, world.observed, {}, before + std::chrono::hours(1));
  EXPECT_EQ(api::FindCondition(world.profile.status.conditions, "Valid")->last_transition_time,
            before);
}

TEST(Conditions, AvailableHasReplicaFailureMessage) {
  World world(MakeProfile("a"));
  world.Deployed(0).WithDeployment([](api::Deployment& deployment) {
    deployment.status.conditions = {
        {.type = "ReplicaFailure", .status = "True", .message = "exceeded quota"}};
  });
  EXPECT_THAT(world.Conditions(), Contains("Available=False/PodsRefused"));
  EXPECT_EQ(world.MessageOf("Available"), "exceeded quota");
}

TEST(Conditions, IgnoreDeploymentOfAnotherOwner) {
  World world(MakeProfile("a"));
  world.Deployed(1).WithDeployment(
      [](api::Deployment& deployment) { deployment.metadata.owner_references[0].uid = "other"; });
  EXPECT_THAT(world.Conditions(), Contains("Available=False/NoDeployment"));
}

TEST(Conditions, CountUpdatedAndReadyPods) {
  World world(MakeProfile("a", "{deployment: {replicas: 2}}"));
  world.Deployed(1, 2).Reports(world.ConfigHash()).WithDeployment([](api::Deployment& deployment) {
    deployment.status.updated_replicas = 1;
  });
  EXPECT_THAT(world.Conditions(), Contains("Reconciling=True/RollingOut"));
  EXPECT_EQ(world.MessageOf("Reconciling"), "1 of 2 scheduler pods are up to date");
  EXPECT_EQ(world.MessageOf("Available"), "1 of 2 scheduler pods are ready");
}

TEST(Conditions, ValidWithoutPluginChecksForOwnImage) {
  World world(MakeProfile(
      "a", "{engine: {image: example.com/mine}, plugins: {score: {enabled: [{name: Mine}]}}}"));
  EXPECT_THAT(world.Conditions(), Contains("Valid=True/PluginsNotVerified"));
}

ReconcileError Failed(Reason reason, std::string message) {
  return {.key = {&api::ConfigMap::kResource, "berth-system", "berth-a"},
          .verb = "create",
          .error = Error(reason, std::move(message))};
}

TEST(Conditions, StallingErrorTakesPrecedenceOverTransientError) {
  World world(MakeProfile("a"));
  world.Met(Failed(Reason::kUnavailable, "away")).Met(Failed(Reason::kForbidden, "no"));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/Forbidden"));
  EXPECT_THAT(world.Conditions(), Contains("Ready=False/Forbidden"));
}

TEST(Conditions, TransientErrorIsReconciling) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash()).Met(Failed(Reason::kUnavailable, "away"));
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=False/Retrying", "Valid=True/Valid", "Available=True/SchedulerReady",
                   "ConfigApplied=True/Applied", "Reconciling=True/Retrying"}));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

TEST(Conditions, StayReadyForAGenerationWhileItsSchedulerServes) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  EXPECT_THAT(world.Conditions(), Contains("Ready=True/Ready"));
  world.Met(Failed(Reason::kUnavailable, "away"));
  EXPECT_THAT(world.Conditions(), Contains("Ready=True/Ready"));
  EXPECT_EQ(world.Kstatus(), "InProgress");
  world.profile.metadata.generation = 2;
  EXPECT_THAT(world.Conditions(), Contains("Ready=False/Retrying"));
}

TEST(Conditions, IgnoreDeploymentBeingDeleted) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash()).WithDeployment([](api::Deployment& deployment) {
    deployment.metadata.deletion_timestamp = Time::FromUnixSeconds(1);
  });
  EXPECT_THAT(world.Conditions(), Contains("Available=False/NoDeployment"));
}

TEST(Conditions, SuspendedOnlyAfterTheLastPodHasEnded) {
  World world(MakeProfile("a", "{suspend: true}"));
  world.Deployed(0, 0).HasPod(
      R"({"metadata":{"name":"p","deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  EXPECT_THAT(world.Conditions(), Contains("Ready=False/Suspended"));
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

// Pod statuses of a kubelet, reduced to the fields that are read.
TEST(Conditions, HaveReasonOfTheMostImportantPodFailure) {
  const std::string kCrashed =
      R"({"metadata":{"name":"p"},"status":{"phase":"Running","containerStatuses":[{"name":"scheduler",
      "state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 10s restarting failed container"}},
      "lastState":{"terminated":{"exitCode":1,"reason":"Error","message":"err=no such file"}}}]}})";
  const std::string kUnpulled =
      R"({"metadata":{"name":"q"},"status":{"phase":"Pending","containerStatuses":[{"name":"scheduler",
      "state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image x:1"}}}]}})";
  const std::string kUnplaced =
      R"({"metadata":{"name":"r"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled",
      "status":"False","reason":"Unschedulable","message":"0/3 nodes are available"}]}})";
  const std::string kEvicted =
      R"({"metadata":{"name":"s"},"status":{"phase":"Failed","reason":"Evicted","message":"low on memory"}})";
  const std::string kEnded =
      R"({"metadata":{"name":"t"},"status":{"phase":"Running","containerStatuses":[{"name":"scheduler",
      "state":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}})";
  const std::string kStarting =
      R"({"metadata":{"name":"u"},"status":{"phase":"Pending","containerStatuses":[{"name":"scheduler",
      "state":{"waiting":{"reason":"ContainerCreating"}}}]}})";
  struct Row {
    std::string pod, condition, message;
  };
  const Row kRows[] = {
      {kCrashed, "CrashLoopBackOff",
       "0 of 1 scheduler pods are ready; pod p, container scheduler: back-off 10s restarting "
       "failed container; it ended with exit code 1 (Error): err=no such file"},
      {kUnpulled, "ImagePullBackOff",
       "0 of 1 scheduler pods are ready; pod q, container scheduler: Back-off pulling image x:1"},
      {kUnplaced, "Unschedulable",
       "0 of 1 scheduler pods are ready; pod r: 0/3 nodes are available"},
      {kEvicted, "Evicted", "0 of 1 scheduler pods are ready; pod s: low on memory"},
      {kEnded, "OOMKilled",
       "0 of 1 scheduler pods are ready; pod t, container scheduler: it ended with exit code 137 "
       "(OOMKilled)"},
      {kStarting, "NoReadyScheduler", "0 of 1 scheduler pods are ready"},
  };
  for (const Row& row : kRows) {
    World world(MakeProfile("a"));
    world.Deployed(0).HasPod(row.pod);
    EXPECT_THAT(world.Conditions(), Contains("Available=False/" + row.condition));
    EXPECT_EQ(world.MessageOf("Available"), row.message);
  }
  World world(MakeProfile("a"));
  world.Deployed(0).HasPod(kUnplaced).HasPod(kEvicted).HasPod(kUnpulled);
  EXPECT_THAT(world.Conditions(), Contains("Available=False/ImagePullBackOff"));
  EXPECT_THAT(world.Conditions(), Contains("Ready=False/ImagePullBackOff"));
}

TEST(Conditions, RollingOutMessageHasPodFailure) {
  World world(MakeProfile("a"));
  world.Deployed(1)
      .Reports(world.ConfigHash())
      .WithDeployment([](api::Deployment& deployment) { deployment.status.updated_replicas = 0; })
      .HasPod(
          R"({"metadata":{"name":"q"},"status":{"phase":"Pending","containerStatuses":[{"name":"c",
      "state":{"waiting":{"reason":"ErrImagePull","message":"not found"}}}]}})");
  EXPECT_THAT(world.Conditions(), Contains("Reconciling=True/RollingOut"));
  EXPECT_EQ(world.MessageOf("Reconciling"),
            "0 of 1 scheduler pods are up to date; pod q, container c: not found");
}

TEST(Conditions, KubeSchedulerDependsOnPodsAndLease) {
  World world(MakeProfile("a", "{engine: {type: KubeScheduler}}"));
  world.Deployed(1);
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=Unknown/NoHeartbeat"));
  world.Reports("");
  EXPECT_EQ(world.Conditions(),
            (Texts{"Ready=True/Ready", "Valid=True/Valid", "Available=True/SchedulerReady",
                   "ConfigApplied=True/Applied"}));
  EXPECT_EQ(world.profile.status.scheduler.applied_config_hash, world.ConfigHash());
  EXPECT_EQ(world.profile.status.scheduler.leader, "pod-1");
  world.HasPod(R"({"metadata":{"name":"old","annotations":{"berth.dev/config-version":"0"},
      "deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  EXPECT_THAT(world.Conditions(), Contains("ConfigApplied=False/Pending")) << "it may still place";
}

TEST(Conditions, ConfigAppliedHasTerminationMessageOfFailingPod) {
  World world(MakeProfile("a", "{engine: {type: KubeScheduler}}"));
  world.Deployed(1).Reports("").WithDeployment(
      [](api::Deployment& deployment) { deployment.status.replicas = 2; });
  const std::string version = world.ConfigHash();
  world.HasPod(R"({"metadata":{"name":"old","annotations":{"berth.dev/config-version":"0"}}})");
  world.HasPod(R"({"metadata":{"name":"new","annotations":{"berth.dev/config-version":")" +
               version +
               R"("}},"status":{"containerStatuses":[{"name":"scheduler",
      "state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off"}},
      "lastState":{"terminated":{"exitCode":1,"reason":"Error","message":"no such plugin"}}}]}})");
  EXPECT_THAT(world.Conditions(), testing::IsSupersetOf({"Available=True/SchedulerReady",
                                                         "ConfigApplied=False/CrashLoopBackOff",
                                                         "Reconciling=True/RollingOut"}));
  EXPECT_THAT(world.MessageOf("ConfigApplied"), HasSubstr("exit code 1 (Error): no such plugin"));
}

TEST(Conditions, ProfileWithoutNamedPluginsClearsPluginStatus) {
  World world(MakeProfile("a",
                          "{engine: {type: KubeScheduler}, leaderElection: {leaderElect: "
                          "false}}"));
  world.profile.status.plugins = {{.name = "OfTheEngineBefore"}};
  world.Conditions();
  EXPECT_THAT(world.profile.status.plugins, testing::IsEmpty());
  EXPECT_THAT(world.profile.status.warnings,
              testing::ElementsAre(HasSubstr("spec.leaderElection.leaderElect")));
}

TEST(Conditions, FailingMetricSourceWarnsAndStaysReady) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  api::Lease lease = *world.observed.lease;
  lease.metadata.annotations[std::string(api::kMetricSourcesAnnotation)] =
      "NetworkTraffic: code 500";
  world.observed.lease = std::make_shared<const api::Lease>(lease);
  EXPECT_THAT(world.Conditions(), Contains(testing::StartsWith("Ready=True")));
  EXPECT_THAT(world.profile.status.warnings,
              testing::ElementsAre("metric source: NetworkTraffic: code 500"));
  world.observed.lease_unchanged = std::chrono::minutes(5);
  world.Conditions();
  EXPECT_THAT(world.profile.status.warnings, testing::IsEmpty()) << "no heartbeat";
}

TEST(Conditions, MissingKindWarnsAndStaysReady) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  api::Lease lease = *world.observed.lease;
  lease.metadata.annotations[std::string(api::kAbsentKindsAnnotation)] = "PodGroups are not known";
  world.observed.lease = std::make_shared<const api::Lease>(lease);
  EXPECT_THAT(world.Conditions(), Contains(testing::StartsWith("Ready=True")));
  EXPECT_THAT(world.profile.status.warnings, testing::ElementsAre("PodGroups are not known"));
  world.observed.lease_unchanged = std::chrono::minutes(5);
  world.Conditions();
  EXPECT_THAT(world.profile.status.warnings, testing::IsEmpty()) << "no heartbeat";
}

TEST(Conditions, PendingPodsAreReportedOnlyWithHeartbeat) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports(world.ConfigHash());
  world.Conditions();
  EXPECT_EQ(world.profile.status.pending_pods, std::nullopt) << "not reported";
  const auto says = [&world](const std::string& text) {
    api::Lease lease = *world.observed.lease;
    lease.metadata.annotations[std::string(api::kPendingPodsAnnotation)] = text;
    world.observed.lease = std::make_shared<const api::Lease>(lease);
    world.Conditions();
    return world.profile.status.pending_pods;
  };
  EXPECT_EQ(says("0"), 0);
  for (const char* nonsense : {"", "-1", "1 ", "many", "99999999999999999999"}) {
    EXPECT_EQ(says(nonsense), std::nullopt) << nonsense;
  }
  EXPECT_EQ(says("12"), 12);
  world.observed.lease_unchanged = std::chrono::minutes(5);
  world.Conditions();
  EXPECT_EQ(world.profile.status.pending_pods, std::nullopt) << "no heartbeat";
}

// The first stalling check decides.
TEST(Conditions, StalledOrderIsProfileThenObjectsThenScheduler) {
  World world(MakeProfile("a", "{assign: {}}"));
  world.Deployed(1).Reports("other", "no such plugin").Met(Failed(Reason::kForbidden, "no"));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/AssignNotSupported"));
  world.profile.spec.assign.reset();
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/Forbidden"));
  world.failures.clear();
  world.Reports("other", "no such plugin");
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/ConfigRefused"));
}

}  // namespace
}  // namespace berth::controllers
