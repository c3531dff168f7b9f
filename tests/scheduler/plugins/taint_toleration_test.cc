// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/taint_toleration.h"

#include <gtest/gtest.h>

#include "scheduler/framework/normalize.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;
using Answers = std::map<std::string, std::string>;
using Scores = std::map<std::string, int64_t>;

constexpr const char* kUntolerated =
    "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)";
constexpr const char* kSoft = "PreferNoSchedule";

TEST(TaintToleration, RejectsUntoleratedTaints) {
  TestCluster cluster;
  cluster.Add(MakeNode("plain"))
      .Add(MakeNode("gpu").Taint("gpu"))
      .Add(MakeNode("evicting").Taint("gone", "", "NoExecute"))
      .Add(MakeNode("soft").Taint("slow", "", kSoft))
      .Add(MakeNode("both").Taint("gpu").Taint("gone", "", "NoExecute"));
  const auto plugin = cluster.Plugin<TaintToleration>();
  Cycle none(cluster, MakePod("none"));
  EXPECT_EQ(FilterAll(*plugin, none), (Answers{{"plain", "Success"},
                                               {"gpu", kUntolerated},
                                               {"evicting", kUntolerated},
                                               {"soft", "Success"},
                                               {"both", kUntolerated}}));
  Cycle gpu(cluster, MakePod("gpu").Toleration("gpu"));
  EXPECT_EQ(FilterAll(*plugin, gpu), (Answers{{"plain", "Success"},
                                              {"gpu", "Success"},
                                              {"evicting", kUntolerated},
                                              {"soft", "Success"},
                                              {"both", kUntolerated}}));
}

TEST(TaintToleration, PreFilterAcceptsEveryPod) {
  TestCluster cluster;
  Cycle cycle(cluster, MakePod("p"));
  const PreFilterResult result = cluster.Plugin<TaintToleration>()->PreFilter(cycle.context());
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.nodes, std::nullopt);
}

TEST(TaintToleration, ScoresUntoleratedSoftTaints) {
  TestCluster cluster;
  cluster.Add(MakeNode("none").Taint("hard"))
      .Add(MakeNode("one").Taint("a", "", kSoft))
      .Add(MakeNode("three").Taint("a", "", kSoft).Taint("b", "", kSoft).Taint("c", "", kSoft));
  const auto plugin = cluster.Plugin<TaintToleration>();
  Cycle plain(cluster, MakePod("plain"));
  EXPECT_EQ(ScoreAll(*plugin, plain), (Scores{{"none", 0}, {"one", 1}, {"three", 3}}));
  Cycle tolerant(cluster, MakePod("tolerant")
                              .Toleration("a")
                              .Toleration("b", "", kSoft)
                              .Toleration("c", "", "NoSchedule"));
  EXPECT_EQ(ScoreAll(*plugin, tolerant), (Scores{{"none", 0}, {"one", 0}, {"three", 1}}));
}

TEST(TaintToleration, ScoreWorksWithoutPreScore) {
  TestCluster cluster;
  cluster.Add(MakeNode("n").Taint("a", "", kSoft).Taint("b", "", kSoft));
  const auto plugin = cluster.Plugin<TaintToleration>();
  Cycle cycle(cluster, MakePod("p").Toleration("a"));
  EXPECT_EQ(plugin->Score(cycle.context(), cluster.View("n")), 1);
}

TEST(TaintToleration, NormalizesLikeUpstream) {
  const TaintToleration plugin;
  ASSERT_EQ(plugin.normalizer(), Normalizer::kDefaultReversed);
  std::vector<int64_t> scores = {0, 1, 3};
  const Scale scale = Scale::Of(plugin.normalizer(), scores);
  for (int64_t& score : scores) score = scale.Normalize(score);
  EXPECT_EQ(scores, (std::vector<int64_t>{100, 67, 0}));
}

TEST(TaintToleration, HintQueuesIfNodeIsToleratedNow) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<TaintToleration>();
  const auto pod = MakePod("p").Toleration("gpu").Info(cluster.words());
  const NodeBuilder plain = MakeNode("n");
  const NodeBuilder gpu = MakeNode("n").Taint("gpu");
  const NodeBuilder other = MakeNode("n").Taint("other");
  const struct {
    const NodeBuilder* before;
    const NodeBuilder* after;
    QueueingHint hint;
  } cases[] = {
      {nullptr, &gpu, QueueingHint::kQueue},  {nullptr, &other, QueueingHint::kSkip},
      {&other, &plain, QueueingHint::kQueue}, {&other, &gpu, QueueingHint::kQueue},
      {&plain, &gpu, QueueingHint::kSkip},  // the node was tolerated before
      {&plain, &other, QueueingHint::kSkip},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(plugin->Hint(*pod, {Resource::kNode, action::kUpdateNodeTaint, {}},
                           testing::NodeChange(test.before, test.after)),
              test.hint)
        << &test - cases;
  }
}

TEST(TaintToleration, HintQueuesIfPodsTolerationsChange) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<TaintToleration>();
  const PodBuilder before = MakePod("p");
  const PodBuilder after = MakePod("p").Toleration("gpu");
  const auto pod = before.Info(cluster.words());
  const ClusterEvent event{Resource::kTargetPod, action::kUpdatePodToleration, {}};
  EXPECT_EQ(plugin->Hint(*pod, event, testing::PodChange(cluster.words(), &before, &after)),
            QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
