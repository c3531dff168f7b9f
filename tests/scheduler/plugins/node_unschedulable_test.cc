// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_unschedulable.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::TestCluster;
using Answers = std::map<std::string, std::string>;

constexpr const char* kCordon = "node.kubernetes.io/unschedulable";
constexpr const char* kCordoned = "UnschedulableAndUnresolvable: node(s) were unschedulable";

TEST(NodeUnschedulable, RejectsCordonedNodeUnlessTolerated) {
  TestCluster cluster;
  cluster.Add(MakeNode("open")).Add(MakeNode("cordoned").Unschedulable());
  const auto plugin = cluster.Plugin<NodeUnschedulable>();
  const struct {
    PodBuilder pod;
    std::string cordoned;
  } cases[] = {
      {MakePod("plain"), kCordoned},
      {MakePod("tolerates").Toleration(kCordon, "", "NoSchedule"), "Success"},
      {MakePod("tolerates-any-effect").Toleration(kCordon), "Success"},
      {MakePod("tolerates-all").Toleration(""), "Success"},
      {MakePod("empty-value").Toleration(api::Toleration{.key = kCordon, .op = "Equal"}),
       "Success"},
      {MakePod("other-value").Toleration(kCordon, "yes"), kCordoned},
      {MakePod("other-effect").Toleration(kCordon, "", "NoExecute"), kCordoned},
      {MakePod("other-key").Toleration("gpu"), kCordoned},
  };
  for (const auto& test : cases) {
    Cycle cycle(cluster, test.pod);
    EXPECT_EQ(FilterAll(*plugin, cycle),
              (Answers{{"open", "Success"}, {"cordoned", test.cordoned}}))
        << cycle.pod().name();
  }
}

TEST(NodeUnschedulable, PreFilterAcceptsEveryPod) {
  TestCluster cluster;
  Cycle cycle(cluster, MakePod("p"));
  const PreFilterResult result = cluster.Plugin<NodeUnschedulable>()->PreFilter(cycle.context());
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.nodes, std::nullopt);
}

TEST(NodeUnschedulable, HintQueuesIfNodeIsUncordoned) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeUnschedulable>();
  const auto pod = MakePod("p").Toleration(kCordon).Info(cluster.words());
  const NodeBuilder open = MakeNode("n");
  const NodeBuilder cordoned = MakeNode("n").Unschedulable();
  const struct {
    const NodeBuilder* before;
    const NodeBuilder* after;
    QueueingHint hint;
  } cases[] = {
      {nullptr, &open, QueueingHint::kQueue},
      {nullptr, &cordoned, QueueingHint::kSkip},  // even if the pod tolerates it
      {&cordoned, &open, QueueingHint::kQueue},
      {&open, &open, QueueingHint::kSkip},
      {&open, &cordoned, QueueingHint::kSkip},
      {&cordoned, &cordoned, QueueingHint::kSkip},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(plugin->Hint(*pod, {Resource::kNode, action::kUpdateNodeTaint, {}},
                           testing::NodeChange(test.before, test.after)),
              test.hint)
        << &test - cases;
  }
}

TEST(NodeUnschedulable, HintQueuesIfPodToleratesCordonNow) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeUnschedulable>();
  const PodBuilder before = MakePod("p");
  const PodBuilder tolerant = MakePod("p").Toleration(kCordon);
  const PodBuilder irrelevant = MakePod("p").Toleration("gpu");
  const auto pod = before.Info(cluster.words());
  const auto hint = [&](const PodBuilder& after) {
    return plugin->Hint(*pod, {Resource::kTargetPod, action::kUpdatePodToleration, {}},
                        testing::PodChange(cluster.words(), &before, &after));
  };
  EXPECT_EQ(hint(tolerant), QueueingHint::kQueue);
  EXPECT_EQ(hint(irrelevant), QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
