// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/warm_up.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/plugins/registry.h"

namespace berth::conformance {
namespace {

constexpr const char* kNominatedCase = R"json({
  "name": "made-000",
  "config": {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
    "profiles": [{"percentageOfNodesToScore": 100, "schedulerName": "default-scheduler"}]},
  "objects": {
    "nodes": [
      {"metadata": {"name": "a", "uid": "a", "labels": {"topology.kubernetes.io/zone": "1"}},
       "status": {"allocatable": {"cpu": "4", "pods": "9"},
                  "images": [{"names": ["web"], "sizeBytes": 10}]}},
      {"metadata": {"name": "b", "uid": "b", "labels": {"topology.kubernetes.io/zone": "1"}},
       "status": {"allocatable": {"cpu": "4", "pods": "9"}}},
      {"metadata": {"name": "c", "uid": "c", "labels": {"disk": "ssd"}},
       "status": {"allocatable": {"cpu": "4", "pods": "9"}}}],
    "pods": [{"metadata": {"name": "x", "namespace": "default", "uid": "x"},
              "spec": {"nodeName": "a"}},
             {"metadata": {"name": "y", "namespace": "default", "uid": "y"},
              "spec": {"nodeName": "a", "containers": [{"ports": [{"hostPort": 80}]}]}}]},
  "pod": {"metadata": {"name": "p", "namespace": "default", "uid": "p"},
          "spec": {"nodeSelector": {"disk": "ssd"}, "containers": [{"image": "web"}]}},
  "expect": {}})json";

// The state of a cluster that is visible to a case.
struct Sight {
  std::vector<std::string> order;
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::vector<std::string>> pods;
  std::vector<int64_t> requested;
  int64_t image_size = 0;
  size_t start = 0;
  size_t nominations = 0;
  bool operator==(const Sight&) const = default;
};

Sight Look(Cluster& cluster) {
  Sight sight;
  const scheduler::Snapshot& snapshot = cluster.snapshot();
  for (const scheduler::Slot slot : snapshot.Order()) {
    const scheduler::NodeInfo& node = snapshot.At(slot);
    sight.order.push_back(node.name.text());
    sight.nodes.push_back(node.node);
    auto& pods = sight.pods.emplace_back();
    for (const auto& pod : node.pods) pods.push_back(pod->uid());
    sight.requested.push_back(
        snapshot.Columns().requested(scheduler::ResourceColumns::kMilliCpu, slot));
  }
  sight.image_size = snapshot.Image(snapshot.Words().Find("web")).size;
  sight.start = cluster.start();
  sight.nominations = cluster.nominator().size();
  return sight;
}

TEST(WarmUp, RestoresTheCluster) {
  const auto fixture = ParseFixture(kNominatedCase);
  ASSERT_TRUE(fixture) << fixture.error().message();
  auto made = Cluster::Create(*fixture, scheduler::MakeRegistry(), ResultCacheMode::kWarm);
  ASSERT_TRUE(made) << made.error().message();
  Cluster& cluster = **made;
  const Sight before = Look(cluster);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    WarmUp(cluster, *fixture->steps.front().pod, seed);
    ASSERT_EQ(Look(cluster), before) << "seed " << seed;
  }
  EXPECT_EQ(cluster.cache().node_count(), 3u) << "a placeholder node was left";
}

TEST(WarmUp, FillsTheResultCache) {
  const auto fixture = ParseFixture(kNominatedCase);
  ASSERT_TRUE(fixture) << fixture.error().message();
  auto made = Cluster::Create(*fixture, scheduler::MakeRegistry(), ResultCacheMode::kWarm);
  ASSERT_TRUE(made) << made.error().message();
  WarmUp(**made, *fixture->steps.front().pod, 1);
  EXPECT_GT((*made)->result_cache()->statistics().bytes, 0u);
  EXPECT_GT((*made)->result_cache()->statistics().kept, 0u);
}

TEST(WarmUp, CachesNothingInModeOff) {
  const auto fixture = ParseFixture(kNominatedCase);
  ASSERT_TRUE(fixture) << fixture.error().message();
  auto made = Cluster::Create(*fixture, scheduler::MakeRegistry(), ResultCacheMode::kOff);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ((*made)->result_cache(), nullptr);
}

}  // namespace
}  // namespace berth::conformance
