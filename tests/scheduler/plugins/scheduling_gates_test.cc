// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/scheduling_gates.h"

#include <gtest/gtest.h>

#include "scheduler/framework/no_evictions.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;
using testing::TestCluster;
using testing::Text;

TEST(SchedulingGates, RejectsPodWithGates) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<SchedulingGates>();
  const auto ask = [&](const PodBuilder& pod) {
    return Text(plugin->PreEnqueue(*pod.Info(cluster.words()), NoEvictions()));
  };
  EXPECT_EQ(ask(MakePod("open")), "Success");
  EXPECT_EQ(ask(MakePod("one").Gate("example.com/b")),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [example.com/b]");
  EXPECT_EQ(ask(MakePod("two").Gate("b").Gate("a")),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [b a]");
}

TEST(SchedulingGates, HintQueuesOnlyForThePodItself) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<SchedulingGates>();
  const PodBuilder gated = MakePod("p").Gate("a");
  const PodBuilder opened = MakePod("p");
  const PodBuilder again = MakePod("p").Uid("another");
  const ClusterEvent event{
      Resource::kUnschedulablePod, action::kUpdatePodSchedulingGatesEliminated, {}};
  const auto pod = gated.Info(cluster.words());
  EXPECT_EQ(plugin->Hint(*pod, event, testing::PodChange(cluster.words(), &gated, &opened)),
            QueueingHint::kQueue);
  EXPECT_EQ(plugin->Hint(*pod, event, testing::PodChange(cluster.words(), &gated, &again)),
            QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
