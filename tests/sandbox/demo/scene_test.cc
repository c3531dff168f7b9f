// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/scene.h"

#include <set>

#include <gmock/gmock.h>

#include "api/pod.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "sandbox/demo/embedded.h"

namespace berth::sandbox {
namespace {

using ::testing::HasSubstr;

TEST(NodesOf, HasZonesSizesAndOneGpuNode) {
  const auto nodes = NodesOf(7);
  ASSERT_EQ(nodes.size(), 7U);
  std::set<std::string> names, zones;
  int tainted = 0;
  for (const auto& node : nodes) {
    names.insert(node.name);
    zones.insert(node.labels.at("topology.kubernetes.io/zone"));
    tainted += node.taints.empty() ? 0 : 1;
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_EQ(zones.size(), 3U);
  EXPECT_EQ(tainted, 1);
  EXPECT_THAT(NodeLine(nodes.back()), HasSubstr("taint demo.berth.dev/dedicated=gpu:NoSchedule"));
}

TEST(ArrivingPods, AlternateBetweenSchedulers) {
  const auto pods = ArrivingPods(5, {"a", "b"});
  ASSERT_EQ(pods.size(), 5U);
  std::set<std::string> names;
  for (size_t i = 0; i < pods.size(); ++i) {
    const auto pod = json::Decode<api::Pod>(pods[i], json::Mode::kStrict);
    ASSERT_TRUE(pod) << pod.error().message();
    EXPECT_EQ(pod->spec.scheduler_name, i % 2 == 0 ? "a" : "b");
    names.insert(pod->metadata.name);
  }
  EXPECT_EQ(names.size(), 5U);
}

TEST(GpuPod, SelectsGpuNodeWithoutToleratingItsTaint) {
  const auto pod = json::Decode<api::Pod>(GpuPod("p", "hello"), json::Mode::kStrict);
  ASSERT_TRUE(pod) << pod.error().message();
  EXPECT_EQ(pod->spec.node_selector->at(kDedicatedLabel), "gpu");
  EXPECT_TRUE(pod->spec.tolerations.empty());
}

TEST(EmbeddedFile, EqualsFileInRepository) {
  for (const EmbeddedFile& file :
       {kInstallManifest, kMinimalProfile, kMinimalPod, kBinPackingProfile, kBinPackingPod}) {
    const auto documents = yaml::DocumentsToJson(file.text);
    ASSERT_TRUE(documents) << file.path << ": " << documents.error().message();
    EXPECT_FALSE(documents->empty()) << file.path;
  }
}

}  // namespace
}  // namespace berth::sandbox
