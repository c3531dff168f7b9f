// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/pod_info.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;

constexpr int64_t kMi = 1024 * 1024;

class PodInfoTest : public ::testing::Test {
 protected:
  std::shared_ptr<const PodInfo> Info(const PodBuilder& pod) { return pod.Info(words_); }

  Vocabulary words_;
};

TEST_F(PodInfoTest, NamesThePod) {
  const auto pod = Info(MakePod("a").Namespace("ns").Priority(7).OnNode("n").Terminating());
  EXPECT_EQ(pod->Key(), "ns/a");
  EXPECT_EQ(pod->uid(), "uid-a");
  EXPECT_EQ(pod->priority(), 7);
  EXPECT_EQ(pod->node_name(), "n");
  EXPECT_TRUE(pod->terminating());
  EXPECT_EQ(Info(MakePod("b"))->priority(), 0);
  EXPECT_FALSE(Info(MakePod("b"))->terminating());
}

TEST_F(PodInfoTest, SortsLabelsByTheirSymbols) {
  words_.Intern("zeta");  // earlier than "alpha", which a map lists first
  const auto pod = Info(MakePod("a").Label("alpha", "1").Label("zeta", "2"));
  ASSERT_EQ(pod->labels().size(), 2u);
  EXPECT_EQ(words_.Text(pod->labels()[0].first), "zeta");
  EXPECT_EQ(words_.Text(pod->labels()[1].second), "1");
}

TEST_F(PodInfoTest, TellsWhatIsWantedFromWhatIsTaken) {
  const auto pod = Info(MakePod("a").Requests("cpu=1,memory=1Gi").InPlace("cpu=3", "cpu=2"));
  EXPECT_EQ(pod->requests().milli_cpu, 1000);
  EXPECT_EQ(pod->accounted().milli_cpu, 3000);
  EXPECT_EQ(pod->accounted().memory, 1024 * kMi);
  EXPECT_EQ(pod->non_zero_milli_cpu(), 3000);
}

TEST_F(PodInfoTest, CountsDefaultsForEachSilentContainer) {
  const auto silent = Info(MakePod("a").Requests("").Requests("cpu=1"));
  EXPECT_EQ(silent->accounted().memory, 0);
  EXPECT_EQ(silent->non_zero_milli_cpu(), 1100);
  EXPECT_EQ(silent->non_zero_memory(), 400 * kMi);
  const auto zero = Info(MakePod("b").Requests("cpu=0,memory=0"));
  EXPECT_EQ(zero->non_zero_milli_cpu(), 0) << "an explicit 0 is an answer";
}

TEST_F(PodInfoTest, CountsDefaultsUnderPodLevelRequestsOnlyForWhatNeitherLevelNames) {
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

TEST_F(PodInfoTest, KnowsItsAffinities) {
  EXPECT_FALSE(Info(MakePod("none"))->HasAffinity());
  EXPECT_FALSE(Info(MakePod("node").EmptyRequiredAffinity())->HasAffinity());
  PodBuilder pod = MakePod("anti");
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit();
  EXPECT_TRUE(Info(pod)->HasAffinity());
  EXPECT_FALSE(Info(pod)->HasRequiredAntiAffinity());
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required.push_back(
      {.topology_key = "zone"});
  EXPECT_TRUE(Info(pod)->HasRequiredAntiAffinity());
}

TEST_F(PodInfoTest, BoundIsACopyOnItsNode) {
  const auto pending = Info(MakePod("a").Requests("cpu=1").HostPort(80));
  const auto bound = PodInfo::Bound(*pending, "n");
  EXPECT_EQ(bound->node_name(), "n");
  EXPECT_EQ(pending->node_name(), "") << "the pod in the queue stays as it is";
  EXPECT_EQ(bound->uid(), pending->uid());
  EXPECT_EQ(bound->accounted(), pending->accounted());
  EXPECT_EQ(bound->host_ports(), pending->host_ports());
}

}  // namespace
}  // namespace berth::scheduler
