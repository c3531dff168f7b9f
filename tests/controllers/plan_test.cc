// SPDX-License-Identifier: Apache-2.0
#include "controllers/plan.h"

#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apps.h"
#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "tests/controllers/world.h"

namespace berth::controllers {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct BadInput {
  const char* spec;
  const char* reason;
  const char* message;
};

class InvalidProfile : public testing::TestWithParam<BadInput> {};

TEST_P(InvalidProfile, IsStalledAndRendersNothing) {
  World world(MakeProfile("a", GetParam().spec));
  world.Deployed(1).Reports("before");
  const Plan plan = PlanAlone(world.profile, world.observed);
  EXPECT_THAT(plan.apply, IsEmpty());
  EXPECT_THAT(plan.remove, IsEmpty());
  const std::string reason = GetParam().reason;
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/" + reason));
  EXPECT_THAT(api::FindCondition(world.profile.status.conditions, "Stalled")->message,
              HasSubstr(GetParam().message));
  EXPECT_EQ(world.Kstatus(), "Failed");
}

INSTANTIATE_TEST_SUITE_P(
    Table, InvalidProfile,
    testing::Values(
        BadInput{"{plugins: {score: {enabled: [{name: NodeAfinity}]}}}", "UnknownPlugin",
                 "NodeAffinity"},
        BadInput{"{plugins: {multiPoint: {enabled: [{name: DeferredPodScheduling}]}}}",
                 "PluginNotServed",
                 "not served by this version: in kube-scheduler it needs feature gates that "
                 "are off by default: InPlacePodVerticalScalingSchedulerPreemption"},
        BadInput{"{plugins: {score: {enabled: [{name: NodeName}]}}}", "InvalidPlugins",
                 "does not implement score"},
        BadInput{"{plugins: {bind: {disabled: [{name: '*'}]}}}", "InvalidPlugins", "bind"},
        BadInput{
            "{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Most}}}]}",
            "InvalidArgs", "NodeResourcesFit"},
        BadInput{
            "{engine: {type: KubeScheduler}, plugins: {score: {enabled: [{name: NodeAfinity}]}}}",
            "UnknownPlugin", "NodeAffinity"},
        BadInput{
            "{engine: {type: KubeScheduler}, plugins: {queueSort: {enabled: [{name: QOSSort}]}}}",
            "PluginNotServed", "not served by kube-scheduler"},
        BadInput{
            "{engine: {type: KubeScheduler}, leaderElection: {leaderElect: false, leaseDuration: "
            "5s}}",
            "InvalidSpec", "spec.leaderElection.leaseDuration"},
        BadInput{"{engine: {image: evil}, namespace: other}", "ImageNotAllowed",
                 "spec.engine.image: \"evil\" is not allowed here; allowed: berth:test, "
                 "example.com/* (see --allowed-images of the operator); spec.namespace: \"other\""},
        BadInput{"{deployment: {replicas: 2}, leaderElection: {leaderElect: false}}", "InvalidSpec",
                 "leaderElect"}));

TEST(Plan, YoungerProfileDoesNotServeNameOfOlderOne) {
  World world(MakeProfile("young", "{aliases: [shared]}"));
  crds::SchedulerProfile older = MakeProfile("old", "{aliases: [shared]}");
  older.metadata.creation_timestamp = Time::FromUnixSeconds(1'000'000'000);
  world.observed.profiles.push_back(std::make_shared<const crds::SchedulerProfile>(older));
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/NameTaken"));
  for (const RenderedObject& object : PlanAlone(world.profile, world.observed).apply) {
    EXPECT_THAT(object.object.Json(), testing::Not(HasSubstr("schedulerName: shared")));
  }
}

std::string DataOf(const Plan& plan, std::string_view key) {
  for (const RenderedObject& object : plan.apply) {
    const auto config_map = object.object.As<api::ConfigMap>();
    if (!config_map) continue;
    const auto found = config_map->data.find(std::string(key));
    return found == config_map->data.end() ? "" : found->second;
  }
  return "";
}

TEST(Plan, SchedulerAwaitingItsNameRunsWithPlaceholder) {
  World world(MakeProfile("young"));
  crds::SchedulerProfile older = MakeProfile("old", "{aliases: [young]}");
  world.observed.profiles.push_back(std::make_shared<const crds::SchedulerProfile>(older));
  world.observed.names["old"].in_use = {"old", "young"};
  const Plan plan = PlanAlone(world.profile, world.observed);
  EXPECT_THAT(DataOf(plan, api::kConfigKey), HasSubstr("schedulerName: berth.dev/waiting/young\n"));
  EXPECT_THAT(plan.names.in_use, IsEmpty());
  world.Deployed(1).Reports(plan.config_hash);
  EXPECT_THAT(
      world.Conditions(),
      testing::IsSupersetOf({"Ready=False/WaitingForName", "Available=True/SchedulerReady",
                             "ConfigApplied=True/Applied", "Reconciling=True/WaitingForName"}));
  EXPECT_EQ(world.MessageOf("Ready"),
            "scheduler name young is still served by SchedulerProfile old, which gives it up once "
            "the scheduler of this profile runs");
  EXPECT_EQ(world.Kstatus(), "InProgress");
}

TEST(Plan, NamesAreInUseUntilNewConfigurationIsReported) {
  World world(MakeProfile("a"));
  world.observed.names["a"].in_use = {"a", "alias"};
  world.Deployed(1);
  const auto in_use = [&world] { return PlanAlone(world.profile, world.observed).names.in_use; };
  EXPECT_THAT(in_use(), testing::ElementsAre("a", "alias")) << "its pods may run the older text";
  world.Reports("0123456789abcdef");
  EXPECT_THAT(in_use(), testing::ElementsAre("a", "alias"));
  world.Reports(world.ConfigHash());
  EXPECT_THAT(in_use(), testing::ElementsAre("a"));
}

TEST(Plan, NamesStayInUseWithoutTheOwnerOfTheDeployment) {
  World world(MakeProfile("a"));
  world.observed.names["a"].in_use = {"a", "alias"};
  world.Deployed(1);
  const auto in_use_with = [&world](const auto& change) {
    api::Deployment changed = *world.observed.deployment;
    change(changed.metadata);
    world.observed.deployment = std::make_shared<const api::Deployment>(std::move(changed));
    return PlanAlone(world.profile, world.observed).names.in_use;
  };
  const auto no_owner = [](api::ObjectMeta& metadata) {
    metadata.owner_references.clear();
    metadata.labels["berth.dev/profile"] = "a";
    metadata.annotations["berth.dev/rendered-hash"] = "0123";
  };
  EXPECT_THAT(in_use_with(no_owner), testing::ElementsAre("a", "alias"));
  const auto no_hash = [](api::ObjectMeta& metadata) { metadata.annotations.clear(); };
  EXPECT_THAT(in_use_with(no_hash), testing::ElementsAre("a")) << "never rendered";
}

// The name was given up because the scheduler of `young` was ready for a moment.
TEST(Plan, GivenUpNameIsNotTakenBackBeforeHandover) {
  World world(MakeProfile("old", "{aliases: [young]}"));
  world.observed.profiles.push_back(
      std::make_shared<const crds::SchedulerProfile>(MakeProfile("young")));
  world.observed.names = {{"old", {{"old", "young"}, {}}}, {"young", {}}};
  world.Deployed(1);
  const auto plan = [&world] { return PlanAlone(world.profile, world.observed); };
  EXPECT_THAT(plan().verdict.names.served, testing::ElementsAre("old", "young"));
  EXPECT_THAT(plan().names.given_up, IsEmpty());

  world.observed.names["old"].given_up = {"young"};
  EXPECT_THAT(plan().verdict.names.served, testing::ElementsAre("old"));
  EXPECT_THAT(plan().names.in_use, testing::ElementsAre("old", "young"));
  EXPECT_THAT(plan().names.given_up, testing::ElementsAre("young"));
  world.Reports(plan().config_hash);
  EXPECT_THAT(plan().names.in_use, testing::ElementsAre("old"));
  EXPECT_THAT(plan().names.given_up, IsEmpty());
}

TEST(Plan, GivenUpNamesAreKeptWhilePaused) {
  World world(MakeProfile("a", "{aliases: [alias]}"));
  world.observed.names["a"].in_use = {"a", "alias", "gone"};
  world.observed.names["a"].given_up = {"gone"};
  world.Deployed(1);
  world.profile.metadata.annotations["berth.dev/paused"] = "true";
  EXPECT_THAT(PlanAlone(world.profile, world.observed).names.given_up,
              testing::ElementsAre("gone"));
}

TEST(Plan, WrittenNamesAreInUseWithoutStatus) {
  for (const char* strategy : {"Reload", "Restart"}) {
    const std::string spec = "{aliases: [alias], rollout: {strategy: " + std::string(strategy);
    World world(MakeProfile("a", spec + "}}"));
    const Plan before = PlanAlone(world.profile);
    for (const RenderedObject& object : before.apply) {
      if (object.object.As<api::ConfigMap>()) world.observed.Take(object.object);
    }
    world.Deployed(1).Reports(before.config_hash);
    world.profile.spec.aliases.clear();
    EXPECT_THAT(PlanAlone(world.profile, world.observed).names.in_use,
                testing::ElementsAre("a", "alias"))
        << strategy;
  }
}

TEST(Plan, SchedulerWithoutPodsUsesNoName) {
  World world(MakeProfile("a", "{suspend: true}"));
  world.observed.names["a"].in_use = {"a"};
  const auto in_use = [&world] { return PlanAlone(world.profile, world.observed).names.in_use; };
  world.Deployed(0, 1);
  EXPECT_THAT(in_use(), testing::ElementsAre("a"));
  world.Deployed(0, 0).Reports(world.ConfigHash());
  EXPECT_THAT(in_use(), testing::ElementsAre("a")) << "it still has a heartbeat";
  world.observed.lease_unchanged = std::chrono::seconds(20);
  EXPECT_THAT(in_use(), IsEmpty());
  world.observed.sees_namespace = false;
  EXPECT_THAT(in_use(), testing::ElementsAre("a")) << "it may have pods that cannot be seen";
}

TEST(Plan, MissingNamespaceGetsNoObjects) {
  World world(MakeProfile("a", "{namespace: team}"));
  world.observed.namespace_exists = false;
  EXPECT_THAT(PlanAlone(world.profile, world.observed).apply, IsEmpty());
  EXPECT_THAT(world.Conditions(), Contains("Stalled=True/NamespaceNotFound"));
  EXPECT_THAT(world.MessageOf("Ready"), HasSubstr("namespace team does not exist"));
}

TEST(Plan, LastGoodConfigurationFollowsTheReport) {
  World world(MakeProfile("a"));
  const std::string first = DataOf(PlanAlone(world.profile, world.observed), api::kConfigKey);
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), "");

  world.Reports(api::ConfigHash(first));
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), first);

  world.Reconciled().HasConfig(first, first);
  world.profile.spec.percentage_of_nodes_to_score = 7;
  const Plan changed = PlanAlone(world.profile, world.observed);
  EXPECT_NE(DataOf(changed, api::kConfigKey), first);
  EXPECT_EQ(DataOf(changed, api::kLastGoodKey), first);
}

TEST(Plan, TextOfAnotherClientIsNeverTheLastGoodConfiguration) {
  World world(MakeProfile("a"));
  const std::string rendered = DataOf(PlanAlone(world.profile, world.observed), api::kConfigKey);
  world.Reports(api::ConfigHash(rendered)).Reconciled();
  const std::string foreign = rendered + "# by another client\n";

  // A scheduler took it over before the operator set it back.
  world.HasConfig(foreign, rendered).Reports(api::ConfigHash(foreign));
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), rendered);
  world.Reconciled();
  EXPECT_EQ(world.profile.status.scheduler.applied_config_hash, api::ConfigHash(rendered));

  world.HasConfig(rendered, foreign);
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), rendered);
  world.profile.spec.percentage_of_nodes_to_score = 7;
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), rendered);
  world.HasConfig(foreign, foreign);
  EXPECT_EQ(DataOf(PlanAlone(world.profile, world.observed), api::kLastGoodKey), "");
}

TEST(Plan, RejectsConfigurationTooLargeForConfigMap) {
  crds::SchedulerProfile profile = MakeProfile("a");
  const std::string text(16'000, 'x');
  for (int i = 0; i < 32; ++i) profile.spec.aliases.push_back("alias-" + std::to_string(i));
  profile.spec.plugin_config = {{.name = "Random", .args = {R"({"seed":1})"}}};
  EXPECT_THAT(PlanAlone(profile).apply, testing::Not(IsEmpty()));
  profile.spec.engine.image = "example.com/mine";  // its plugins and arguments are unknown
  profile.spec.plugin_config.push_back({.name = "Mine", .args = {"{\"text\":\"" + text + "\"}"}});
  World world(profile);
  EXPECT_THAT(PlanAlone(profile).apply, IsEmpty());
  EXPECT_THAT(world.Conditions(), Contains("Valid=False/InvalidSpec"));
  EXPECT_THAT(
      world.MessageOf("Valid"),
      testing::ContainsRegex("the rendered configuration has [0-9]+ bytes, allowed 512000"));
}

std::vector<std::string> RolesBoundFor(const crds::SchedulerProfile& profile) {
  std::vector<std::string> bound;
  for (const RenderedObject& object : PlanAlone(profile).apply) {
    const auto binding = object.object.As<api::ClusterRoleBinding>();
    if (binding) bound.push_back(binding->metadata.name + " " + binding->role_ref.name);
  }
  return bound;
}

TEST(Plan, OwnImageGetsCapabilitiesOfDefaultPlugins) {
  EXPECT_THAT(RolesBoundFor(MakeProfile(
                  "a",
                  "{engine: {image: example.com/mine}, plugins: {multiPoint: {enabled: [{name: "
                  "DefaultPreemption}, {name: VolumeBinding}]}}}")),
              testing::ElementsAre(
                  "berth:a:base berth:base", "berth:a:namespaces berth:namespaces",
                  "berth:a:podgroups berth:podgroups", "berth:a:preemption berth:preemption",
                  "berth:a:volume-binding berth:volume-binding", "berth:a:volumes berth:volumes",
                  "berth:a:workloads berth:workloads"));
}

TEST(Plan, BindsAllowedClusterRoles) {
  EXPECT_THAT(RolesBoundFor(
                  MakeProfile("a", "{engine: {image: example.com/mine, clusterRoles: [reader]}}")),
              testing::Contains("berth:a:role:reader reader"));
  EXPECT_THAT(RolesBoundFor(MakeProfile("a", "{engine: {clusterRoles: [cluster-admin]}}")),
              IsEmpty());
}

TEST(Plan, WarnsAboutDominatingWeight) {
  const auto status = StatusOf(
      MakeProfile("a", "{plugins: {score: {enabled: [{name: NodeAffinity, weight: 9999}]}}}"));
  EXPECT_THAT(status.warnings, Contains(HasSubstr("weight 9999 of NodeAffinity dominates")));
}

TEST(Plan, WarnsAboutArgumentsOfDisabledPlugin) {
  const auto status =
      StatusOf(MakeProfile("a",
                           "{plugins: {multiPoint: {disabled: [{name: NodeAffinity}]}}, "
                           "pluginConfig: [{name: NodeAffinity, args: {}}]}"));
  EXPECT_THAT(status.warnings, Contains(HasSubstr("the plugin is not enabled")));
}

TEST(Plan, WarnsAboutDisabledFilters) {
  for (const char* engine : {"Berth", "KubeScheduler"}) {
    const auto warnings = [&](const std::string& plugins) {
      return StatusOf(MakeProfile("a", "{engine: {type: " + std::string(engine) + "}, plugins: {" +
                                           plugins + "}}"))
          .warnings;
    };
    EXPECT_THAT(warnings(""), IsEmpty()) << engine;
    EXPECT_THAT(warnings("filter: {disabled: [{name: '*'}]}"),
                testing::ElementsAre(HasSubstr("spec.plugins.filter: no plugin runs")))
        << engine;
    EXPECT_THAT(warnings("filter: {disabled: [{name: '*'}], enabled: [{name: TaintToleration}]}"),
                testing::ElementsAre(
                    testing::StartsWith("spec.plugins.filter: NodeResourcesFit does not run: "),
                    testing::StartsWith("spec.plugins.filter: NodeUnschedulable does not run: ")))
        << engine;
    EXPECT_THAT(warnings("filter: {disabled: [{name: TaintToleration}]}"),
                testing::ElementsAre(
                    testing::StartsWith("spec.plugins.filter: TaintToleration does not run: ")))
        << engine;
    EXPECT_THAT(warnings("score: {disabled: [{name: NodeResourcesFit}]}"), IsEmpty()) << engine;
  }
}

TEST(Plan, IncludesWarningsOfArguments) {
  const auto status = StatusOf(
      MakeProfile("a",
                  "{plugins: {score: {enabled: [{name: NetworkTraffic}]}}, pluginConfig: [{name: "
                  "NetworkTraffic, "
                  "args: {address: p.berth-system.svc, deviceName: eth0, timeRange: 60}}]}"));
  EXPECT_THAT(status.warnings,
              Contains("spec.pluginConfig[name=NetworkTraffic].args.timeRange: the bare number 60 "
                       "is read as minutes: write 60m"));
}

TEST(Plan, IsDeterministic) {
  World world(MakeProfile("a"));
  world.Deployed(1).Reports("x");
  const Plan one = PlanAlone(world.profile, world.observed);
  const Plan two = PlanAlone(world.profile, world.observed);
  EXPECT_EQ(StatusOf(world.profile, world.observed), StatusOf(world.profile, world.observed));
  ASSERT_EQ(one.apply.size(), two.apply.size());
  for (size_t i = 0; i < one.apply.size(); ++i) {
    EXPECT_EQ(one.apply[i].object.Json(), two.apply[i].object.Json());
  }
}

}  // namespace
}  // namespace berth::controllers
