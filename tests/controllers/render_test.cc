// SPDX-License-Identifier: Apache-2.0
#include "controllers/render.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/yaml/yaml.h"
#include "controllers/config.h"
#include "controllers/mounted_secrets.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

constexpr const char* kEverything = R"(
plugins:
  score: {disabled: [{name: NodeAffinity}]}
  multiPoint: {enabled: [{name: NodeResourcesFit, weight: 5}]}
pluginConfig:
- name: NodeResourcesFit
  args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
aliases: [packer]
percentageOfNodesToScore: 50
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
engine: {extraArgs: ["--pod-max-in-unschedulable-pods-duration=60"], imagePullSecrets: [{name: pull}]}
deployment:
  replicas: 2
  resources: {requests: {cpu: 100m}, limits: {memory: 256Mi}}
  nodeSelector: {pool: system}
  tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists, effect: NoSchedule}]
  podLabels: {team: platform}
  podAnnotations: {example.com/note: "yes"}
  env: [{name: TZ, value: UTC}]
leaderElection: {leaseDuration: 30s, renewDeadline: 20s, retryPeriod: 4s}
logging: {verbosity: 4, format: json}
)";

constexpr const char* kSidecar = R"(
extenders:
- {urlPrefix: "http://localhost:8888/scheduler", filterVerb: filter}
- {urlPrefix: "http://127.0.0.1:8080", prioritizeVerb: score, weight: 1}
- {urlPrefix: "http://veto.berth-system.svc:9000", filterVerb: filter}
deployment:
  sidecars:
  - name: licences
    image: example.com/licences:2
    command: [/licences]
    args: ["--listen=:8888", "--verbose"]
    port: 8888
    env:
    - {name: TZ, value: UTC}
    - {name: KEY, valueFrom: {secretKeyRef: {name: berth-beside-key, key: k}}}
    resources: {requests: {cpu: 20m}, limits: {memory: 32Mi}}
  - {name: scores, image: example.com/scores@sha256:0123, port: 8080}
)";

constexpr const char* kKubeScheduler = R"(
plugins:
  multiPoint: {enabled: [{name: ImageLocality, weight: 5}]}
pluginConfig:
- name: NodeResourcesFit
  args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
extenders:
- urlPrefix: http://veto.berth-system.svc:8888/scheduler
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: 3
  httpTimeout: 2s
  ignorable: true
  managedResources: [{name: example.com/device, ignoredByScheduler: true}]
- urlPrefix: https://elsewhere.example.com:9443
  bindVerb: bind
  enableHTTPS: true
  tlsConfig: {serverName: elsewhere}
aliases: [stock-too]
engine:
  type: KubeScheduler
  extraArgs: ["--pod-max-in-unschedulable-pods-duration=60s"]
leaderElection: {leaderElect: false}
)";

std::string RenderText(const crds::SchedulerProfile& profile) {
  std::string text;
  for (const RenderedObject& object : PlanAlone(profile).apply) {
    text += "---\n" + yaml::FromJson(object.object.Json());
  }
  return text;
}

struct Golden {
  const char* file;
  const char* name;
  const char* spec;
};

class RenderGolden : public testing::TestWithParam<Golden> {};

// `make golden` updates the files; review the diff before you commit it.
TEST_P(RenderGolden, MatchesTheGoldenFile) {
  const Golden& golden = GetParam();
  const std::string path = std::string("tests/controllers/golden/") + golden.file;
  const std::string rendered = RenderText(MakeProfile(golden.name, golden.spec));
  if (std::getenv("BERTH_UPDATE_GOLDEN")) {
    ASSERT_TRUE(WriteFile(path, rendered).has_value());
  }
  const auto expected = ReadFile(path);
  ASSERT_TRUE(expected.has_value()) << expected.error().message();
  EXPECT_EQ(*expected, rendered);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RenderGolden,
    testing::Values(Golden{"minimal.yaml", "hello", ""},
                    Golden{"everything.yaml", "bin-packing", kEverything},
                    Golden{"kube-scheduler.yaml", "stock", kKubeScheduler},
                    Golden{"restart.yaml", "restarted", "{rollout: {strategy: Restart}}"},
                    Golden{"sidecar.yaml", "beside", kSidecar},
                    Golden{"suspended.yaml", "paused",
                           "{suspend: true, networkPolicy: {enabled: false}}"}));

TEST(RenderAll, OrdersPermissionsFirstAndDeploymentLast) {
  std::vector<std::string> kinds;
  for (const RenderedObject& object : PlanAlone(MakeProfile("a")).apply) {
    kinds.emplace_back(object.key.resource->kind);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{
                       "ServiceAccount", "Role", "RoleBinding", "ClusterRoleBinding",
                       "ClusterRoleBinding", "ClusterRoleBinding", "ClusterRoleBinding",
                       "ClusterRoleBinding", "ClusterRoleBinding", "ClusterRoleBinding", "Lease",
                       "ConfigMap", "Service", "NetworkPolicy", "Deployment"}));
}

TEST(RenderAll, OmitsOwnerForProfileWithoutUid) {
  crds::SchedulerProfile profile = MakeProfile("a");
  profile.metadata.uid.clear();
  for (const RenderedObject& object : PlanAlone(profile).apply) {
    EXPECT_EQ(object.object.Json().find("ownerReferences"), std::string::npos)
        << object.key.ToString();
  }
}

api::PodSpec PodOf(const std::string& spec) {
  return RenderDeployment({.profile = MakeProfile("a", spec)}).spec.template_.spec;
}

TEST(RenderDeployment, GivesSidecarsNoTokenAndNoVolumes) {
  const api::PodSpec pod = PodOf(kSidecar);
  ASSERT_EQ(pod.containers.size(), 3u);
  EXPECT_EQ(pod.automount_service_account_token, false);
  for (size_t i = 1; i < pod.containers.size(); ++i) {
    const api::Container& sidecar = pod.containers[i];
    EXPECT_TRUE(sidecar.volume_mounts.empty()) << sidecar.name;
    EXPECT_EQ(sidecar.security_context->run_as_user, 65532) << sidecar.name;
    EXPECT_EQ(sidecar.resources.requests.count("cpu"), 1u) << sidecar.name;
  }
}

TEST(RenderDeployment, PassesSidecarPortsToBerthScheduler) {
  const auto says = [](const std::string& spec) {
    const api::PodSpec pod = PodOf(spec);
    for (const std::string& argument : pod.containers[0].args) {
      if (argument.starts_with("--sidecar-ports")) return argument;
    }
    return std::string("nothing");
  };
  const std::string sidecars =
      "deployment: {sidecars: [{name: b, image: x, port: 90}, "
      "{name: a, image: x, port: 80}]}";
  EXPECT_EQ(says("{" + sidecars + "}"), "--sidecar-ports=80,90");
  EXPECT_EQ(says("{rollout: {strategy: Restart}, " + sidecars + "}"), "--sidecar-ports=80,90");
  EXPECT_EQ(says("{}"), "nothing");
  EXPECT_EQ(says("{engine: {type: KubeScheduler}, " + sidecars + "}"), "nothing")
      << "it calls any address in its configuration";
}

TEST(RenderConfig, KeepsSidecarAddressesForKubeScheduler) {
  const crds::SchedulerProfile profile =
      MakeProfile("a", std::string(kSidecar) + "engine: {type: KubeScheduler}\n");
  EXPECT_NE(
      RenderConfig(profile, std::vector<std::string>{"a"}).find("http://localhost:8888/scheduler"),
      std::string::npos);
  EXPECT_TRUE(CheckConfig(profile, std::vector<std::string>{"a"}).empty());
}

TEST(RenderDeployment, DefaultsMissingResourceRequests) {
  const auto requests = [](const char* resources) {
    const crds::SchedulerProfile profile =
        MakeProfile("a", "{deployment: {resources: " + std::string(resources) + "}}");
    const api::Deployment deployment = RenderDeployment({.profile = profile});
    std::string text;
    for (const auto& [name, amount] :
         deployment.spec.template_.spec.containers[0].resources.requests) {
      text += name + "=" + amount.ToString() + " ";
    }
    return text;
  };
  EXPECT_EQ(requests("{}"), "cpu=50m memory=64Mi ");
  EXPECT_EQ(requests("{requests: {cpu: 1}}"), "cpu=1 memory=64Mi ");
  EXPECT_EQ(requests("{limits: {memory: 1Gi}}"), "cpu=50m ");
}

api::PodSpec PodOf(const char* spec) {
  for (const RenderedObject& object : PlanAlone(MakeProfile("a", spec)).apply) {
    if (const auto deployment = object.object.As<api::Deployment>()) {
      return deployment->spec.template_.spec;
    }
  }
  ADD_FAILURE() << "no Deployment for " << spec;
  return {};
}

TEST(RenderDeployment, DefaultImageKeepsItsUserAndSelectsItsArchitecture) {
  const api::PodSpec pod = PodOf("{}");
  EXPECT_EQ(pod.security_context->run_as_non_root, true);
  EXPECT_EQ(pod.security_context->run_as_user, std::nullopt);
  EXPECT_EQ(pod.security_context->run_as_group, std::nullopt);
  EXPECT_EQ(pod.security_context->fs_group, std::nullopt);
  EXPECT_EQ(*pod.node_selector,
            (api::StringMap{{"kubernetes.io/arch", "amd64"}, {"kubernetes.io/os", "linux"}}));
}

TEST(RenderDeployment, OwnImageRunsAsNonRootOnAnyLinuxNode) {
  const api::PodSpec pod = PodOf("{engine: {image: example.com/mine}}");
  EXPECT_EQ(pod.security_context->run_as_non_root, true);
  EXPECT_EQ(pod.security_context->run_as_user, 65532);
  EXPECT_EQ(pod.security_context->fs_group, 65532);
  EXPECT_EQ(*pod.node_selector, (api::StringMap{{"kubernetes.io/os", "linux"}}));
}

TEST(RenderDeployment, PrefersNodeSelectorOfTheProfile) {
  const api::PodSpec pod =
      PodOf("{deployment: {nodeSelector: {kubernetes.io/arch: arm64, pool: system}}}");
  EXPECT_EQ(*pod.node_selector, (api::StringMap{{"kubernetes.io/arch", "arm64"},
                                                {"kubernetes.io/os", "linux"},
                                                {"pool", "system"}}));
}

TEST(RenderDeployment, UsesPullSecretsInTheirNamespaceOnly) {
  using Secrets = std::vector<api::LocalObjectReference>;
  EXPECT_EQ(PodOf("{}").image_pull_secrets, (Secrets{{"own"}, {"pull"}}));
  EXPECT_EQ(PodOf("{engine: {imagePullSecrets: [{name: pull}]}}").image_pull_secrets,
            (Secrets{{"pull"}, {"own"}}));
  EXPECT_EQ(PodOf("{namespace: team}").image_pull_secrets, Secrets());
  EXPECT_EQ(PodOf("{engine: {image: example.com/mine}}").image_pull_secrets, Secrets());
}

TEST(RenderAll, CopiesNoLabelsOfTheProfile) {
  crds::SchedulerProfile profile = MakeProfile("a");
  profile.metadata.labels["argocd.argoproj.io/instance"] = "my-app";
  for (const RenderedObject& object : PlanAlone(profile).apply) {
    EXPECT_EQ(object.object.Json().find("my-app"), std::string::npos) << object.key.ToString();
  }
}

TEST(RenderConfig, IsAConfigurationTheSchedulerAccepts) {
  const crds::SchedulerProfile profile = MakeProfile("bin-packing", kEverything);
  const std::vector<std::string> names = {"bin-packing", "packer"};
  const std::string text = RenderConfig(profile, names);
  auto config = api::LoadSchedulerConfiguration(text, "test");
  ASSERT_TRUE(config.has_value()) << config.error().message();
  EXPECT_TRUE(api::Validate(*config).empty());
  ASSERT_EQ(config->profiles.size(), 2u);
  EXPECT_EQ(config->profiles[1].scheduler_name, "packer");
  EXPECT_EQ(config->leader_election.resource_name, "berth-bin-packing");
  EXPECT_EQ(config->leader_election.resource_namespace, "berth-system");
  EXPECT_EQ(config->percentage_of_nodes_to_score, 50);
}

TEST(RenderConfig, KubeSchedulerEnablesLeaderElectionAndKeepsExtenders) {
  const crds::SchedulerProfile profile = MakeProfile("stock", kKubeScheduler);
  const std::vector<std::string> names = {"stock"};
  EXPECT_TRUE(CheckConfig(profile, names).empty());
  const auto config = api::LoadSchedulerConfiguration(RenderConfig(profile, names), "test");
  ASSERT_TRUE(config.has_value()) << config.error().message();
  EXPECT_TRUE(config->leader_election.leader_elect);
  ASSERT_EQ(config->extenders.size(), 2u);
  EXPECT_EQ(config->extenders[0].weight, 3);
  EXPECT_EQ(config->extenders[1].tls_config->server_name, "elsewhere");
}

TEST(RenderConfig, BerthSchedulerHasExtendersWithSecretFiles) {
  const crds::SchedulerProfile profile = MakeProfile("asking", R"(
extenders:
- urlPrefix: https://a.berth-system.svc
  filterVerb: filter
  podSelector: {matchLabels: {app: web}}
  tlsConfig: {secretName: client}
- urlPrefix: https://b.berth-system.svc
  tlsConfig: {secretName: client, caData: Y2E=}
)");
  const std::vector<std::string> names = {"asking"};
  const auto config = api::LoadSchedulerConfiguration(RenderConfig(profile, names), "test");
  ASSERT_TRUE(config.has_value()) << config.error().message();
  ASSERT_EQ(config->extenders.size(), 2u);
  EXPECT_TRUE(config->extenders[0].pod_selector.has_value());
  const api::ExtenderTlsConfig& first = *config->extenders[0].tls_config;
  EXPECT_EQ(first.cert_file, "/etc/berth/secrets/client/tls.crt");
  EXPECT_EQ(first.key_file, "/etc/berth/secrets/client/tls.key");
  EXPECT_EQ(first.ca_file, "/etc/berth/secrets/client/ca.crt");
  EXPECT_EQ(config->extenders[1].tls_config->ca_file, "")
      << "caData replaces the Secret's CA bundle";

  const auto projections = SecretProjections(profile);
  ASSERT_EQ(projections.size(), 1u) << "a Secret is mounted once";
  EXPECT_EQ(projections[0].secret->name, "client");
  EXPECT_EQ(projections[0].secret->items[0].path, "secrets/client/tls.crt");
}

TEST(RenderConfig, MountsTokenOnlyForMetricSources) {
  const auto keys = [](const api::VolumeProjection& projection) {
    std::vector<std::string> paths;
    for (const auto& item : projection.secret->items) paths.push_back(item.path);
    return paths;
  };
  const auto projections = SecretProjections(MakeProfile("a", R"(
extenders:
- urlPrefix: https://a.berth-system.svc
  tlsConfig: {secretName: client}
pluginConfig:
- name: NetworkTraffic
  args: {address: "https://p.berth-system.svc", secretName: prom, deviceName: eth0}
)"));
  ASSERT_EQ(projections.size(), 2u);
  EXPECT_THAT(keys(projections[0]),
              testing::ElementsAre("secrets/client/tls.crt", "secrets/client/tls.key",
                                   "secrets/client/ca.crt"));
  EXPECT_EQ(projections[1].secret->name, "prom");
  EXPECT_THAT(keys(projections[1]),
              testing::ElementsAre("secrets/prom/tls.crt", "secrets/prom/tls.key",
                                   "secrets/prom/ca.crt", "secrets/prom/token"));
}

TEST(RenderConfig, IsDeterministic) {
  const std::vector<std::string> names = {"a"};
  EXPECT_EQ(RenderConfig(MakeProfile("a"), names), RenderConfig(MakeProfile("a"), names));
}

}  // namespace
}  // namespace berth::controllers
