// SPDX-License-Identifier: Apache-2.0
#include "convert/configuration.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert/versions.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct ProfileCase {
  std::string version;
  std::string members;
  std::string lists;
  std::string args;
  std::string finding;
};

TEST(Configuration, TranslatesPlugins) {
  const std::string p = "profiles: [{schedulerName: s, plugins: ";
  const std::string a = "profiles: [{schedulerName: s, pluginConfig: ";
  const std::string equal =
      R"("resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}])";
  const ProfileCase rows[] = {
      // Current version.
      {"v1", p + "{multiPoint: {enabled: [{name: Random, weight: 3}]}}}]", "multiPoint: Random=3",
       "",
       "exact        profiles[0].plugins.multiPoint.enabled[name=Random] -> "
       "plugins.multiPoint.enabled[name=Random], weight 3"},
      {"v1", p + "{score: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity, weight: 2}]}}}]",
       "score: NodeAffinity=2, -*", "", "plugins.score.disabled[name=*]"},
      {"v1beta3", p + "{filter: {disabled: [{name: NodePorts}]}}}]", "filter: -NodePorts", "",
       "exact        profiles[0].plugins.filter.disabled[name=NodePorts]"},
      {"v1", a + "[{name: NodeResourcesFit, args: {ignoredResources: [a.com/b]}}]}]", "",
       R"(NodeResourcesFit {"ignoredResources":["a.com/b"]})",
       "exact        profiles[0].pluginConfig[name=NodeResourcesFit]"},
      {"v1beta2",
       a + "[{name: InterPodAffinity, args: {apiVersion: kubescheduler.config.k8s.io/v1beta2, "
           "kind: "
           "InterPodAffinityArgs, hardPodAffinityWeight: 5}}]}]",
       "", R"(InterPodAffinity {"hardPodAffinityWeight":5})",
       "exact        profiles[0].pluginConfig"},
      // Renamed or removed extension points.
      {"v1alpha1", "schedulerName: s, plugins: {postFilter: {enabled: [{name: NodeAffinity}]}}",
       "preScore: NodeAffinity", "",
       "exact        plugins.postFilter -> plugins.preScore: the extension point was renamed"},
      {"v1alpha2", p + "{unreserve: {enabled: [{name: Mine}]}}}]", "", "",
       "exact        profiles[0].plugins.unreserve: reserve plugins also implement unreserve"},
      {"v1", p + "{scores: {enabled: [{name: Mine}]}}}]", "", "",
       "dropped      profiles[0].plugins.scores: no such extension point"},
      // Plugins that became scoring strategies.
      {"v1beta1",
       p + "{score: {disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: "
           "NodeResourcesMostAllocated, weight: 2}]}}}]",
       "score: NodeResourcesFit=2",
       R"(NodeResourcesFit {"scoringStrategy":{)" + equal + R"(,"type":"MostAllocated"}})",
       "exact        profiles[0].plugins.score.enabled[name=NodeResourcesMostAllocated] -> "
       "plugins.score.enabled[name=NodeResourcesFit], weight 2: now a scoring strategy"},
      {"v1beta1", p + "{score: {disabled: [{name: NodeResourcesLeastAllocated}]}}}]",
       "score: -NodeResourcesFit", "",
       "exact        profiles[0].plugins.score.disabled[name=NodeResourcesLeastAllocated] -> "
       "plugins.score.disabled[name=NodeResourcesFit]"},
      {"v1beta1", p + "{score: {disabled: [{name: NodeResourcesMostAllocated}]}}}]", "", "",
       "exact        profiles[0].plugins.score.disabled[name=NodeResourcesMostAllocated]: it is "
       "not "
       "in the default profile"},
      {"v1beta1",
       "profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: '*'}], enabled: [{name: "
       "RequestedToCapacityRatio}]}},"
       " pluginConfig: [{name: RequestedToCapacityRatio, args: {shape: [{utilization: 0, score: "
       "1}], "
       "resources: [{name: cpu, weight: 3}]}}]}]",
       "score: NodeResourcesFit, -*",
       R"(NodeResourcesFit {"scoringStrategy":{"requestedToCapacityRatio":{"shape":[{"score":1,)"
       R"("utilization":0}]},"resources":[{"name":"cpu","weight":3}],)"
       R"("type":"RequestedToCapacityRatio"}})",
       "exact        profiles[0].pluginConfig[name=RequestedToCapacityRatio] -> scoringStrategy of "
       "NodeResourcesFit"},
      {"v1beta1",
       a + "[{name: NodeResourcesLeastAllocated, args: {resources: [{name: cpu, weight: 3}]}}]}]",
       "",
       R"(NodeResourcesFit {"scoringStrategy":{"resources":[{"name":"cpu","weight":3}],)"
       R"("type":"LeastAllocated"}})",
       "exact        profiles[0].pluginConfig[name=NodeResourcesLeastAllocated]"},
      {"v1beta1",
       a + "[{name: NodeResourcesMostAllocated, args: {resources: [{name: cpu, weight: 3}]}}]}]",
       "", "",
       "dropped      profiles[0].pluginConfig[name=NodeResourcesMostAllocated]: its plugin is not "
       "enabled"},
      {"v1beta1",
       "profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: "
       "NodeResourcesLeastAllocated}], enabled: [{name: "
       "NodeResourcesMostAllocated}]}}, pluginConfig: [{name: NodeResourcesFit, args: "
       "{ignoredResources: [a.com/b]}}]}]",
       "score: NodeResourcesFit",
       R"(NodeResourcesFit {"ignoredResources":["a.com/b"],"scoringStrategy":{)" + equal +
           R"(,"type":"MostAllocated"}})",
       "exact        profiles[0].pluginConfig[name=NodeResourcesFit]"},
      // Merged, renamed or removed plugins.
      {"v1beta1", p + "{filter: {enabled: [{name: EBSLimits}, {name: GCEPDLimits}]}}}]",
       "filter: NodeVolumeLimits", "",
       "approximate  profiles[0].plugins.filter.enabled[name=GCEPDLimits] -> "
       "plugins.filter.enabled[name=NodeVolumeLimits]: in-tree volumes"},
      {"v1beta1", p + "{filter: {disabled: [{name: AzureDiskLimits}]}}}]", "", "",
       "approximate  profiles[0].plugins.filter.disabled[name=AzureDiskLimits]: NodeVolumeLimits"},
      {"v1beta1", p + "{filter: {disabled: [{name: CinderLimits}]}}}]", "", "",
       "exact        profiles[0].plugins.filter.disabled[name=CinderLimits]: it is not in the"},
      {"v1alpha2", p + "{score: {enabled: [{name: DefaultPodTopologySpread, weight: 2}]}}}]",
       "score: SelectorSpread=2", "",
       "-> plugins.score.enabled[name=SelectorSpread], weight 2: renamed to SelectorSpread in"},
      {"v1beta1", p + "{score: {enabled: [{name: SelectorSpread, weight: 1}]}}}]",
       "score: SelectorSpread=1", "", "exact        profiles[0].plugins.score.enabled"},
      {"v1beta2", p + "{score: {disabled: [{name: NodePreferAvoidPods}]}}}]", "", "",
       "dropped      profiles[0].plugins.score.disabled[name=NodePreferAvoidPods]: not a plugin of "
       "v1beta2, only of v1alpha1 to v1beta1: disabling it had no effect"},
      {"v1alpha2", p + "{score: {enabled: [{name: NodeResourceLimits}]}}}]", "", "",
       "dropped      profiles[0].plugins.score.enabled[name=NodeResourceLimits]: an alpha p"},
      {"v1beta1",
       "profiles: [{schedulerName: s, plugins: {filter: {enabled: [{name: NodeLabel}]}}, "
       "pluginConfig: [{name: NodeLabel, args: {presentLabels: [a]}}]}]",
       "filter: NodeLabel", R"(NodeLabel {"presentLabels":["a"]})",
       "exact        profiles[0].pluginConfig[name=NodeLabel]"},
      {"v1beta1",
       "profiles: [{schedulerName: s, pluginConfig: [{name: ServiceAffinity, args: "
       "{affinityLabels: "
       "[a], antiAffinityLabelsPreference: [b]}}]}]",
       "", R"(ServiceAffinity {"affinityLabels":["a"],"antiAffinityLabelsPreference":["b"]})",
       "exact        profiles[0].pluginConfig[name=ServiceAffinity]"},
      {"v1", p + "{preFilter: {enabled: [{name: ImageLocality}]}}}]", "", "",
       "dropped      profiles[0].plugins.preFilter.enabled[name=ImageLocality]: ImageLocality does "
       "not implement preFilter"},
      // Custom constraints implied the type List.
      {"v1beta1",
       a + "[{name: PodTopologySpread, args: {defaultConstraints: [{maxSkew: 1, topologyKey: z, "
           "whenUnsatisfiable: ScheduleAnyway}]}}]}]",
       "",
       R"(PodTopologySpread {"defaultConstraints":[{"maxSkew":1,"topologyKey":"z",)"
       R"("whenUnsatisfiable":"ScheduleAnyway"}],"defaultingType":"List"})",
       "pluginConfig[name=PodTopologySpread].args.defaultConstraints -> with defaultingType List"},
      {"v1beta2",
       a + "[{name: PodTopologySpread, args: {defaultingType: List, defaultConstraints: []}}]}]",
       "", R"(PodTopologySpread {"defaultConstraints":[],"defaultingType":"List"})",
       "exact        profiles[0].pluginConfig[name=PodTopologySpread]"},
      // A queue has one sort plugin.
      {"v1alpha1", "schedulerName: s, plugins: {queueSort: {enabled: [{name: QOSSort}]}}",
       "queueSort: QOSSort, -PrioritySort", "",
       "exact        plugins.queueSort -> plugins.queueSort.disabled[name=PrioritySort]"},
      {"v1", p + "{queueSort: {enabled: [{name: QOSSort}], disabled: [{name: PrioritySort}]}}}]",
       "queueSort: QOSSort, -PrioritySort", "",
       "exact        profiles[0].plugins.queueSort.enabled[name=QOSSort]"},
      {"v1", p + "{queueSort: {enabled: [{name: PrioritySort}]}}}]", "queueSort: PrioritySort", "",
       "exact        profiles[0].plugins.queueSort.enabled[name=PrioritySort]"},
      // Settings that affect all profiles.
      {"v1alpha1", "schedulerName: s, hardPodAffinitySymmetricWeight: 5", "",
       R"(InterPodAffinity {"hardPodAffinityWeight":5})",
       "exact        hardPodAffinitySymmetricWeight -> InterPodAffinity's hardPodAffinityWeight"},
      {"v1alpha2", "disablePreemption: true, profiles: [{schedulerName: s}]",
       "postFilter: -DefaultPreemption", "",
       "exact        disablePreemption -> plugins.postFilter"},
      {"v1alpha2", "bindTimeoutSeconds: 30, profiles: [{schedulerName: s}]", "",
       R"(VolumeBinding {"bindTimeoutSeconds":30})", "exact        bindTimeoutSeconds -> "},
      {"v1alpha1", "schedulerName: s, algorithmSource: {provider: DefaultProvider}", "", "",
       "exact        algorithmSource.provider: the default profile"},
      {"v1alpha1", "schedulerName: s, algorithmSource: {provider: ClusterAutoscalerProvider}", "",
       R"(NodeResourcesFit {"scoringStrategy":{)" + equal + R"(,"type":"MostAllocated"}})",
       "approximate  algorithmSource.provider -> NodeResourcesFit's scoringStrategy MostAllocated"},
  };
  for (const ProfileCase& row : rows) {
    SCOPED_TRACE(row.version + " " + row.members);
    const Conversion conversion = ConversionOf(ConfigOf(row.version, row.members));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(profile.metadata.name, "s");
    EXPECT_EQ(ListsOf(profile.spec), row.lists);
    EXPECT_EQ(ArgsIn(profile.spec), row.args);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

TEST(Configuration, ReportsAnOutcomeForEachField) {
  const FieldCase rows[] = {
      {"percentageOfNodesToScore: 40",
       "exact        percentageOfNodesToScore -> spec.percentageOfNodesToScore"},
      {"percentageOfNodesToScore: 0",
       "approximate  percentageOfNodesToScore -> spec.percentageOfNodesToScore: 0 meant a "
       "percentage"},
      {"podInitialBackoffSeconds: 2", "exact        podInitialBackoffSeconds -> "},
      {"podMaxBackoffSeconds: 20", "exact        podMaxBackoffSeconds -> "},
      {"leaderElection: {leaderElect: false}", "exact        leaderElection.leaderElect -> "},
      {"leaderElection: {leaseDuration: 30s, renewDeadline: 20s, retryPeriod: 5s}",
       "exact        leaderElection.renewDeadline -> spec.leaderElection.renewDeadline"},
      {"leaderElection: {resourceName: x}",
       "dropped      leaderElection.resourceName: the operator sets"},
      {"leaderElection: {lockObjectName: x}",
       "dropped      leaderElection.lockObjectName: not a field of v1beta2, only of v1alpha1"},
      {"leaderElection: {resourceLock: leases}", "dropped      leaderElection.resourceLock: "},
      {"clientConnection: {qps: 5}", "dropped      clientConnection: the operator configures"},
      {"healthzBindAddress: x", "dropped      healthzBindAddress: the operator configures"},
      {"metricsBindAddress: x", "dropped      metricsBindAddress: the operator configures"},
      {"enableProfiling: true", "dropped      enableProfiling: "},
      {"enableContentionProfiling: true", "dropped      enableContentionProfiling: "},
      {"parallelism: 4", "dropped      parallelism: one thread evaluates all nodes"},
      {"delayCacheUntilActive: true",
       "dropped      delayCacheUntilActive: not a field of v1beta2, only of v1"},
      {"featureGates: {A: true}", "dropped      featureGates: unknown field"},
      {"extenders: [{urlPrefix: 'http://e', httpTimeout: 5s}]",
       "exact        extenders[0] -> extenders[urlPrefix=http://e] with httpTimeout 5s"},
  };
  for (const FieldCase& row : rows) {
    SCOPED_TRACE(row.members);
    const Conversion conversion = ConversionOf(ConfigOf("v1beta2", row.members));
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(conversion.profiles[0].profile), "");
  }
}

TEST(Configuration, CopiesValues) {
  const Conversion conversion = ConversionOf(ConfigOf(
      "v1",
      "podInitialBackoffSeconds: 2, podMaxBackoffSeconds: 20, percentageOfNodesToScore: 40, "
      "leaderElection: {leaderElect: true, leaseDuration: 30s, renewDeadline: 20s, retryPeriod: "
      "5s}, profiles: [{schedulerName: a}, {schedulerName: b, percentageOfNodesToScore: 70}]"));
  ASSERT_EQ(conversion.profiles.size(), 2U);
  const crds::SchedulerProfileSpec& a = conversion.profiles[0].profile.spec;
  const crds::SchedulerProfileSpec& b = conversion.profiles[1].profile.spec;
  EXPECT_EQ(a.pod_initial_backoff_seconds, 2);
  EXPECT_EQ(b.pod_max_backoff_seconds, 20);
  EXPECT_EQ(a.percentage_of_nodes_to_score, 40);
  EXPECT_EQ(b.percentage_of_nodes_to_score, 70);
  EXPECT_EQ(b.leader_election.lease_duration.ToString(), "30s");
  EXPECT_EQ(b.leader_election.renew_deadline.ToString(), "20s");
  EXPECT_EQ(b.leader_election.retry_period.ToString(), "5s");
}

TEST(Configuration, MergesEqualProfilesIntoOneWithAliases) {
  const Conversion conversion = ConversionOf(
      ConfigOf("v1",
               "profiles: [{schedulerName: a}, {schedulerName: b}, {schedulerName: c, plugins: "
               "{score: {disabled: [{name: ImageLocality}]}}}, {schedulerName: My.Own}]"));
  ASSERT_EQ(conversion.profiles.size(), 2U);
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "a");
  EXPECT_THAT(conversion.profiles[0].profile.spec.aliases, testing::ElementsAre("b", "My.Own"));
  EXPECT_EQ(conversion.profiles[1].profile.metadata.name, "c");
}

TEST(Configuration, TurnsInvalidProfileNamesIntoAliases) {
  const auto profile = [](const std::string& name, const Options& options) {
    return ConversionOf(ConfigOf("v1", "profiles: [{schedulerName: " + name + "}]"), options)
        .profiles[0]
        .profile;
  };
  EXPECT_EQ(profile("My.Scheduler", {.source = "f"}).metadata.name, "my-scheduler");
  EXPECT_THAT(profile("My.Scheduler", {.source = "f"}).spec.aliases,
              testing::ElementsAre("My.Scheduler"));
  EXPECT_EQ(profile("default-scheduler", {.source = "old.yaml"}).metadata.name, "old");
  EXPECT_TRUE(profile("default-scheduler", {.source = "old.yaml"}).spec.aliases.empty());
  EXPECT_EQ(profile("mine", {.source = "f", .name = "other"}).metadata.name, "other");
  EXPECT_THAT(profile("mine", {.source = "f", .name = "other"}).spec.aliases,
              testing::ElementsAre("mine"));
  EXPECT_EQ(ErrorOf(ConfigOf("v1",
                             "profiles: [{schedulerName: a}, {schedulerName: b, "
                             "percentageOfNodesToScore: 5}]"),
                    {.source = "f", .name = "x"}),
            "f: --name allows only one profile, but the file converts to 2: leave it out");
}

TEST(Configuration, ReportsChangedDefaults) {
  const auto report = [](const std::string& version, const std::string& plugins) {
    return ReportOf(ConversionOf(
        ConfigOf(version, "profiles: [{schedulerName: s, plugins: {" + plugins + "}}]")));
  };
  EXPECT_THAT(
      report("v1beta2", ""),
      HasSubstr("approximate  profiles[0].(default profile) TaintToleration -> weight 3: it was "
                "weight 1; spec.plugins.score.enabled: [{name: TaintToleration, weight: 1}] "
                "restores it"));
  EXPECT_THAT(report("v1beta2", ""), Not(HasSubstr("NodePreferAvoidPods")));
  EXPECT_THAT(report("v1beta1", ""),
              HasSubstr("(default profile) NodePreferAvoidPods -> not included"));
  EXPECT_THAT(report("v1alpha2", ""),
              HasSubstr("(default profile) SelectorSpread -> not included"));
  EXPECT_THAT(report("v1beta3", ""), Not(HasSubstr("(default profile)")));
  EXPECT_THAT(report("v1", ""), Not(HasSubstr("(default profile)")));
  EXPECT_THAT(report("v1beta2", "score: {disabled: [{name: TaintToleration}]}"),
              Not(HasSubstr("(default profile) TaintToleration")));
  EXPECT_THAT(report("v1beta2", "score: {enabled: [{name: TaintToleration, weight: 2}]}"),
              Not(HasSubstr("(default profile) TaintToleration")));
  EXPECT_THAT(report("v1beta2", "score: {disabled: [{name: '*'}]}"),
              Not(HasSubstr("(default profile)")));
}

TEST(Configuration, KeepsCustomPlugins) {
  const Conversion conversion = ConversionOf(
      ConfigOf("v1beta1",
               "profiles: [{schedulerName: s, plugins: {score: {enabled: [{name: Mine, "
               "weight: 2}]}}, pluginConfig: [{name: Mine, args: {device_name: a}}]}]"));
  const crds::SchedulerProfileSpec& spec = conversion.profiles[0].profile.spec;
  EXPECT_EQ(ListsOf(spec), "score: Mine=2");
  EXPECT_EQ(ArgsIn(spec), R"(Mine {"device_name":"a"})");
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("approximate  profiles[0].plugins.score.enabled[name=Mine] -> "
                        "plugins.score.enabled[name=Mine], weight 2: a custom plugin"));
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("approximate  profiles[0].pluginConfig[name=Mine] -> "
                        "pluginConfig[name=Mine]: a custom plugin: its arguments are not"));
}

// The image of a custom plugin has the plugins of its kube-scheduler's version.
TEST(Configuration, DropsUnknownNamesBesideCustomPlugins) {
  const Conversion conversion = ConversionOf(
      ConfigOf("v1beta3",
               "profiles: [{schedulerName: s, plugins: {score: {disabled: [{name: "
               "NodeResourcesLeastAllocated}], enabled: [{name: Mine}, {name: NodeLabel}, {name: "
               "NodeResourcesMostAllocated, weight: 2}]}}}]"));
  EXPECT_EQ(ListsOf(conversion.profiles[0].profile.spec), "score: Mine");
  for (const char* name : {"enabled[name=NodeLabel]", "enabled[name=NodeResourcesMostAllocated]",
                           "disabled[name=NodeResourcesLeastAllocated]"}) {
    EXPECT_THAT(ReportOf(conversion), HasSubstr("dropped      profiles[0].plugins.score." +
                                                std::string(name) + ": not a plugin of v1beta3"));
  }
}

TEST(Configuration, CorrectsSpellingsOfNetworkTraffic) {
  const Conversion conversion = ConversionOf(ConfigOf(
      "v1",
      "profiles: [{schedulerName: s, plugins: {score: {enabled: [{name: network_traffic}]}}, "
      "pluginConfig: [{name: network_traffic, args: {ip: 'p.ns:9090', device_name: eth0, "
      "time_range: 3}}]}]"));
  const crds::SchedulerProfileSpec& spec = conversion.profiles[0].profile.spec;
  EXPECT_EQ(ListsOf(spec), "score: NetworkTraffic");
  EXPECT_EQ(ArgsIn(spec),
            R"(NetworkTraffic {"address":"p.ns.svc:9090","deviceName":"eth0","timeRange":"3m"})");
  const std::string at = "profiles[0].pluginConfig[name=network_traffic].args.";
  const std::string report = ReportOf(conversion);
  EXPECT_THAT(report, HasSubstr("exact        " + at + "ip -> address"));
  EXPECT_THAT(report, HasSubstr("exact        " + at + "device_name -> deviceName"));
  EXPECT_THAT(report, HasSubstr("exact        " + at + "time_range -> timeRange"));
  EXPECT_THAT(report, HasSubstr("approximate  " + at + "address -> p.ns.svc:9090"));
  EXPECT_THAT(report, HasSubstr("exact        " + at + "timeRange -> \"3m\": a bare number"));
}

TEST(Configuration, KeepsValidArgumentsOfNetworkTraffic) {
  const char* const kept[] = {
      R"({"address":"http://p.ns.svc:9090","deviceName":"eth0","timeRange":"90s"})",
      R"({"address":"https://prometheus.example.com","deviceName":"eth0"})",
      R"({"address":"10.0.0.1:9090","deviceName":"eth0"})",
      R"({"address":"p:9090","deviceName":"eth0"})",
  };
  for (const char* const args : kept) {
    const Conversion conversion =
        ConversionOf(ConfigOf("v1",
                              "profiles: [{schedulerName: s, plugins: {score: {enabled: [{name: "
                              "NetworkTraffic}]}}, pluginConfig: [{name: NetworkTraffic, args: " +
                                  std::string(args) + "}]}]"));
    EXPECT_EQ(ArgsIn(conversion.profiles[0].profile.spec), "NetworkTraffic " + std::string(args));
  }
}

TEST(Configuration, ReportsThePercentageWhereItIs) {
  const auto report = [](const std::string& version, const std::string& profiles) {
    return ReportOf(ConversionOf(
        ConfigOf(version, "percentageOfNodesToScore: 50, profiles: [" + profiles + "]")));
  };
  const std::string own = "{schedulerName: a, percentageOfNodesToScore: 10}";
  const std::string field = "percentageOfNodesToScore";
  EXPECT_THAT(report("v1beta3", own),
              AllOf(HasSubstr("dropped      profiles[0]." + field + ": not a field of v1beta3"),
                    HasSubstr("exact        " + field + " -> spec." + field),
                    Not(HasSubstr("exact        profiles[0]"))));
  EXPECT_THAT(report("v1", own),
              AllOf(HasSubstr("dropped      " + field + ": each profile has its own"),
                    HasSubstr("exact        profiles[0]." + field + " -> spec." + field)));
  EXPECT_THAT(report("v1", own + ", {schedulerName: b}"),
              AllOf(HasSubstr("exact        " + field + " -> spec." + field),
                    HasSubstr("exact        profiles[0]." + field + " -> spec." + field),
                    Not(HasSubstr("profiles[1]." + field))));
}

// Source: kube-scheduler pkg/scheduler/apis/config/validation/validation.go.
TEST(Configuration, RejectsSharedAndMissingSchedulerNames) {
  const auto error = [](const std::string& profiles) {
    return ErrorOf(ConfigOf("v1", "profiles: [" + profiles + "]"));
  };
  EXPECT_EQ(error("{schedulerName: a}, {schedulerName: b}, {schedulerName: a}"),
            "file.yaml: profiles[2].schedulerName: Duplicate value: \"a\": it is also "
            "profiles[0].schedulerName");
  EXPECT_EQ(error("{percentageOfNodesToScore: 5}, {schedulerName: b}"),
            "file.yaml: profiles[0].schedulerName: Required value: each of several profiles "
            "needs one");
  EXPECT_EQ(error("{percentageOfNodesToScore: 5}"), "");
}

TEST(Configuration, RejectsInvalidConfigurations) {
  const FieldCase rows[] = {
      {"{apiVersion: kubescheduler.config.k8s.io/v2, kind: KubeSchedulerConfiguration}",
       "file.yaml: apiVersion: found \"kubescheduler.config.k8s.io/v2\", allowed: "
       "kubescheduler.config.k8s.io/ with one of v1alpha1, v1alpha2, v1beta1, v1beta2, v1beta3, "
       "v1"},
      {ConfigOf("v1", "profiles: [{schedulerName: s, pluginConfig: [{name: A, args: [1]}]}]"),
       "file.yaml: profiles[0].pluginConfig[name=A].args: document: expected an object"},
      {ConfigOf("v1", "profiles: {}"), "file.yaml: profiles: expected a list, found an object"},
      {ConfigOf("v1", "leaderElection: {leaseDuration: 5}"),
       "file.yaml: leaderElection.leaseDuration: expected a string"},
  };
  for (const FieldCase& row : rows) {
    EXPECT_THAT(ErrorOf(row.members), HasSubstr(row.finding));
  }
}

}  // namespace
}  // namespace berth::convert
