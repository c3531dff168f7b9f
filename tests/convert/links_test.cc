// SPDX-License-Identifier: Apache-2.0
#include "convert/links.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;

TEST(Manifests, FindTheConfigurationOfADeployment) {
  const std::string mounted = "volumes: [{name: v, configMap: {name: c}}], ";
  const std::string mount = ", volumeMounts: [{name: v, mountPath: /etc/s}]";
  const std::string at = "exact        Deployment kube-system/d: ";
  const LinkCase rows[] = {
      {ConfigMapOf("f.yaml", kImageConfig) +
           DeploymentOf("command: [kube-scheduler, --config, /etc/s/f.yaml]" + mount, mounted),
       at + "--config=/etc/s/f.yaml -> ConfigMap kube-system/c, data[f.yaml]"},
      {ConfigMapOf("f.yaml", kImageConfig) +
           DeploymentOf(
               "command: [sh, -c, 'exec kube-scheduler --config=/etc/s/f.yaml --v=2']" + mount,
               mounted),
       at + "--config=/etc/s/f.yaml -> ConfigMap kube-system/c, data[f.yaml]"},
      {ConfigMapOf("f.yaml", kImageConfig) +
           DeploymentOf("command: [kube-scheduler, --config=/etc/s/renamed]" + mount,
                        "volumes: [{name: v, configMap: {name: c, items: [{key: f.yaml, path: "
                        "renamed}]}}], "),
       at + "--config=/etc/s/renamed -> ConfigMap kube-system/c, data[f.yaml]"},
      {ConfigMapOf("policy.cfg", kImagePolicy) +
           DeploymentOf("command: [kube-scheduler, --policy-configmap=c, --scheduler-name=mine]"),
       at + "--policy-configmap=c -> ConfigMap kube-system/c, data[policy.cfg]"},
      {ConfigMapOf("p.json", kImagePolicy) +
           DeploymentOf("command: [kube-scheduler, --policy-config-file=/etc/s/p.json, "
                        "--scheduler_name=mine, --use-legacy-policy-config=true]" +
                            mount,
                        mounted),
       at + "--policy-config-file=/etc/s/p.json -> ConfigMap kube-system/c, data[p.json]"},
      {ConfigMapOf("p.json", kImagePolicy) +
           DeploymentOf(
               "command: [kube-scheduler, --policy-config-file=/p.json, "
               "--scheduler-name=mine], volumeMounts: [{name: v, mountPath: /p.json, subPath: "
               "p.json}]",
               mounted),
       at + "--policy-config-file=/p.json -> ConfigMap kube-system/c, data[p.json]"},
      {std::string(kImagePolicy) +
           DeploymentOf("command: [kube-scheduler, --policy-config-file=/p.json, "
                        "--scheduler-name=mine]"),
       "approximate  Deployment kube-system/d: --policy-config-file=/p.json -> the Policy: no "
       "ConfigMap is mounted there; using the only Policy in this file"},
  };
  for (const LinkCase& row : rows) {
    SCOPED_TRACE(row.text);
    const Conversion conversion = ConversionOf(row.text);
    ASSERT_EQ(conversion.profiles.size(), 1U);
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(profile.metadata.name, "mine");
    EXPECT_THAT(ListsOf(profile.spec), HasSubstr("score: ImageLocality=4"));
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

// A profile without its configuration would be valid and schedule differently.
TEST(Manifests, RejectReferencesToMissingFiles) {
  const std::string policy = "algorithmSource: {policy: ";
  const std::string config =
      "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, "
      "schedulerName: mine, ";
  const std::string mount = "volumeMounts: [{name: v, mountPath: /f}]";
  const std::string volume = "volumes: [{name: v, configMap: {name: c}}], ";
  const LinkCase rows[] = {
      {DeploymentOf("command: [kube-scheduler, --policy-configmap=c]"),
       "Deployment kube-system/d: --policy-configmap=c: ConfigMap kube-system/c with policy.cfg is "
       "not in this file: add it to the file, as a ConfigMap or as a document of its own"},
      {DeploymentOf("command: [kube-scheduler, --config=/f]"),
       "Deployment kube-system/d: --config=/f: no ConfigMap is mounted there, and this file has no "
       "KubeSchedulerConfiguration: add it"},
      {std::string(kImagePolicy) + DeploymentOf("command: [kube-scheduler, --config=/f]"),
       "Deployment kube-system/d: --config=/f: no ConfigMap is mounted there, and this file has no "
       "KubeSchedulerConfiguration: add it"},
      {DeploymentOf("command: [kube-scheduler, --config=/f/x], " + mount, volume),
       "Deployment kube-system/d: --config=/f/x: ConfigMap c with x is not in this file: add it"},
      {std::string(kImagePolicy) +
           DeploymentOf("command: [kube-scheduler, --policy-config-file=/f/x], " + mount, volume),
       "Deployment kube-system/d: --policy-config-file=/f/x: ConfigMap c with x is not in this"},
      {config + policy + "{file: {path: /p}}}}",
       "algorithmSource.policy.file /p: this file has no Policy: add it to the file"},
      {config + policy + "{configMap: {name: c, namespace: other}}}}",
       "algorithmSource.policy.configMap c: ConfigMap other/c with policy.cfg is not in this file"},
      {config + policy + "{file: {path: /p}}}}\n---\n" + kImagePolicy + "\n---\n" + kImagePolicy,
       "algorithmSource.policy.file /p: this file has several of kind Policy: add it"},
      {ConfigMapOf("f.yaml", config + policy + "{file: {path: /f/p.json}}}}") +
           DeploymentOf("command: [kube-scheduler, --config=/f/f.yaml], " + mount, volume),
       "ConfigMap kube-system/c, data[f.yaml]: algorithmSource.policy.file /f/p.json: ConfigMap c "
       "with p.json is not in this file"},
  };
  for (const LinkCase& row : rows) {
    EXPECT_THAT(ErrorOf(row.text), testing::StartsWith("file.yaml: " + row.finding)) << row.text;
  }
}

// Returns a ConfigMap kube-system/NAME with two files.
std::string TwoFilesOf(const std::string& name, const std::string& config_key,
                       const std::string& source, const std::string& policy_key) {
  return "\n---\nkind: ConfigMap\nmetadata: {name: " + name +
         ", namespace: kube-system}\ndata:\n  " + config_key +
         ": |\n    {apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: "
         "KubeSchedulerConfiguration, schedulerName: mine, algorithmSource: {policy: " +
         source + "}}\n  " + policy_key + ": |\n    " + kImagePolicy + "\n";
}

TEST(Manifests, ConvertAConfigurationAndItsPolicyToOneProfile) {
  const std::string file = "{file: {path: /etc/s/p.json}}";
  const std::string map = "{configMap: {namespace: kube-system, name: c}}";
  const std::string mounted = "volumes: [{name: v, configMap: {name: c}}], ";
  const std::string run = "command: [kube-scheduler, --config=/etc/s/f.yaml], ";
  const std::string mount = "volumeMounts: [{name: v, mountPath: /etc/s}]";
  const std::string here = "ConfigMap kube-system/c, data[p.json]";
  const std::string config =
      "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, "
      "schedulerName: mine, algorithmSource: {policy: ";
  const LinkCase rows[] = {
      // In one ConfigMap, with and without a workload.
      {TwoFilesOf("c", "f.yaml", file, "p.json"),
       "exact        ConfigMap kube-system/c, data[f.yaml]: algorithmSource.policy.file "
       "/etc/s/p.json -> " +
           here + "\n"},
      {TwoFilesOf("c", "f.yaml", file, "p.json") + DeploymentOf(run + mount, mounted),
       "policy.file /etc/s/p.json -> " + here + "\n"},
      {TwoFilesOf("c", "a.yaml", map, "policy.cfg"),
       "policy.configMap c -> ConfigMap kube-system/c, data[policy.cfg]\n"},
      {TwoFilesOf("c", "z.yaml", map, "policy.cfg"), "data[policy.cfg]\n"},
      {TwoFilesOf("c", "a.yaml", map, "other.json"),
       "policy.configMap c -> ConfigMap kube-system/c, data[other.json]: kube-scheduler reads the "
       "key policy.cfg, which the ConfigMap does not have"},
      {TwoFilesOf("c", "f.yaml", file, "k") +
           DeploymentOf(run + mount,
                        "volumes: [{name: v, configMap: {name: c, items: [{key: "
                        "f.yaml, path: f.yaml}, {key: k, path: p.json}]}}], "),
       "policy.file /etc/s/p.json -> ConfigMap kube-system/c, data[k]\n"},
      {TwoFilesOf("c", "f.yaml", file, "p.json") +
           DeploymentOf(run + mount,
                        "volumes: [{name: v, projected: {sources: [{configMap: {name: "
                        "other}}, {configMap: {name: c}}]}}], "),
       "policy.file /etc/s/p.json -> " + here + "\n"},
      {TwoFilesOf("c", "f.yaml", "{file: {path: /p.json}}", "p.json") +
           DeploymentOf(run + "volumeMounts: [{name: v, mountPath: /etc/s}, {name: v, mountPath: "
                              "/p.json, subPath: p.json}]",
                        mounted),
       "policy.file /p.json -> " + here + "\n"},
      // In two ConfigMaps.
      {ConfigMapOf("f.yaml", config + file + "}}") +
           "\n---\nkind: ConfigMap\nmetadata: {name: e, namespace: kube-system}\ndata: {p.json: '" +
           kImagePolicy + "'}" +
           DeploymentOf(run + "volumeMounts: [{name: v, mountPath: /etc/s/f.yaml, subPath: "
                              "f.yaml}, {name: w, mountPath: /etc/s}]",
                        "volumes: [{name: v, configMap: {name: c}}, {name: w, configMap: {name: "
                        "e}}], "),
       "policy.file /etc/s/p.json -> ConfigMap kube-system/e, data[p.json]\n"},
      {ConfigMapOf("f.yaml", config + file + "}}") +
           "\n---\nkind: ConfigMap\nmetadata: {name: e, namespace: other}\ndata: {p.json: '" +
           kImagePolicy + "'}",
       "policy.file /etc/s/p.json -> ConfigMap other/e, data[p.json]: using the only file of this "
       "name"},
      // As documents.
      {config + file + "}}\n---\n" + kImagePolicy,
       "approximate  algorithmSource.policy.file /etc/s/p.json -> the Policy: using the only "
       "Policy "
       "in this file"},
      {config + map + "}}\n---\n" + kImagePolicy,
       "approximate  algorithmSource.policy.configMap c -> the Policy: the ConfigMap is not in "
       "this "
       "file; using the only Policy outside of one"},
      {std::string(kImagePolicy) + "\n---\n" + config + file + "}}" +
           DeploymentOf("command: [kube-scheduler, --config=/host/f.yaml]"),
       "--config=/host/f.yaml -> the KubeSchedulerConfiguration: no ConfigMap is mounted there; "
       "using the only KubeSchedulerConfiguration in this file"},
  };
  for (const LinkCase& row : rows) {
    SCOPED_TRACE(row.text);
    const Conversion conversion = ConversionOf(row.text);
    ASSERT_EQ(conversion.profiles.size(), 1U);
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(profile.metadata.name, "mine");
    EXPECT_THAT(ListsOf(profile.spec), HasSubstr("score: ImageLocality=4;"));
    EXPECT_THAT(ListsOf(profile.spec), HasSubstr("multiPoint: "));
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

// Source: kube-scheduler pkg/scheduler/scheduler.go, New, at v1.18.
TEST(Manifests, UseTheSourceThatKubeSchedulerUses) {
  const auto convert = [](const std::string& source) {
    return ConversionOf(
        ConfigMapOf("f.yaml",
                    "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: "
                    "KubeSchedulerConfiguration, schedulerName: mine, algorithmSource: " +
                        source + "}") +
        "\n---\nkind: ConfigMap\nmetadata: {name: e, namespace: kube-system}\ndata:\n  policy.cfg: "
        "|\n    " +
        R"({"kind": "Policy", "priorities": [{"name": "NodeAffinityPriority", "weight": 3}]})" +
        "\n---\nkind: ConfigMap\nmetadata: {name: g, namespace: kube-system}\ndata: {p.json: '" +
        kImagePolicy + "'}");
  };
  const std::string both = "{file: {path: /p.json}, configMap: {namespace: kube-system, name: e}}";
  const Conversion file = convert("{policy: " + both + "}");
  ASSERT_EQ(file.profiles.size(), 1U);
  EXPECT_THAT(ListsOf(file.profiles[0].profile.spec), HasSubstr("score: ImageLocality=4;"));
  EXPECT_THAT(ReportOf(file), HasSubstr("algorithmSource.policy.file /p.json -> "));
  EXPECT_THAT(ReportOf(file), HasSubstr("algorithmSource.policy.configMap e: kube-scheduler "
                                        "ignores it beside algorithmSource.policy.file"));
  const Conversion provider =
      convert("{provider: ClusterAutoscalerProvider, policy: " + both + "}");
  ASSERT_EQ(provider.profiles.size(), 1U);
  EXPECT_EQ(ListsOf(provider.profiles[0].profile.spec), "");
  EXPECT_THAT(ArgsIn(provider.profiles[0].profile.spec), HasSubstr("MostAllocated"));
  EXPECT_THAT(ReportOf(provider), HasSubstr("algorithmSource.policy.file /p.json: kube-scheduler "
                                            "ignores it beside algorithmSource.provider"));
}

TEST(Manifests, TheLongestMountPathHidesTheOthers) {
  const std::string config =
      "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: "
      "[{schedulerName: ";
  const std::string outer = "{name: a, mountPath: /etc/k/}";
  const std::string inner = "{name: b, mountPath: /etc/k/s}";
  for (const std::string& mounts : {outer + ", " + inner, inner + ", " + outer}) {
    const Conversion conversion = ConversionOf(
        ConfigMapOf("a.yaml", config + "outer}]}") +
        "\n---\nkind: ConfigMap\nmetadata: {name: e, namespace: kube-system}\ndata: {f.yaml: '" +
        config + "inner}]}'}" +
        DeploymentOf(
            "command: [kube-scheduler, --config=/etc/k/s/f.yaml], volumeMounts: [" + mounts + "]",
            "volumes: [{name: a, configMap: {name: c, items: [{key: a.yaml, path: "
            "s/f.yaml}]}}, {name: b, configMap: {name: e}}], "));
    EXPECT_THAT(ReportOf(conversion),
                HasSubstr("--config=/etc/k/s/f.yaml -> ConfigMap kube-system/e, data[f.yaml]\n"));
    EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "inner");
  }
}

TEST(Manifests, ConvertAMountedPolicy) {
  const Conversion conversion = ConversionOf(InputText("policy-beside-config.yaml"));
  ASSERT_EQ(conversion.profiles.size(), 1U);
  const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
  EXPECT_EQ(profile.metadata.name, "packer");
  EXPECT_EQ(profile.spec.deployment.replicas, 2);
  EXPECT_EQ(profile.spec.pod_max_backoff_seconds, 20);
  EXPECT_THAT(ListsOf(profile.spec),
              HasSubstr("score: InterPodAffinity=1, NodeResourcesFit=2; reserve: VolumeBinding"));
  EXPECT_THAT(ArgsIn(profile.spec), HasSubstr(R"("hardPodAffinityWeight":20)"));
  EXPECT_THAT(ArgsIn(profile.spec), HasSubstr(R"("type":"MostAllocated")"));
  EXPECT_EQ(json::Encode(profile.spec.extenders),
            R"([{"enableHTTPS":true,"filterVerb":"filter","httpTimeout":"2.5s",)"
            R"("urlPrefix":"https://quota.batch.svc/scheduler"}])");
  EXPECT_EQ(ErrorsIn(profile), "");
}

TEST(Manifests, APolicySourceWithoutAPolicyHasTheDefaultLists) {
  const Conversion conversion = ConversionOf(
      "{apiVersion: kubescheduler.config.k8s.io/v1alpha1, kind: KubeSchedulerConfiguration, "
      "schedulerName: mine, algorithmSource: {policy: {}}}");
  ASSERT_EQ(conversion.profiles.size(), 1U);
  EXPECT_THAT(ListsOf(conversion.profiles[0].profile.spec), HasSubstr("SelectorSpread=1"));
}

// Source: kube-scheduler cmd/kube-scheduler/app/options, at v1.17 to v1.22.
TEST(Manifests, ReadTheFlagsOfAPolicyAsTheirVersionDoes) {
  const std::string mounted = "volumes: [{name: v, configMap: {name: c}}], ";
  const std::string mount = "], volumeMounts: [{name: v, mountPath: /f}]";
  const auto files = [](const std::string& version) {
    return "\n---\nkind: ConfigMap\nmetadata: {name: c, namespace: kube-system}\ndata:\n  f.yaml: "
           "|\n    {apiVersion: kubescheduler.config.k8s.io/" +
           version +
           ", kind: KubeSchedulerConfiguration, percentageOfNodesToScore: 40}\n  policy.cfg: |\n   "
           " " +
           kImagePolicy + "\n  p.json: |\n    " +
           R"({"kind": "Policy", "priorities": [{"name": "NodeAffinityPriority", "weight": 3}]})" +
           "\n";
  };
  struct Row {
    std::string version;
    std::string flags;
    std::string score;  // "": no Policy
    std::string finding;
  };
  const std::string at = "Deployment kube-system/d: ";
  const Row rows[] = {
      {"v1beta1", "--policy-config-file=/f/p.json", "NodeAffinity=3", "exact        " + at},
      {"v1beta1", "--policy-configmap=c", "ImageLocality=4", "exact        " + at},
      {"v1beta1", "--policy-configmap=c, --policy-config-file=/f/p.json", "ImageLocality=4", ""},
      {"v1beta1",
       "--policy-configmap, c, --policy-config-file, /f/p.json, --use-legacy-policy-config=true",
       "NodeAffinity=3", ""},
      {"v1beta1",
       "--policy-configmap=c, --policy-config-file=/f/p.json, --use-legacy-policy-config=0",
       "ImageLocality=4", ""},
      {"v1beta1", "--config=/f/f.yaml, --policy-configmap=c", "ImageLocality=4",
       "exact        " + at + "--policy-configmap=c -> ConfigMap kube-system/c, data[policy.cfg]"},
      {"v1beta2", "--config=/f/f.yaml, --policy-config-file=/f/p.json", "NodeAffinity=3", ""},
      {"v1alpha2", "--config=/f/f.yaml, --policy-configmap=c", "",
       "dropped      " + at +
           "--policy-configmap=c: kube-schedulers with this version of the "
           "configuration ignore or reject it beside --config"},
      {"v1beta3", "--config=/f/f.yaml, --policy-config-file=/f/p.json", "", "dropped      " + at},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.version + " " + row.flags);
    const auto conversion =
        Convert(files(row.version) +
                    DeploymentOf("command: [kube-scheduler, " + row.flags + mount, mounted),
                {.source = "file.yaml"}, Catalogue());
    ASSERT_TRUE(conversion) << conversion.error().message();
    ASSERT_FALSE(conversion->profiles.empty());
    const crds::SchedulerProfileSpec& spec = conversion->profiles[0].profile.spec;
    const std::string lists = ListsOf(spec);
    if (row.score.empty()) {
      EXPECT_EQ(lists, "");
    } else {
      EXPECT_THAT(lists, HasSubstr("score: " + row.score + ";"));
    }
    const bool has_config = row.flags.starts_with("--config");
    EXPECT_EQ(spec.percentage_of_nodes_to_score, has_config ? 40 : 0);
    EXPECT_THAT(ReportOf(*conversion), HasSubstr(row.finding));
  }
}

TEST(Manifests, IgnoreFlagsThatAConfigurationReplaces) {
  const Conversion conversion = ConversionOf(
      ConfigMapOf("f.yaml", kImageConfig) +
      DeploymentOf("command: [kube-scheduler, --config=/f/f.yaml, --scheduler-name=other, "
                   "--algorithm-provider=ClusterAutoscalerProvider, "
                   "--hard-pod-affinity-symmetric-weight=5], volumeMounts: [{name: v, mountPath: "
                   "/f}]",
                   "volumes: [{name: v, configMap: {name: c}}], "));
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "mine");
  EXPECT_EQ(ArgsIn(conversion.profiles[0].profile.spec), "");
  for (const char* flag :
       {"scheduler-name", "algorithm-provider", "hard-pod-affinity-symmetric-weight"}) {
    EXPECT_THAT(ReportOf(conversion),
                HasSubstr("dropped      Deployment kube-system/d: --" + std::string(flag) +
                          ": kube-scheduler ignores it beside --config"));
  }
}

TEST(Manifests, ConvertTheProviderOfAFlag) {
  const auto args = [](const std::string& flags) {
    return ArgsIn(ConversionOf(ConfigMapOf("policy.cfg", kImagePolicy) +
                               DeploymentOf("command: [kube-scheduler, " + flags + "]"))
                      .profiles[0]
                      .profile.spec);
  };
  EXPECT_THAT(args("--algorithm-provider=ClusterAutoscalerProvider"), HasSubstr("MostAllocated"));
  EXPECT_EQ(args("--algorithm-provider=DefaultProvider"), "");
  EXPECT_EQ(args("--algorithm-provider=ClusterAutoscalerProvider, --policy-configmap=c"), "");
}

}  // namespace
}  // namespace berth::convert
