// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/explain.h"

#include <gmock/gmock.h>

#include "base/json/json.h"

namespace berth::sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "profiles:\n- schedulerName: hello\n";

std::shared_ptr<const api::Node> ANode(const std::string& name, int64_t cpu) {
  auto node = std::make_shared<api::Node>();
  node->metadata.name = name;
  node->metadata.uid = name;
  node->status.allocatable = {{"cpu", Quantity::FromValue(cpu)},
                              {"memory", Quantity::FromValue(int64_t{16} << 30)},
                              {"pods", Quantity::FromValue(110)}};
  node->status.capacity = node->status.allocatable;
  return node;
}

std::shared_ptr<const api::Pod> APod(const std::string& scheduler, int64_t cpu) {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.name = "p";
  pod->metadata.namespace_ = "default";
  pod->metadata.uid = "p";
  pod->spec.scheduler_name = scheduler;
  pod->spec.containers.resize(1);
  pod->spec.containers[0].resources.requests["cpu"] = Quantity::FromValue(cpu);
  return pod;
}

std::string Explain(const std::shared_ptr<const api::Pod>& pod, const std::string& node,
                    const std::vector<std::shared_ptr<const api::Node>>& nodes) {
  const auto line = ExplainPlacement(kConfig, pod, node, {.nodes = nodes, .pods = {}});
  EXPECT_TRUE(line) << line.error().message();
  return line.value_or("");
}

TEST(ExplainPlacement, NamesNextBestNodeAndScoreDifference) {
  const std::string line =
      Explain(APod("hello", 2), "large", {ANode("small", 4), ANode("large", 16)});
  EXPECT_THAT(line, StartsWith("2 of 2 nodes fit; "));
  EXPECT_THAT(line, HasSubstr("next small with "));
  EXPECT_THAT(line, HasSubstr("NodeResourcesFit +"));
}

TEST(ExplainPlacement, ReportsOnlyFittingNode) {
  EXPECT_EQ(Explain(APod("hello", 8), "large", {ANode("small", 4), ANode("large", 16)}),
            "the only one of 2 nodes that fits");
}

TEST(ExplainPlacement, ReportsEqualScores) {
  EXPECT_THAT(Explain(APod("hello", 2), "b", {ANode("a", 4), ANode("b", 4)}),
              HasSubstr("as many as a"));
}

TEST(ExplainPlacement, IsEmptyForNodeThatIsNotTheBest) {
  EXPECT_EQ(Explain(APod("hello", 2), "small", {ANode("small", 4), ANode("large", 16)}), "");
  EXPECT_EQ(Explain(APod("another", 2), "large", {ANode("large", 16)}), "");
}

TEST(ExplainPlacement, RejectsInvalidConfiguration) {
  EXPECT_FALSE(ExplainPlacement("kind: Nothing", APod("hello", 1), "n", {}));
}

}  // namespace
}  // namespace berth::sandbox
