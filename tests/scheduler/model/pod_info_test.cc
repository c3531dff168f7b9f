// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_info.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;

constexpr int64_t kMi = 1024 * 1024;

class PodInfoTest : public ::testing::Test {
 protected:
  std::shared_ptr<const PendingPod> Info(const PodBuilder& pod) { return pod.Info(words_); }

  Vocabulary words_;
};

TEST_F(PodInfoTest, HasTheIdentityOfThePod) {
  const auto pod = Info(MakePod("a").Namespace("ns").Priority(7).OnNode("n").Terminating());
  EXPECT_EQ(pod->Key(), "ns/a");
  EXPECT_EQ(pod->uid(), "uid-a");
  EXPECT_EQ(pod->priority(), 7);
  EXPECT_EQ(pod->node_name(), "n");
  EXPECT_TRUE(pod->terminating());
  EXPECT_EQ(pod->deletion_time(), *Time::Parse("2026-01-01T00:00:00Z"));
  EXPECT_EQ(Info(MakePod("b"))->priority(), 0);
  EXPECT_FALSE(Info(MakePod("b"))->terminating());
}

TEST_F(PodInfoTest, DistinguishesRequestsFromAccounted) {
  const auto pod = Info(MakePod("a").Requests("cpu=1,memory=1Gi").InPlace("cpu=3", "cpu=2"));
  EXPECT_EQ(pod->requests().milli_cpu, 1000);
  EXPECT_EQ(pod->accounted().milli_cpu, 3000);
  EXPECT_EQ(pod->accounted().memory, 1024 * kMi);
  EXPECT_EQ(pod->non_zero_milli_cpu(), 3000);
}

TEST_F(PodInfoTest, CountsDefaultsForContainersWithoutRequests) {
  const auto silent = Info(MakePod("a").Requests("").Requests("cpu=1"));
  EXPECT_EQ(silent->accounted().memory, 0);
  EXPECT_EQ(silent->non_zero_milli_cpu(), 1100);
  EXPECT_EQ(silent->non_zero_memory(), 400 * kMi);
  const auto zero = Info(MakePod("b").Requests("cpu=0,memory=0"));
  EXPECT_EQ(zero->non_zero_milli_cpu(), 0) << "an explicit 0 is not replaced";
}

TEST_F(PodInfoTest, CountsDefaultsOnlyForResourcesUnsetAtBothLevels) {
  const auto cpu_only = Info(MakePod("a").Requests("").Requests("").PodLevel("cpu=3"));
  EXPECT_EQ(cpu_only->non_zero_milli_cpu(), 3000);
  EXPECT_EQ(cpu_only->non_zero_memory(), 400 * kMi);
  const auto one_names_memory =
      Info(MakePod("b").Requests("memory=1Mi").Requests("").PodLevel("cpu=3"));
  EXPECT_EQ(one_names_memory->non_zero_memory(), 1 * kMi);
}

TEST_F(PodInfoTest, NormalizesHostPorts) {
  const auto pod = Info(MakePod("a")
                            .HostPort(80)
                            .HostPort(0)
                            .HostPort(81, "UDP", "10.0.0.1")
                            .SidecarHostPort(82)
                            .InitHostPort(83));
  const std::vector<HostPort> expected = {
      {"0.0.0.0", "TCP", 82}, {"0.0.0.0", "TCP", 80}, {"10.0.0.1", "UDP", 81}};
  EXPECT_EQ(pod->host_ports(), expected);
}

TEST_F(PodInfoTest, HasTheAffinitiesOfThePod) {
  EXPECT_FALSE(Info(MakePod("none"))->HasAffinity());
  EXPECT_FALSE(Info(MakePod("node").EmptyRequiredAffinity())->HasAffinity());
  PodBuilder pod = MakePod("anti");
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit();
  EXPECT_TRUE(Info(pod)->HasAffinity());
  EXPECT_TRUE(Info(pod)->anti_affinity().required.empty());
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required.push_back(
      {.topology_key = "zone"});
  EXPECT_FALSE(Info(pod)->anti_affinity().required.empty());
}

TEST_F(PodInfoTest, AssumedPodIsACopyOnItsNode) {
  const auto pending = Info(MakePod("a").Requests("cpu=1").HostPort(80));
  const auto assumed = pending->AssumedOn(words_.Intern("n"));
  EXPECT_EQ(assumed->node_name(), "n");
  EXPECT_EQ(pending->node_name(), "") << "the pod in the queue is unchanged";
  EXPECT_EQ(assumed->uid(), pending->uid());
  EXPECT_EQ(assumed->accounted(), pending->accounted());
  EXPECT_EQ(assumed->host_ports(), pending->host_ports());
  EXPECT_EQ(&assumed->pod(), &pending->pod()) << "the object is shared and still has no node";
}

TEST_F(PodInfoTest, PlacedPodKeepsItsDataWithoutTheObject) {
  auto builder = MakePod("a")
                     .Namespace("ns")
                     .Priority(7)
                     .OnNode("n")
                     .Nominated("m")
                     .Label("app", "db")
                     .Requests("cpu=1,memory=1Gi,example.com/gpu=2")
                     .InPlace("cpu=3", "cpu=2")
                     .HostPort(80)
                     .Toleration("t");
  api::Pod& raw = builder.raw();
  raw.metadata.resource_version = "42";
  raw.status.start_time = *Time::Parse("2026-01-01T00:00:00Z");
  raw.spec.scheduling_group.Edit().pod_group_name = "gang";
  raw.spec.resource_claims = {{.name = "claim"}};
  raw.spec.affinity.Edit().pod_affinity.Edit().required = {{.topology_key = "zone"}};
  const auto pod = builder.Placed(words_);
  EXPECT_EQ(pod->pending(), nullptr);
  EXPECT_EQ(pod->Key(), "ns/a");
  EXPECT_EQ(pod->uid(), "uid-a");
  EXPECT_EQ(pod->resource_version(), "42");
  EXPECT_EQ(pod->node_name(), "n");
  EXPECT_EQ(pod->priority(), 7);
  EXPECT_EQ(pod->start_time(), raw.status.start_time);
  EXPECT_EQ(pod->labels().Value(words_.Find("app")), words_.Find("db"));
  EXPECT_EQ(pod->requests().milli_cpu, 1000);
  EXPECT_EQ(pod->requests().Scalar(words_.Find("example.com/gpu")), 2);
  EXPECT_EQ(pod->accounted().milli_cpu, 3000);
  EXPECT_EQ(pod->host_ports().size(), 1u);
  EXPECT_EQ(pod->toleration_count(), 1u);
  EXPECT_EQ(pod->pod_group(), "gang");
  EXPECT_EQ(pod->extras().resource_claims.size(), 1u);
  EXPECT_EQ(pod->affinity().required.at(0).topology_key, "zone");
  EXPECT_TRUE(pod->HasAffinity());
  EXPECT_TRUE(pod->anti_affinity().required.empty());
}

TEST_F(PodInfoTest, KeepsVolumesThatPluginsCountOrCompare) {
  auto builder = MakePod("a").OnNode("n");
  auto& volumes = builder.raw().spec.volumes;
  volumes.resize(4);
  volumes[0].name = "token";
  volumes[0].projected.emplace();
  volumes[1].name = "data";
  volumes[1].persistent_volume_claim.emplace().claim_name = "data";
  volumes[2].name = "scratch";
  volumes[2].ephemeral.emplace().volume_claim_template.text = R"({"spec":{}})";
  volumes[3].name = "config";
  volumes[3].config_map.emplace();
  const auto pod = builder.Placed(words_);
  ASSERT_EQ(pod->volumes().size(), 2u);
  EXPECT_EQ(pod->volumes()[0].persistent_volume_claim->claim_name, "data");
  EXPECT_EQ(pod->volumes()[1].name, "scratch");
  EXPECT_EQ(pod->volumes()[1].ephemeral->volume_claim_template.text, "");
}

TEST_F(PodInfoTest, ReportsAnEviction) {
  auto builder = MakePod("a").OnNode("n");
  builder.raw().status.conditions = {
      {.type = "DisruptionTarget", .status = "True", .reason = "EvictionByEvictionAPI"}};
  EXPECT_FALSE(builder.Placed(words_)->being_evicted()) << "not deleted yet";
  EXPECT_TRUE(builder.Terminating().Placed(words_)->being_evicted());
  EXPECT_FALSE(builder.Placed(words_)->being_preempted());
}

TEST_F(PodInfoTest, ReportsAPreemption) {
  auto builder = MakePod("a").OnNode("n");
  builder.raw().status.conditions = {
      {.type = "DisruptionTarget", .status = "True", .reason = "PreemptionByScheduler"}};
  EXPECT_FALSE(builder.Placed(words_)->being_preempted()) << "not deleted yet";
  EXPECT_TRUE(builder.Terminating().Placed(words_)->being_preempted());
  EXPECT_FALSE(MakePod("b").OnNode("n").Terminating().Placed(words_)->being_preempted());
}

TEST_F(PodInfoTest, HoldsItsStringsWhileItLives) {
  MakePod("a").Label("app", "db").Requests("example.com/gpu=1").OnNode("n").Placed(words_);
  EXPECT_EQ(words_.size(), 1u);
}

TEST_F(PodInfoTest, OnlyPendingPodsHaveAnObject) {
  const auto waiting = Info(MakePod("a").Nominated("n"));
  const PodInfo& any = *waiting;
  ASSERT_NE(any.pending(), nullptr);
  EXPECT_EQ(any.pending()->nominated_node_name(), "n");
  EXPECT_EQ(MakePod("a").OnNode("n").Placed(words_)->pending(), nullptr);
}

}  // namespace
}  // namespace berth::scheduler
