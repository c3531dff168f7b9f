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
    return Text(plugin->PreEnqueue(*pod.Info(cluster.words()), {NoEvictions()}));
  };
  EXPECT_EQ(ask(MakePod("open")), "Success");
  EXPECT_EQ(ask(MakePod("one").Gate("example.com/b")),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [example.com/b]");
  EXPECT_EQ(ask(MakePod("two").Gate("b").Gate("a")),
            "UnschedulableAndUnresolvable: waiting for scheduling gates: [b a]");
}

TEST(SchedulingGates, HintQueuesPodWithoutGates) {
  TestCluster cluster;
  const PodBuilder gated = MakePod("p").Gate("a");
  const PodBuilder opened = MakePod("p");
  EXPECT_EQ(cluster.Plugin<SchedulingGates>()->Hint(
                *opened.Info(cluster.words()),
                {Resource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated, {}},
                testing::PodChange(cluster.words(), &gated, &opened)),
            QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
