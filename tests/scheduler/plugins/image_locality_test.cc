// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/image_locality.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;
using Scores = std::map<std::string, int64_t>;

constexpr int64_t kMebibyte = 1024 * 1024;

NodeBuilder Node(const std::string& name, const std::string& image = "", int64_t mebibytes = 0) {
  NodeBuilder node = MakeNode(name);
  if (!image.empty()) node.raw().status.images = {{{image}, mebibytes * kMebibyte}};
  return node;
}

PodBuilder Pod(const std::vector<std::string>& images) {
  PodBuilder pod = MakePod("p");
  for (const std::string& image : images) {
    pod.Requests("");
    pod.raw().spec.containers.back().image = image;
  }
  return pod;
}

Scores ScoresOf(TestCluster& cluster, const PodBuilder& pod) {
  const auto plugin = cluster.Plugin<ImageLocality>();
  Cycle cycle(cluster, pod);
  return ScoreAll(*plugin, cycle);
}

TEST(ImageLocality, ScoresMatchUpstreamFormula) {
  TestCluster two;
  two.Add(Node("a", "app:1", 140)).Add(Node("b"));
  EXPECT_EQ(ScoresOf(two, Pod({"app:1"})), (Scores{{"a", 4}, {"b", 0}}));

  TestCluster three;
  three.Add(Node("a", "app:1", 600)).Add(Node("b", "app:1", 600)).Add(Node("c", "app:1", 600));
  EXPECT_EQ(ScoresOf(three, Pod({"app:1"})), (Scores{{"a", 59}, {"b", 59}, {"c", 59}}));

  TestCluster mixed;
  NodeBuilder both = Node("a", "big:1", 250);
  both.raw().status.images.push_back({{"small:1"}, 10 * kMebibyte});
  mixed.Add(both).Add(Node("b", "small:1", 10)).Add(Node("c", "small:1", 10));
  EXPECT_EQ(ScoresOf(mixed, Pod({"big:1", "small:1"})), (Scores{{"a", 3}, {"b", 0}, {"c", 0}}));
}

TEST(ImageLocality, ScoresZeroIfNoNodeHasTheImage) {
  TestCluster cluster;
  cluster.Add(Node("a", "app:1", 900));
  EXPECT_EQ(ScoresOf(cluster, Pod({"other:1"})), (Scores{{"a", 0}}));
  EXPECT_EQ(ScoresOf(cluster, Pod({""})), (Scores{{"a", 0}}));
}

TEST(ImageLocality, ScoresHundredAt1000MiBPerImage) {
  TestCluster cluster;
  cluster.Add(Node("a", "app:1", 1500));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1"})), (Scores{{"a", 100}}));
  // 1500 of 2000 MiB; no node has the second container's image.
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1", "other:1"})), (Scores{{"a", 74}}));
}

TEST(ImageLocality, ImageWithoutTagMeansLatest) {
  TestCluster cluster;
  cluster.Add(Node("a", "reg:5000/app:latest", 1500)).Add(Node("b", "app@sha256:1", 1500));
  EXPECT_EQ(ScoresOf(cluster, Pod({"reg:5000/app"})), (Scores{{"a", 74}, {"b", 0}}));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app@sha256:1"})), (Scores{{"a", 0}, {"b", 74}}));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app"})), (Scores{{"a", 0}, {"b", 0}}));
}

TEST(ImageLocality, CountsInitContainersAndImageVolumes) {
  TestCluster cluster;
  cluster.Add(Node("a", "app:1", 400));
  PodBuilder with_init = Pod({"app:1"}).InitContainer("");
  with_init.raw().spec.init_containers.back().image = "app:1";
  EXPECT_EQ(ScoresOf(cluster, with_init), (Scores{{"a", 39}}));  // 800 of 2000

  PodBuilder with_volume = Pod({"app:1"});
  with_volume.raw().spec.volumes.emplace_back().image.Edit().reference = "app:1";
  EXPECT_EQ(ScoresOf(cluster, with_volume), (Scores{{"a", 39}}));  // 800 of 2000
}

TEST(ImageLocality, AddedNodeLowersScores) {
  TestCluster cluster;
  cluster.Add(Node("a", "app:1", 1000));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1"})), (Scores{{"a", 100}}));
  cluster.Add(Node("b"));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1"})), (Scores{{"a", 48}, {"b", 0}}));
  cluster.cache().RemoveNode("b");
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1"})), (Scores{{"a", 100}}));
}

TEST(ImageLocality, BatchScoresEqualSingleScores) {
  TestCluster cluster;
  for (int i = 0; i < 300; ++i) {
    NodeBuilder node = MakeNode("n" + std::to_string(i));
    if (i % 2 == 0) node.raw().status.images.push_back({{"even:1"}, 700 * kMebibyte});
    if (i % 3 == 0) node.raw().status.images.push_back({{"third:1"}, 900 * kMebibyte});
    cluster.Add(node);
  }
  const auto plugin = cluster.Plugin<ImageLocality>();
  Cycle cycle(cluster, Pod({"even:1", "third:1", "none:1"}));
  const auto slots = cluster.snapshot().Order();
  std::vector<int64_t> scores(slots.size());
  plugin->ScoreBatch(cycle.context(), slots, scores);
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(scores[i], plugin->Score(cycle.context(), cluster.snapshot().View(slots[i])));
    std::vector<int64_t> alone(1);
    plugin->ScoreBatch(cycle.context(), slots.subspan(i, 1), alone);
    EXPECT_EQ(scores[i], alone.front());
  }
  EXPECT_EQ(std::set<int64_t>(scores.begin(), scores.end()).size(), 4u)
      << "both images, even, third, none";
}

TEST(ImageLocality, ImageCountsForEachContainer) {
  TestCluster cluster;
  NodeBuilder node = MakeNode("a");
  node.raw().status.images = {{{"app:1"}, 500 * kMebibyte}, {{"log:1"}, 300 * kMebibyte}};
  cluster.Add(node);
  // (2 * 500 - 23) / (2 * 1000 - 23), and (2 * 500 + 2 * 300 - 23) / (4 * 1000 - 23)
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1", "app:1"})), (Scores{{"a", 49}}));
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1", "log:1", "app:1", "log:1"})), (Scores{{"a", 39}}));
}

TEST(ImageLocality, HugeSizesDoNotOverflow) {
  TestCluster cluster;
  NodeBuilder node = MakeNode("a");
  node.raw().status.images = {{{"app:1"}, std::numeric_limits<int64_t>::max()}};
  cluster.Add(node);
  EXPECT_EQ(ScoresOf(cluster, Pod({"app:1", "app:1", "app:1"})), (Scores{{"a", 100}}));
}

TEST(ImageLocality, KeyHasSortedImages) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<ImageLocality>();
  const auto key = [&](const PodBuilder& pod) {
    return plugin->KeyOf(Cycle(cluster, pod).context());
  };
  EXPECT_EQ(key(Pod({"a:1", "b"})), key(Pod({"b:latest", "a:1"})));
  EXPECT_NE(key(Pod({"a:1"})), key(Pod({"a:1", "a:1"})));
  PodBuilder volume = Pod({"a:1"});
  volume.raw().spec.volumes.emplace_back().image.Edit().reference = "a:1";
  EXPECT_EQ(key(volume), key(Pod({"a:1", "a:1"}))) << "image volumes count as containers do";
}

TEST(ImageLocality, VersionsChangeOnlyWithThePodsImages) {
  TestCluster cluster;
  cluster.Add(Node("a", "app:1", 100)).Add(Node("b"));
  const auto plugin = cluster.Plugin<ImageLocality>();
  const auto versions = [&](const std::vector<std::string>& images) {
    return plugin->VersionsOf(Cycle(cluster, Pod(images)).context());
  };
  const Versions of_app = versions({"app:1", "none"});
  const Versions of_none = versions({"none"});
  EXPECT_EQ(of_app, versions({"none", "app:1"})) << "the key does not depend on the order either";
  cluster.cache().UpdateNode(Node("b", "other:1", 100).Build());
  EXPECT_EQ(versions({"app:1", "none"}), of_app);
  cluster.Add(Node("c"));
  EXPECT_NE(versions({"app:1", "none"}), of_app) << "a smaller fraction of the nodes has the image";
  EXPECT_EQ(versions({"none"}), of_none);
  cluster.cache().RemoveNode("c");
  EXPECT_EQ(versions({"app:1", "none"}), of_app);
  cluster.cache().UpdateNode(Node("b", "app:1", 100).Build());
  EXPECT_NE(versions({"app:1", "none"}), of_app);
}

}  // namespace
}  // namespace berth::scheduler
