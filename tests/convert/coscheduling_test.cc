// SPDX-License-Identifier: Apache-2.0
#include "convert/coscheduling.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Converts a configuration with one profile: its `plugins` and the arguments of Coscheduling.
Conversion ProfileOf(const std::string& version, const std::string& plugins,
                     const std::string& args = "{}") {
  return ConversionOf("{apiVersion: kubescheduler.config.k8s.io/" + version +
                      ", kind: KubeSchedulerConfiguration, profiles: [{schedulerName: gangs, "
                      "plugins: " +
                      plugins + ", pluginConfig: [{name: Coscheduling, args: " + args + "}]}]}");
}

constexpr const char* kEverywhere =
    "{multiPoint: {enabled: [{name: Coscheduling}]}, queueSort: {enabled: [{name: Coscheduling}], "
    "disabled: [{name: '*'}]}}";

TEST(CoschedulingTest, ConvertsPluginLists) {
  struct Row {
    const char* version;
    const char* plugins;
    const char* lists;
    const char* finding;
  };
  const Row rows[] = {
      // As in the manifests of scheduler-plugins.
      {"v1", kEverywhere, "queueSort: Coscheduling, -*; multiPoint: Coscheduling",
       "exact        profiles[0].plugins.multiPoint.enabled[name=Coscheduling] -> "
       "plugins.multiPoint.enabled[name=Coscheduling]"},
      {"v1", "{multiPoint: {enabled: [{name: Coscheduling}], disabled: [{name: PrioritySort}]}}",
       "multiPoint: Coscheduling, -PrioritySort",
       "exact        profiles[0].plugins.multiPoint.disabled[name=PrioritySort]"},
      // Two sort plugins.
      {"v1", "{multiPoint: {enabled: [{name: Coscheduling}]}}",
       "queueSort: -PrioritySort; multiPoint: Coscheduling",
       "exact        profiles[0].plugins.queueSort -> "
       "plugins.queueSort.disabled[name=PrioritySort]: a queue has only one sort plugin, and "
       "Coscheduling is it"},
      // Single points, as before multiPoint existed.
      {"v1beta2",
       "{queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: '*'}]}, "
       "preFilter: {enabled: [{name: Coscheduling}]}, permit: {enabled: [{name: Coscheduling}]}, "
       "postFilter: {enabled: [{name: Coscheduling}]}, reserve: {enabled: [{name: Coscheduling}]}, "
       "postBind: {enabled: [{name: Coscheduling}]}}",
       "queueSort: Coscheduling, -*; preFilter: Coscheduling; permit: Coscheduling",
       "dropped      profiles[0].plugins.reserve.enabled[name=Coscheduling]: Coscheduling does not "
       "implement reserve"},
      {"v1alpha2",
       "{queueSort: {enabled: [{name: Coscheduling}]}, permit: {enabled: [{name: Coscheduling}]}, "
       "unreserve: {enabled: [{name: Coscheduling}]}}",
       "queueSort: Coscheduling, -PrioritySort; permit: Coscheduling",
       "exact        profiles[0].plugins.unreserve: reserve plugins also implement unreserve"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.plugins);
    const Conversion conversion = ProfileOf(row.version, row.plugins);
    const crds::SchedulerProfile& profile = conversion.profiles.at(0).profile;
    EXPECT_EQ(ListsOf(profile.spec), row.lists);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

TEST(CoschedulingTest, KeepsSupportedArguments) {
  const Conversion conversion = ProfileOf(
      "v1", kEverywhere,
      "{apiVersion: kubescheduler.config.k8s.io/v1, kind: CoschedulingArgs, "
      "permitWaitingTimeSeconds: 10, podGroupBackoffSeconds: 5, podGroupRejectPercentage: 20}");
  const crds::SchedulerProfile& profile = conversion.profiles.at(0).profile;
  EXPECT_EQ(ArgsIn(profile.spec),
            R"(Coscheduling {"permitWaitingTimeSeconds":10,"podGroupBackoffSeconds":5})");
  EXPECT_EQ(ErrorsIn(profile), "");
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("dropped      profiles[0].pluginConfig[name=Coscheduling].args."
                        "podGroupRejectPercentage: a group is placed in one cycle"));
}

TEST(CoschedulingTest, DropsArgumentsOfOldVersions) {
  const Conversion conversion =
      ProfileOf("v1beta1", kEverywhere,
                "{permitWaitingTimeSeconds: 10, deniedPGExpirationTimeSeconds: 3, "
                "kubeMaster: 'https://10.0.0.1', kubeConfigPath: /etc/kubernetes/scheduler.conf, "
                "podGroupGCIntervalSeconds: 30, podGroupExpirationTimeSeconds: 600}");
  const crds::SchedulerProfile& profile = conversion.profiles.at(0).profile;
  EXPECT_EQ(ArgsIn(profile.spec), R"(Coscheduling {"permitWaitingTimeSeconds":10})");
  EXPECT_EQ(ErrorsIn(profile), "");
  const std::string report = ReportOf(conversion);
  const std::string at = "dropped      profiles[0].pluginConfig[name=Coscheduling].args.";
  EXPECT_THAT(report, HasSubstr(at + "deniedPGExpirationTimeSeconds: the backoff of a rejected "
                                     "group"));
  EXPECT_THAT(report, HasSubstr(at + "kubeMaster: the operator configures"));
  EXPECT_THAT(report, HasSubstr(at + "kubeConfigPath: the operator configures"));
  EXPECT_THAT(report, HasSubstr(at + "podGroupGCIntervalSeconds: groups were"));
  EXPECT_THAT(report, HasSubstr(at + "podGroupExpirationTimeSeconds: groups were"));
}

TEST(CoschedulingTest, ReportsUnknownArguments) {
  const Conversion conversion = ProfileOf("v1", kEverywhere, "{podGroupBackoff: 5}");
  EXPECT_THAT(ErrorsIn(conversion.profiles.at(0).profile), HasSubstr("podGroupBackoff"));
  EXPECT_THAT(ReportOf(conversion), Not(HasSubstr("dropped")));
}

// If another plugin needs the image, Coscheduling also stays in the image.
TEST(CoschedulingTest, StaysInTheImageIfAnotherPluginNeedsIt) {
  const Conversion conversion = ConversionOf(R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: gangs, namespace: kube-system}
data:
  config.yaml: |
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    profiles:
    - schedulerName: quotas
      plugins:
        multiPoint: {enabled: [{name: Coscheduling}, {name: CapacityScheduling}]}
        queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}
        postFilter: {enabled: [{name: Coscheduling}]}
      pluginConfig:
      - {name: Coscheduling, args: {podGroupRejectPercentage: 0}}
    - schedulerName: gangs
      plugins:
        multiPoint: {enabled: [{name: Coscheduling}]}
        postFilter: {enabled: [{name: Coscheduling}]}
      pluginConfig:
      - {name: Coscheduling, args: {podGroupRejectPercentage: 0}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: gangs, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: scheduler
        image: registry.k8s.io/scheduler-plugins/kube-scheduler:v0.34.7
        command: [kube-scheduler, --config=/etc/berth/config.yaml]
        volumeMounts: [{name: config, mountPath: /etc/berth}]
      volumes: [{name: config, configMap: {name: gangs}}]
)");
  const crds::SchedulerProfileSpec& kept = conversion.profiles.at(0).profile.spec;
  EXPECT_EQ(kept.engine.image, "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.34.7");
  EXPECT_EQ(ListsOf(kept),
            "queueSort: Coscheduling, -*; postFilter: Coscheduling; "
            "multiPoint: Coscheduling, CapacityScheduling");
  EXPECT_EQ(ArgsIn(kept), R"(Coscheduling {"podGroupRejectPercentage":0})");
  EXPECT_THAT(ReportOf(conversion), HasSubstr("kept for CapacityScheduling, which this"));
  // Separate profiles use Berth's plugin.
  const crds::SchedulerProfileSpec& ours = conversion.profiles.at(1).profile.spec;
  EXPECT_EQ(ours.engine.image, "");
  EXPECT_EQ(ListsOf(ours), "queueSort: -PrioritySort; multiPoint: Coscheduling");
  EXPECT_EQ(ArgsIn(ours), "Coscheduling {}");
  for (const Converted& converted : conversion.profiles) {
    EXPECT_EQ(ErrorsIn(converted.profile), "");
  }
}

}  // namespace
}  // namespace berth::convert
