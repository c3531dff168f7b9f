// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/workload.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Manifests, ConvertAHandWrittenQosScheduler) {
  const Conversion conversion = ConversionOf(InputText("qos-by-hand.yaml"));
  ASSERT_EQ(conversion.profiles.size(), 1U);
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(profile.metadata.name, "qos-scheduler");
  EXPECT_EQ(ListsOf(profile.spec), "queueSort: QOSSort, -PrioritySort");
  EXPECT_EQ(profile.spec.engine, crds::EngineSpec{});
  EXPECT_EQ(json::Encode(profile.spec.deployment.resources), R"({"requests":{"cpu":"50m"}})");
  EXPECT_EQ(profile.spec.logging.verbosity, 3);
  EXPECT_TRUE(profile.spec.leader_election.leader_elect);
  EXPECT_EQ(ErrorsIn(profile), "");
  const std::string report = ReportOf(conversion);
  for (const char* line :
       {"dropped      ClusterRole qos-cr: the operator grants only the permissions that the "
        "profile's plugins need",
        "dropped      Deployment kube-system/qos-scheduler: ClusterRole qos-cr: the operator "
        "grants",
        "exact        Deployment kube-system/qos-scheduler: "
        "--config=/scheduler/scheduler-config.yaml "
        "-> ConfigMap kube-system/scheduler-config3, data[scheduler-config.yaml]",
        "exact        Deployment kube-system/qos-scheduler: image -> spec.engine.type Berth: Berth "
        "has all plugins",
        "dropped      Deployment kube-system/qos-scheduler: imagePullSecrets: the image",
        "dropped      ConfigMap kube-system/scheduler-config3, data[scheduler-config.yaml]: "
        "leaderElection.lockObjectName: the operator sets the Lease"}) {
    EXPECT_THAT(report, HasSubstr(line));
  }
}

TEST(Manifests, ConvertAHandWrittenNetworkTrafficScheduler) {
  const Conversion conversion = ConversionOf(InputText("networktraffic-by-hand.yaml"));
  ASSERT_EQ(conversion.profiles.size(), 1U);
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(profile.metadata.name, "networktraffic-scheduler");
  EXPECT_EQ(ListsOf(profile.spec), "score: NetworkTraffic");
  EXPECT_EQ(ArgsIn(profile.spec),
            R"(NetworkTraffic {"address":"prometheus.kube-system.svc:9090","deviceName":"eth0",)"
            R"("timeRange":"60m"})");
  EXPECT_FALSE(profile.spec.leader_election.leader_elect);
  EXPECT_EQ(ErrorsIn(profile), "");
  EXPECT_THAT(ReportOf(conversion), HasSubstr("plugins.score.enabled[name=network_traffic] -> "
                                              "plugins.score.enabled[name=NetworkTraffic]"));
}

// A plugin with the name of Berth's can keep its own image, but not its permissions.
TEST(Manifests, KeepTheImageOfTheQosSchedulerOnRequest) {
  const Conversion conversion = ConversionOf(
      InputText("qos-by-hand.yaml"), {.source = "file.yaml", .engine = EngineChoice::kImage});
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(profile.metadata.name, "qos-scheduler");
  EXPECT_EQ(ListsOf(profile.spec), "queueSort: QOSSort, -PrioritySort");
  const crds::EngineSpec& engine = profile.spec.engine;
  EXPECT_EQ(engine.type, "KubeScheduler");
  EXPECT_EQ(engine.image, "registry.example.com/qos-scheduler:v1.0.0");
  EXPECT_THAT(engine.command, ElementsAre("/qos-sample-scheduler"));
  EXPECT_EQ(engine.image_pull_secrets.size(), 1U);
  EXPECT_THAT(engine.cluster_roles, testing::IsEmpty());
  EXPECT_EQ(ErrorsIn(profile), "");
  const std::string report = ReportOf(conversion);
  for (const char* line :
       {"approximate  Deployment kube-system/qos-scheduler: image -> spec.engine.image "
        "registry.example.com/qos-scheduler:v1.0.0: kept; the operator must allow it "
        "(--allowed-images), and it must read kubescheduler.config.k8s.io/v1, as kube-schedulers "
        "since 1.25 do\n",
        "enabled[name=QOSSort] -> plugins.queueSort.enabled[name=QOSSort]: a custom plugin",
        "(default profile) SelectorSpread -> not included: PodTopologySpread spreads by default: "
        "it was weight 1, up to 1.19, and kube-scheduler has removed it\n",
        "dropped      Deployment kube-system/qos-scheduler: ClusterRole qos-cr: it allows "
        "everything"}) {
    EXPECT_THAT(report, HasSubstr(line));
  }
}

TEST(Manifests, KeepPluginNamesOfTheImage) {
  const Conversion conversion =
      ConversionOf(InputText("networktraffic-by-hand.yaml"),
                   {.source = "file.yaml", .engine = EngineChoice::kImage});
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(ListsOf(profile.spec), "score: network_traffic");
  EXPECT_EQ(ArgsIn(profile.spec),
            R"(NetworkTraffic {"deviceName":"eth0","ip":"prometheus.kube-system:9090",)"
            R"("timeRange":60})");
  EXPECT_THAT(profile.spec.engine.command, ElementsAre("networktraffic-scheduler"));
  EXPECT_EQ(ErrorsIn(profile), "");
}

TEST(Manifests, KeepAStockImageOnlyOnRequest) {
  const Options keep{.source = "file.yaml", .engine = EngineChoice::kImage};
  const std::string stock = "image: 'registry.k8s.io/kube-scheduler:v1.36.3', command: ";
  const Conversion conversion = ConversionOf(DeploymentOf(stock + "[kube-scheduler]"), keep);
  EXPECT_EQ(conversion.profiles[0].profile.spec.engine.image,
            "registry.k8s.io/kube-scheduler:v1.36.3");
  EXPECT_EQ(ErrorOf(DeploymentOf("command: [kube-scheduler]"), keep),
            "file.yaml: Deployment kube-system/d: image: there is no image to keep");
  EXPECT_EQ(ErrorOf(kImagePolicy, keep),
            "file.yaml: no Deployment or other workload with an image to keep");
}

// A custom image is kept if this version lacks one of its plugins.
TEST(Manifests, KeepTheImageOfUnknownPlugins) {
  std::string config = kImageConfig;
  config.replace(config.find("ImageLocality"), 13, "Mine");
  const std::string text =
      ConfigMapOf("f.yaml", config) +
      DeploymentOf(
          "image: 'example.com/mine:v1', command: [/mine], args: ['--config=/etc/f.yaml', "
          "'--v=5', '--feature-gates=A=true', '--kubeconfig=/k'], imagePullPolicy: Always, "
          "volumeMounts: [{name: v, mountPath: /etc/}]",
          "serviceAccountName: sa, imagePullSecrets: [{name: p}], volumes: [{name: v, "
          "configMap: {name: c}}], ") +
      "---\nkind: ClusterRoleBinding\nmetadata: {name: b1}\nroleRef: {name: "
      "'system:kube-scheduler'}\n"
      "subjects: [{kind: ServiceAccount, name: sa, namespace: kube-system}]\n---\nkind: "
      "ClusterRoleBinding\nmetadata: {name: b2}\nroleRef: {name: mine}\nsubjects: [{kind: "
      "ServiceAccount, name: sa, namespace: kube-system}]\n---\nkind: "
      "ClusterRoleBinding\nmetadata: "
      "{name: b3}\nroleRef: {name: other}\nsubjects: [{kind: ServiceAccount, name: sa, namespace: "
      "elsewhere}]\n";
  const Conversion conversion = ConversionOf(text);
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  const crds::EngineSpec& engine = profile.spec.engine;
  EXPECT_EQ(engine.type, "KubeScheduler");
  EXPECT_EQ(engine.image, "example.com/mine:v1");
  EXPECT_EQ(engine.image_pull_policy, "Always");
  EXPECT_THAT(engine.command, ElementsAre("/mine"));
  EXPECT_THAT(engine.extra_args, ElementsAre("--feature-gates=A=true"));
  EXPECT_THAT(engine.cluster_roles, ElementsAre("mine"));
  EXPECT_EQ(engine.image_pull_secrets.size(), 1U);
  EXPECT_EQ(profile.spec.logging.verbosity, 5);
  EXPECT_EQ(ErrorsIn(profile), "");
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("approximate  Deployment kube-system/d: image -> spec.engine.image "
                        "example.com/mine:v1: kept for Mine, which this version does not have; the "
                        "operator must allow it"));
}

TEST(Manifests, ReadFlagsInAShell) {
  const std::string commands[] = {
      R"([sh, -c, "exec kube-scheduler --v=3 --scheduler-name=mine"])",
      R"([/bin/sh, -c, "kube-scheduler \\\n  --v=3 \\\n  --scheduler-name=mine\n"])",
      R"([bash, -c, "kube-scheduler --v='3' --scheduler-name \"mine\""])",
      R"([kube-scheduler, -v, '3', --scheduler-name, mine])",
      R"([kube-scheduler, -v=3, '--scheduler_name=mine'])",
  };
  for (const std::string& command : commands) {
    const Conversion conversion = ConversionOf(DeploymentOf("command: " + command));
    EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "mine") << command;
    EXPECT_EQ(conversion.profiles[0].profile.spec.logging.verbosity, 3) << command;
  }
}

TEST(Manifests, ConvertASecondaryScheduler) {
  const Conversion conversion = ConversionOf(InputText("secondary-scheduler.yaml"));
  ASSERT_EQ(conversion.profiles.size(), 1U);
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(profile.metadata.name, "load-aware");
  EXPECT_EQ(ListsOf(profile.spec), "score: LoadVariationRiskBalancing=4");
  EXPECT_EQ(profile.spec.engine.type, "KubeScheduler");
  EXPECT_EQ(profile.spec.engine.image,
            "registry.example.com/scheduler-plugins/kube-scheduler:v0.30.6");
  EXPECT_EQ(profile.spec.logging.verbosity, 6);
  EXPECT_EQ(ErrorsIn(profile), "");
  const std::string config = "ConfigMap second/trimaran, data[config.yaml]: profiles[0].";
  for (const std::string& line :
       {std::string("exact        SecondaryScheduler second/cluster: "
                    "--config=/etc/kubernetes/config.yaml -> ConfigMap second/trimaran, "
                    "data[config.yaml]"),
        std::string("dropped      SecondaryScheduler second/cluster: spec.managementState: it "
                    "configures the old operator"),
        "approximate  " + config +
            "pluginConfig[name=LoadVariationRiskBalancing].args."
            "metricProvider.token -> kept: by its name it is a secret",
        "dropped      " + config +
            "plugins.score.disabled[name=NodeResourcesMostAllocated]: not a "
            "plugin of v1"}) {
    EXPECT_THAT(ReportOf(conversion), HasSubstr(line));
  }
}

TEST(Manifests, NameEachConfigurationOfAConfigMap) {
  const std::string config =
      "{apiVersion: kubescheduler.config.k8s.io/v1beta3, kind: KubeSchedulerConfiguration, ";
  const std::string two = "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a.yaml: '" + config +
                          "percentageOfNodesToScore: 40}'\n  b.yaml: '" + config +
                          "percentageOfNodesToScore: 50}'\n";
  const Conversion conversion = ConversionOf(two);
  ASSERT_EQ(conversion.profiles.size(), 2U);
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "c");
  EXPECT_EQ(conversion.profiles[1].profile.metadata.name, "c-b");
}

TEST(Manifests, ReportAnOutcomeForEachFlag) {
  const LinkCase rows[] = {
      {"--leader-elect=false", "exact        Deployment kube-system/d: --leader-elect -> "},
      {"--leader-elect-lease-duration=30s",
       "exact        Deployment kube-system/d: --leader-elect-lease-duration -> "
       "spec.leaderElection"},
      {"--lock-object-name=x",
       "dropped      Deployment kube-system/d: --lock-object-name: the operator sets the Lease"},
      {"--leader-elect-resource-name=x",
       "dropped      Deployment kube-system/d: --leader-elect-re"},
      {"--v=4", "exact        Deployment kube-system/d: --v -> spec.logging.verbosity 4"},
      {"--logging-format=json", "exact        Deployment kube-system/d: --logging-format -> "},
      {"--hard-pod-affinity-symmetric-weight=7",
       "exact        Deployment kube-system/d: --hard-pod-affinity-symmetric-weight -> "},
      {"--algorithm-provider=DefaultProvider",
       "approximate  Deployment kube-system/d: --algorithm-provider: the default profile of this "
       "version"},
      {"--kubeconfig=/k",
       "dropped      Deployment kube-system/d: --kubeconfig: the operator configures"},
      {"--kube-api-qps=5", "dropped      Deployment kube-system/d: --kube-api-qps: "},
      {"--address=0.0.0.0",
       "dropped      Deployment kube-system/d: --address: the operator "
       "configures"},
      {"--secure-port=1", "dropped      Deployment kube-system/d: --secure-port: "},
      {"--authentication-kubeconfig=/k",
       "dropped      Deployment kube-system/d: --authentication-kubeconfig: the operator "
       "configures access"},
      {"--profiling=false", "exact        Deployment kube-system/d: --profiling: it is off"},
      {"--profiling", "dropped      Deployment kube-system/d: --profiling: "},
      {"--feature-gates=A=true",
       "dropped      Deployment kube-system/d: --feature-gates: Berth's scheduler has no such "
       "flag"},
  };
  for (const LinkCase& row : rows) {
    const Conversion conversion =
        ConversionOf(DeploymentOf("command: [kube-scheduler, '" + row.text + "']"));
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding)) << row.text;
    EXPECT_EQ(ErrorsIn(conversion.profiles[0].profile), "");
  }
  EXPECT_EQ(ErrorOf(DeploymentOf("command: [kube-scheduler, --v=high]")),
            "file.yaml: Deployment kube-system/d: --v: expected a number, found \"high\"");
}

TEST(Manifests, ReadBooleanFlagsLikeKubeScheduler) {
  const auto elects = [](const std::string& flag) {
    return ConversionOf(DeploymentOf("command: [kube-scheduler, " + flag + "]"))
        .profiles[0]
        .profile.spec.leader_election.leader_elect;
  };
  for (const char* value : {"0", "f", "F", "false", "FALSE", "False"}) {
    EXPECT_FALSE(elects("'--leader-elect=" + std::string(value) + "'")) << value;
  }
  for (const char* value : {"1", "t", "T", "true", "TRUE", "True"}) {
    EXPECT_TRUE(elects("'--leader-elect=" + std::string(value) + "'")) << value;
  }
  EXPECT_TRUE(elects("--leader-elect"));
  EXPECT_TRUE(elects("--leader-elect, 'false'")) << "the next word is not the value";
  EXPECT_THAT(ReportOf(ConversionOf(DeploymentOf("command: [kube-scheduler, '--profiling=F']"))),
              HasSubstr("exact        Deployment kube-system/d: --profiling: it is off"));
  for (const char* flag :
       {"leader-elect=no", "leader-elect=", "profiling=yes", "use-legacy-policy-config=fAlse"}) {
    EXPECT_THAT(ErrorOf(DeploymentOf("command: [kube-scheduler, '--" + std::string(flag) + "']")),
                HasSubstr("file.yaml: Deployment kube-system/d: --" +
                          std::string(flag).substr(0, std::string(flag).find('=')) +
                          ": expected true or false, found \""))
        << flag;
  }
}

TEST(Manifests, CopyDeploymentSettings) {
  const Conversion conversion = ConversionOf(DeploymentOf(
      "command: [kube-scheduler], env: [{name: A, value: b}], resources: {limits: {cpu: "
      "1}}",
      "nodeSelector: {a: b}, tolerations: [{operator: Exists}], priorityClassName: high, "
      "hostNetwork: true, affinity: {nodeAffinity: {}}, "));
  const crds::DeploymentSpec& deployment = conversion.profiles[0].profile.spec.deployment;
  EXPECT_EQ(deployment.node_selector.at("a"), "b");
  EXPECT_EQ(deployment.tolerations.size(), 1U);
  EXPECT_EQ(deployment.priority_class_name, "high");
  EXPECT_EQ(deployment.env.size(), 1U);
  EXPECT_TRUE(deployment.affinity);
  EXPECT_THAT(ReportOf(conversion), HasSubstr("hostNetwork: scheduler pods do not use the host "
                                              "network"));
}

TEST(Manifests, ReportSettingsThatTheOperatorRenders) {
  const std::string text =
      DeploymentOf("command: [kube-scheduler], ports: [{containerPort: 1}], livenessProbe: {}",
                   "securityContext: {}, initContainers: [{name: init}], ");
  const std::string report = ReportOf(ConversionOf(text));
  for (const char* line :
       {"probes: the operator configures", "ports: the operator configures",
        "securityContext: scheduler pods", "initContainers[name=init]: scheduler pods",
        "namespace kube-system: the scheduler runs in the operator's namespace"}) {
    EXPECT_THAT(report, HasSubstr(std::string("dropped      Deployment kube-system/d: ") + line));
  }
  EXPECT_THAT(ReportOf(ConversionOf(text, {.source = "f", .ns = "kube-system"})),
              Not(HasSubstr("namespace kube-system: ")));
}

// The container beside the scheduler serves its loopback address.
TEST(Manifests, ConvertTheContainerBesideToASidecar) {
  const std::string policy =
      R"({"kind": "Policy", "predicates": [], "extenders": [{"urlPrefix": "http://localhost:8888/e"}]})";
  const std::string text =
      ConfigMapOf("policy.cfg", policy) +
      DeploymentOf(
          "command: [kube-scheduler, --policy-configmap=c]}, {name: extender, image: "
          "'example.com/e:v1', args: [--port, '8888']}, {name: other, image: o");
  const Conversion conversion = ConversionOf(text);
  EXPECT_EQ(json::Encode(conversion.profiles[0].profile.spec.deployment.sidecars),
            R"([{"args":["--port","8888"],"image":"example.com/e:v1","name":"extender",)"
            R"("port":8888}])");
  EXPECT_THAT(conversion.profiles[0].comments, testing::IsEmpty());
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("approximate  Deployment kube-system/d: containers[name=extender] -> "
                        "spec.deployment.sidecars[name=extender]: it serves the scheduler's "
                        "loopback port 8888; the operator must allow its image"));
  EXPECT_THAT(ReportOf(conversion), HasSubstr("containers[name=other]: scheduler pods only have"));
  EXPECT_EQ(ErrorsIn(conversion.profiles[0].profile), "");
}

// Each port gets the container that declares it, else the first remaining one.
TEST(Manifests, FindTheContainerOfEachPort) {
  const std::string policy =
      R"({"kind": "Policy", "predicates": [], "extenders": [{"urlPrefix": "http://localhost:1/e"},)"
      R"( {"urlPrefix": "http://localhost:2/e"}, {"urlPrefix": "http://localhost:3/e"}]})";
  const std::string text =
      ConfigMapOf("policy.cfg", policy) +
      DeploymentOf(
          "command: [kube-scheduler, --policy-configmap=c]}, {name: scheduler, image: a, "
          "env: [{name: A, value: b}], volumeMounts: [{name: v, mountPath: /v}], "
          "resources: {requests: {cpu: 1}}, livenessProbe: {}, securityContext: {}}, "
          "{name: one, image: b, command: [/b], ports: [{containerPort: 1}]",
          "imagePullSecrets: [{name: pull}], ");
  const Conversion conversion = ConversionOf(text);
  EXPECT_EQ(json::Encode(conversion.profiles[0].profile.spec.deployment.sidecars),
            R"([{"command":["/b"],"image":"b","name":"one","port":1},)"
            R"({"env":[{"name":"A","value":"b"}],"image":"a","name":"extender","port":2,)"
            R"("resources":{"requests":{"cpu":"1"}}},)"
            R"({"name":"extender-2","port":3}])");
  const std::string report = ReportOf(conversion);
  for (const char* part : {"volumeMounts: sidecars cannot", "probes: sidecars have no probes",
                           "securityContext: sidecars use"}) {
    EXPECT_THAT(report, HasSubstr(std::string("dropped      Deployment kube-system/d: "
                                              "containers[name=scheduler].") +
                                  part));
  }
  EXPECT_THAT(report, HasSubstr("imagePullSecrets -> spec.engine.imagePullSecrets"));
}

// With a search for each name it takes minutes.
TEST(Manifests, NameManySidecarsInLinearTime) {
  std::string extenders;
  for (int port = 1; port <= 10'000; ++port) {
    extenders += "{urlPrefix: 'http://localhost:" + std::to_string(port) + "'}, ";
  }
  const std::clock_t begin = std::clock();
  const Conversion conversion =
      ConversionOf("{kind: Policy, predicates: [], extenders: [" + extenders + "]}");
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
  const auto& sidecars = conversion.profiles[0].profile.spec.deployment.sidecars;
  ASSERT_EQ(sidecars.size(), 10'000U);
  EXPECT_EQ(sidecars.back().name, "extender-10000");
}

TEST(Manifests, AddThePolicyToAV1Alpha1Configuration) {
  const std::string config =
      "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, "
      "schedulerName: mine, algorithmSource: {policy: {configMap: {namespace: kube-system, name: "
      "c}}}}";
  const Conversion conversion = ConversionOf(config + ConfigMapOf("policy.cfg", kImagePolicy));
  ASSERT_EQ(conversion.profiles.size(), 1U);
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "mine");
  EXPECT_THAT(ListsOf(conversion.profiles[0].profile.spec), HasSubstr("score: ImageLocality=4"));
  EXPECT_THAT(
      ReportOf(conversion),
      HasSubstr("exact        algorithmSource.policy.configMap c -> ConfigMap kube-system/c, "
                "data[policy.cfg]"));
  EXPECT_THAT(ReportOf(conversion), Not(HasSubstr("(default profile)")));
}

TEST(Manifests, ReadStaticPods) {
  const Conversion conversion = ConversionOf(
      "kind: Pod\nmetadata: {name: kube-scheduler, namespace: kube-system}\nspec: {containers: "
      "[{name: "
      "kube-scheduler, command: [kube-scheduler, --scheduler-name=mine, --leader-elect=true]}]}");
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "mine");
  EXPECT_EQ(ErrorsIn(conversion.profiles[0].profile), "");
}

TEST(Manifests, RejectTwoSchedulersOfOneName) {
  EXPECT_EQ(
      ErrorOf(DeploymentOf("command: [kube-scheduler, --v=3]") +
              DeploymentOf("command: [kube-scheduler, --v=4]")),
      "file.yaml: two different schedulers would have the name \"d\": Deployment kube-system/d "
      "and Deployment kube-system/d: rename one, or remove it from the file");
  const auto config = [](const std::string& members) { return ConfigOf("v1", members); };
  EXPECT_THAT(ErrorOf(config("percentageOfNodesToScore: 5") + "\n---\n" +
                      config("percentageOfNodesToScore: 6")),
              HasSubstr("the name \"file\": document 1 and document 2: rename one"));
  EXPECT_THAT(ErrorOf(config("profiles: [{schedulerName: a.b, percentageOfNodesToScore: 5}, "
                             "{schedulerName: a-b}]")),
              HasSubstr("the name \"a-b\": document 1 with schedulerName \"a.b\" and document 1 "
                        "with schedulerName \"a-b\": rename one"));
}

}  // namespace
}  // namespace berth::convert
