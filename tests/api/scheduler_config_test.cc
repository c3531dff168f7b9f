// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/start_settings.h"
#include "base/json/json.h"

namespace berth::api {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kHeader =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

Result<KubeSchedulerConfiguration> Load(std::string_view body) {
  return LoadSchedulerConfiguration(std::string(kHeader) + std::string(body), "config.yaml");
}

std::string Errors(std::string_view body) {
  const auto config = Load(body);
  EXPECT_TRUE(config) << config.error().message();
  return config ? Aggregate(Validate(*config)) : std::string();
}

TEST(SchedulerConfiguration, HasUpstreamsDefaults) {
  const auto config = Load("");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->parallelism, 16);
  EXPECT_EQ(config->percentage_of_nodes_to_score, 0);
  EXPECT_EQ(config->pod_initial_backoff_seconds, 1);
  EXPECT_EQ(config->pod_max_backoff_seconds, 10);
  EXPECT_TRUE(config->enable_profiling);
  EXPECT_EQ(config->enable_contention_profiling, true);
  EXPECT_FALSE(config->delay_cache_until_active);
  EXPECT_TRUE(config->leader_election.leader_elect);
  EXPECT_EQ(config->leader_election.lease_duration.ToString(), "15s");
  EXPECT_EQ(config->leader_election.renew_deadline.ToString(), "10s");
  EXPECT_EQ(config->leader_election.retry_period.ToString(), "2s");
  EXPECT_EQ(config->leader_election.resource_lock, "leases");
  EXPECT_EQ(config->leader_election.resource_name, "kube-scheduler");
  EXPECT_EQ(config->leader_election.resource_namespace, "kube-system");
  EXPECT_EQ(config->client_connection.qps, 50);
  EXPECT_EQ(config->client_connection.burst, 100);
  EXPECT_EQ(config->client_connection.content_type, "application/vnd.kubernetes.protobuf");
  ASSERT_EQ(config->profiles.size(), 1u);
  EXPECT_EQ(config->profiles[0].scheduler_name, "default-scheduler");
  EXPECT_TRUE(Validate(*config).empty());
}

TEST(SchedulerConfiguration, ReplacesZerosThatUpstreamTreatsAsUnset) {
  const auto config = Load(
      "leaderElection: {leaseDuration: 0s, resourceName: \"\"}\n"
      "clientConnection: {qps: 0, burst: 0}\n"
      "enableProfiling: false\n"
      "extenders: [{urlPrefix: \"http://e\", httpTimeout: 0s}]\n");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->leader_election.lease_duration.ToString(), "15s");
  EXPECT_EQ(config->leader_election.resource_name, "kube-scheduler");
  EXPECT_EQ(config->client_connection.qps, 50);
  EXPECT_EQ(config->client_connection.burst, 100);
  EXPECT_EQ(config->enable_contention_profiling, std::nullopt);
  EXPECT_EQ(config->extenders[0].http_timeout.ToString(), "5s");
}

TEST(SchedulerConfiguration, ReadsProfilesAndExtenders) {
  const auto config = Load(R"(
profiles:
- schedulerName: packer
  percentageOfNodesToScore: 30
  plugins:
    multiPoint: {enabled: [{name: Mine, weight: 5}], disabled: [{name: "*"}]}
    placementScore: {enabled: [{name: P}]}
    podGroupPostFilter: {enabled: [{name: G}]}
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
extenders:
- urlPrefix: https://e
  filterVerb: filter
  enableHTTPS: true
  tlsConfig: {caData: aGk=}
  httpTimeout: 250ms
  managedResources: [{name: example.com/x, ignoredByScheduler: true}]
  ignorable: true
)");
  ASSERT_TRUE(config) << config.error().message();
  const KubeSchedulerProfile& profile = config->profiles.at(0);
  EXPECT_EQ(profile.percentage_of_nodes_to_score, 30);
  EXPECT_EQ(profile.plugins.multi_point.enabled, (std::vector<Plugin>{{"Mine", 5}}));
  EXPECT_EQ(profile.plugins.multi_point.disabled, (std::vector<DisabledPlugin>{{"*", 0}}));
  EXPECT_EQ(profile.plugins.placement_score.enabled.size(), 1u);
  EXPECT_EQ(profile.plugins.pod_group_post_filter.enabled.size(), 1u);
  EXPECT_EQ(profile.plugin_config[0].args.text, R"({"scoringStrategy":{"type":"MostAllocated"}})");
  EXPECT_TRUE(config->extenders[0].enable_https);
  EXPECT_EQ(config->extenders[0].http_timeout.ToString(), "250ms");
  EXPECT_TRUE(config->extenders[0].managed_resources[0].ignored_by_scheduler);
  EXPECT_TRUE(Validate(*config).empty());
  const auto again = LoadSchedulerConfiguration(json::Encode(*config), "again");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, *config);
}

TEST(SchedulerConfiguration, NamesEveryPointOnce) {
  const json::Type& type = json::TypeOf<Plugins>();
  EXPECT_EQ(type.fields.size(), kPluginPoints.size());
  for (const PluginPoint& point : kPluginPoints) {
    ASSERT_NE(type.FindField(point.name), nullptr) << point.name;
    Plugins plugins;
    EXPECT_EQ(type.FindField(point.name)->In(&plugins), &(plugins.*point.set)) << point.name;
  }
}

TEST(SchedulerConfiguration, ReportsTheActualKindAndVersion) {
  struct Case {
    std::string_view text, message;
  };
  const Case cases[] = {
      {"kind: KubeSchedulerConfiguration\n",
       "f: Object 'apiVersion' is missing; the file must begin"},
      {"apiVersion: kubescheduler.config.k8s.io/v1\n", "f: Object 'Kind' is missing; "},
      {"apiVersion: kubescheduler.config.k8s.io/unknown\nkind: KubeSchedulerConfiguration\n",
       "f: no kind \"KubeSchedulerConfiguration\" is registered for version "
       "\"kubescheduler.config.k8s.io/unknown\"; "},
      {"apiVersion: kubescheduler.config.k8s.io/v1\nkind: NodeAffinityArgs\n",
       "f: couldn't decode as KubeSchedulerConfiguration, got kubescheduler.config.k8s.io/v1, "
       "Kind=NodeAffinityArgs; "},
      {"", "f: the file is empty"},
      {"a: [", "f: "},
      {"- 1\n", "f: document: expected an object, found a list"},
  };
  for (const Case& c : cases) {
    const auto config = LoadSchedulerConfiguration(c.text, "f");
    ASSERT_FALSE(config) << c.text;
    EXPECT_THAT(config.error().message(), StartsWith(std::string(c.message)));
  }
  const auto old = LoadSchedulerConfiguration(
      "apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n", "f");
  EXPECT_THAT(old.error().message(), HasSubstr("move the content to version v1"));
}

TEST(SchedulerConfiguration, DecodesStrictly) {
  EXPECT_EQ(Load("paralellism: 3\n").error().message(),
            "config.yaml: strict decoding error: unknown field \"paralellism\"; nearest: "
            "parallelism");
  EXPECT_THAT(Load("profiles: [{plugins: {Score: {}}}]\n").error().message(),
              HasSubstr("unknown field \"profiles[0].plugins.Score\"; nearest: score"));
  EXPECT_THAT(Load("parallelism: many\n").error().message(),
              HasSubstr("parallelism: expected an integer, found a string (\"many\")"));
  EXPECT_FALSE(Load("parallelism: 1\nparallelism: 2\n"));
}

TEST(SchedulerConfiguration, ReportsErrorsWithUpstreamsText) {
  struct Case {
    std::string_view body, message;
  };
  const Case cases[] = {
      {"parallelism: 0\n",
       "parallelism: Invalid value: 0: should be an integer value greater than zero"},
      {"clientConnection: {burst: -1}\n",
       "clientConnection.burst: Invalid value: -1: must be non-negative"},
      {"percentageOfNodesToScore: 101\n",
       "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"},
      {"podInitialBackoffSeconds: 0\n",
       "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"},
      {"podInitialBackoffSeconds: 11\n",
       "podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to "
       "PodInitialBackoffSeconds"},
      {"leaderElection: {leaseDuration: 10s}\n",
       "leaderElection.leaseDuration: Invalid value: \"10s\": must be greater than "
       "`RenewDeadline`"},
      {"leaderElection: {leaseDuration: 5s, leaderElect: false}\n", ""},
      {"leaderElection: {retryPeriod: -1s}\n",
       "leaderElection.retryPeriod: Invalid value: \"-1s\": must be greater than zero"},
      {"leaderElection: {resourceLock: endpoints}\n",
       "leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value must be "
       "\"leases\""},
      {"profiles: [{schedulerName: \"\"}]\n", "profiles[0].schedulerName: Required value"},
      {"profiles: [{schedulerName: a}, {}]\n", "profiles[1].schedulerName: Required value"},
      {"profiles: [{schedulerName: a}, {schedulerName: b}, {schedulerName: a}]\n",
       "profiles[2].schedulerName: Duplicate value: \"profiles[0].schedulerName\""},
      {"profiles: [{percentageOfNodesToScore: -1}]\n",
       "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]"},
      {"profiles: [{plugins: {filter: {enabled: [{name: A}, {name: EBSLimits}]}}}]\n",
       "profiles[0].plugins.filter.enabled[1]: Invalid value: \"EBSLimits\": was invalid in "
       "version "
       "\"kubescheduler.config.k8s.io/v1\" (KubeSchedulerConfiguration is version "
       "\"kubescheduler.config.k8s.io/v1\")"},
      {"profiles: [{plugins: {multiPoint: {enabled: [{name: EBSLimits}]}}}]\n", ""},
      {"profiles: [{pluginConfig: [{name: A}, {name: A}]}]\n",
       "profiles[0].pluginConfig[1]: Duplicate value: \"A\""},
      {"profiles: [{plugins: {queueSort: {enabled: [{name: A}, {name: B}]}}}]\n",
       "profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can be "
       "enabled"},
      {"profiles: [{schedulerName: a, plugins: {queueSort: {enabled: [{name: A}]}}}, "
       "{schedulerName: b}]\n",
       "profiles[1].plugins.queueSort: Invalid value: {}: must be the same for all profiles"},
      {"profiles: [{schedulerName: a, plugins: {queueSort: {enabled: [{name: A}]}},"
       " pluginConfig: [{name: A, args: {x: 1, y: 2}}]}, {schedulerName: b,"
       " plugins: {queueSort: {enabled: [{name: A}]}}, pluginConfig: [{name: A, args: {x: 2}}]}]\n",
       "profiles[1].pluginConfig.args: Invalid value: {\"x\":2}: queueSort must be the same for "
       "all "
       "profiles"},
      {"extenders: [{urlPrefix: u, prioritizeVerb: p}]\n",
       "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it"},
      {"extenders: [{urlPrefix: u, bindVerb: b}, {urlPrefix: v, bindVerb: b}]\n",
       "extenders: Invalid value: \"found 2 extenders implementing bind\": only one extender can "
       "implement bind"},
      {"extenders: [{urlPrefix: u, managedResources: [{name: cpu}]}]\n",
       "extenders[0].managedResources[0].name: Invalid value: \"cpu\": is an invalid extended "
       "resource name"},
      {"extenders: [{urlPrefix: u, managedResources: [{name: e.com/x}]}, {urlPrefix: v, "
       "managedResources: [{name: e.com/x}]}]\n",
       "extenders[1].managedResources[0].name: Invalid value: \"e.com/x\": duplicate extender "
       "managed resource name"},
  };
  for (const Case& c : cases) EXPECT_EQ(Errors(c.body), c.message) << c.body;
  EXPECT_THAT(Errors("extenders: [{urlPrefix: u, managedResources: [{name: a/b/c}]}]\n"),
              HasSubstr("extenders[0].managedResources[0].name: Invalid value: \"a/b/c\": "));
}

TEST(SchedulerConfiguration, ReportsAllErrorsAtOnce) {
  EXPECT_EQ(Errors("parallelism: 0\npercentageOfNodesToScore: -5\n"),
            "[parallelism: Invalid value: 0: should be an integer value greater than zero, "
            "percentageOfNodesToScore: Invalid value: -5: not in valid range [0-100]]");
}

TEST(StartSettings, HashDependsOnExactlyTheStartSettings) {
  KubeSchedulerConfiguration config;
  SetDefaults(config);
  const std::string before = StartSettingsHash(config);
  config.pod_max_backoff_seconds = 20;
  EXPECT_EQ(StartSettingsHash(config), before);
  config.leader_election.retry_period = std::chrono::seconds(1);
  EXPECT_NE(StartSettingsHash(config), before);
  for (const StartSetting& setting : StartSettings()) setting.copy({}, config);
  EXPECT_EQ(StartSettingsHash(config), StartSettingsHash({}));
}

}  // namespace
}  // namespace berth::api
