// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/unserved.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::Everything;
using ::testing::HasSubstr;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using testing::TestCluster;
using testing::WithBasics;

EffectivePlugins Missing(std::vector<std::string> filters) {
  EffectivePlugins plugins;
  plugins.missing_filters = std::move(filters);
  return plugins;
}

PodBuilder With(const std::function<void(api::PodSpec&)>& change) {
  PodBuilder pod = MakePod("p");
  change(pod.raw().spec);
  return pod;
}

api::Volume ClaimVolume() {
  api::Volume volume;
  volume.persistent_volume_claim.emplace().claim_name = "c";
  return volume;
}

struct Case {
  const char* plugin;
  const char* field;
  PodBuilder pod;
};

std::vector<Case> Cases() {
  return {
      {"VolumeBinding", "spec.volumes[0].persistentVolumeClaim",
       With([](api::PodSpec& spec) { spec.volumes.push_back(ClaimVolume()); })},
      {"VolumeZone", "spec.volumes[0].persistentVolumeClaim",
       With([](api::PodSpec& spec) { spec.volumes.push_back(ClaimVolume()); })},
      {"VolumeBinding", "spec.volumes[0].ephemeral",
       With([](api::PodSpec& spec) { spec.volumes.emplace_back().ephemeral.emplace(); })},
      {"NodeVolumeLimits", "spec.volumes[0].csi",
       With([](api::PodSpec& spec) { spec.volumes.emplace_back().csi.emplace(); })},
      {"VolumeRestrictions", "spec.volumes[0].rbd",
       With([](api::PodSpec& spec) { spec.volumes.emplace_back().rbd.emplace(); })},
      {"NodeDeclaredFeatures", "spec.hostUsers", With([](api::PodSpec& spec) {
         spec.host_network = true;
         spec.host_users = false;
       })},
      {"NodeDeclaredFeatures", "spec.containers[0].restartPolicyRules",
       With([](api::PodSpec& spec) {
         spec.containers.emplace_back().restart_policy_rules.push_back({"RestartAllContainers"});
       })},
  };
}

TEST(RejectUnserved, HoldsBackAPodThatNeedsAMissingPlugin) {
  TestCluster cluster;
  for (const Case& each : Cases()) {
    const auto pod = each.pod.Info(cluster.words());
    const Status status = RejectUnserved(*pod, Missing({each.plugin}));
    EXPECT_EQ(status.code, Code::kUnschedulableAndUnresolvable) << each.field;
    EXPECT_EQ(status.plugin, each.plugin);
    EXPECT_THAT(status.Message(), HasSubstr(each.field));
    EXPECT_THAT(status.Message(),
                HasSubstr(std::string(each.plugin) + ", which is not served by this version"));
  }
}

TEST(RejectUnserved, HoldsNothingBackWhenThePluginIsServedOrDisabled) {
  TestCluster cluster;
  for (const Case& each : Cases()) {
    const auto pod = each.pod.Info(cluster.words());
    EXPECT_TRUE(RejectUnserved(*pod, Missing({})).ok());
    EXPECT_TRUE(RejectUnserved(*pod, Missing({"ImageLocality"})).ok());
  }
}

TEST(RejectUnserved, AVolumeThatNoPluginLooksAtHoldsNothingBack) {
  TestCluster cluster;
  const auto pod = With([](api::PodSpec& spec) {
                     spec.volumes.emplace_back().empty_dir.emplace();
                   }).Info(cluster.words());
  EXPECT_TRUE(RejectUnserved(*pod, Missing({"VolumeBinding"})).ok());
}

TEST(SchedulePod, AHeldBackPodIsExplainedAndBlamedOnThePlugin) {
  TestCluster cluster;
  cluster.Add(MakeNode("n"));
  const Registry registry = WithBasics({});
  api::KubeSchedulerProfile spec = Everything(registry);
  spec.plugins.multi_point.disabled
      .clear();  // upstream's defaults, none of which this registry serves
  spec.plugins.queue_sort.disabled = {{"PrioritySort"}};
  const auto profile = Profile::Create(spec, 0, registry, cluster.handle());
  ASSERT_TRUE(profile) << profile.error().message();
  const auto pod =
      With([](api::PodSpec& s) { s.volumes.push_back(ClaimVolume()); }).Info(cluster.words());
  CycleState state;
  size_t start = 0;
  const Nominator nobody;
  const Outcome outcome = SchedulePod({.profile = **profile,
                                       .snapshot = cluster.snapshot(),
                                       .pod = *pod,
                                       .nominated = nobody,
                                       .start = start},
                                      state);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kUnschedulable);
  EXPECT_EQ(FitErrorText(outcome),
            "0/1 nodes are available: spec.volumes[0].persistentVolumeClaim needs the plugin "
            "VolumeBinding, which is not served by this version.");
  EXPECT_THAT((*profile)->NamesOf(outcome.unschedulable_plugins),
              ::testing::ElementsAre("VolumeBinding"));
}

}  // namespace
}  // namespace berth::scheduler
