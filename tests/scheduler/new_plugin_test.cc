// SPDX-License-Identifier: Apache-2.0
// A new plugin from its definition to a placed pod, in the numbered steps of CONTRIBUTING.md ("How
// to add a plugin"). There it is several files.
#include "base/yaml/yaml.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::FilterAll;
using testing::LoopTest;
using testing::MakeNode;
using testing::MakePod;
using testing::ScoreAll;
using testing::TestCluster;

// ---- 1. scheduler/plugins/node_price.h: the class, and its arguments

struct NodePriceArgs {
  std::string label = "example.com/price";
  int64_t most = 100;

  static auto Fields() {
    return json::Object(json::Field("label", &NodePriceArgs::label)
                            .Default(R"("example.com/price")")
                            .Doc("The node label with the price of an hour."),
                        json::Field("most", &NodePriceArgs::most)
                            .Default("100")
                            .Doc("Nodes with a higher price are rejected."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodePrice rejects expensive nodes and prefers cheap ones. The score is 0 for a price of `most`,
// and 100 for a price of 0. A node without the label has a price of 0.
class NodePrice final : public FilterPlugin, public ScorePlugin {
 public:
  using Args = NodePriceArgs;

  // Requires: args.Validate() returned no errors.
  explicit NodePrice(Args args) : args_(std::move(args)) {}
  static PluginDescriptor Descriptor();

  // The keys are equal for all pods: nothing of the pod is read.
  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  ResultKey HintKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;

 private:
  int64_t PriceOf(const NodeView& node) const;

  Args args_;
};

// ---- 2. scheduler/plugins/node_price.cc: the descriptor and the extension points

std::vector<api::FieldError> NodePriceArgs::Validate() const {
  if (most >= 1) return {};
  return {api::FieldError::Invalid("most", most, "must be at least 1")};
}

PluginDescriptor NodePrice::Descriptor() {
  return Describe<NodePrice>({
      .name = "NodePrice",
      .summary = "Rejects expensive nodes and prefers cheap ones.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node may have been added or become cheaper"}},
      .example = R"(plugins:
  multiPoint:
    enabled: [{name: NodePrice, weight: 5}]
pluginConfig:
- name: NodePrice
  args:
    most: 40)",
  });
}

int64_t NodePrice::PriceOf(const NodeView& node) const {
  const auto& labels = node.node().metadata.labels;
  const auto price = labels.find(args_.label);
  return price == labels.end() ? 0 : std::max<int64_t>(0, std::atoll(price->second.c_str()));
}

Verdict NodePrice::Filter(const CycleContext&, const NodeView& node) const {
  static const VerdictReason kReason = VerdictReason::Intern("node(s) cost too much");
  if (PriceOf(node) <= args_.most) return Verdict::Fits();
  return Verdict::UnschedulableAndUnresolvable(kReason);
}

int64_t NodePrice::Score(const CycleContext&, const NodeView& node) const {
  return kMaxNodeScore * (args_.most - PriceOf(node)) / args_.most;
}

// ---- 3. scheduler/plugins/registry.cc: a line

Registry RegistryWithIt() {
  const Registry shipped = MakeRegistry();
  std::vector<PluginDescriptor> plugins(shipped.plugins().begin(), shipped.plugins().end());
  plugins.push_back(NodePrice::Descriptor());
  return Registry(std::move(plugins));
}

// ---- 4. tests/scheduler/plugins/node_price_test.cc

testing::NodeBuilder At(const std::string& name, const std::string& price) {
  return MakeNode(name).Label("example.com/price", price).Allocatable("cpu=4,pods=10");
}

TEST(NodePrice, RejectsExpensiveNodesAndPrefersCheapOnes) {
  TestCluster cluster;
  cluster.Add(At("cheap", "10")).Add(At("limit", "40")).Add(At("dear", "41")).Add(MakeNode("free"));
  const auto plugin = cluster.Plugin<NodePrice>(R"({"most":40})");
  Cycle cycle(cluster, MakePod("p"));
  EXPECT_EQ(FilterAll(*plugin, cycle),
            (std::map<std::string, std::string>{
                {"cheap", "Success"},
                {"limit", "Success"},
                {"free", "Success"},
                {"dear", "UnschedulableAndUnresolvable: node(s) cost too much"}}));
  const auto scores = ScoreAll(*plugin, cycle);
  EXPECT_EQ(scores.at("cheap"), 75);
  EXPECT_EQ(scores.at("limit"), 0);
  EXPECT_EQ(scores.at("free"), 100);
}

TEST(NodePrice, RejectsALimitOfZero) {
  const auto errors = NodePrice::Descriptor().check({R"({"most":0})"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().ToString(), "most: Invalid value: 0: must be at least 1");
}

// ---- the result: a profile that enables the plugin (its own example), and pods

class NewPlugin : public LoopTest {
 protected:
  NewPlugin() {
    const auto text = yaml::ToJson(std::string(NodePrice::Descriptor().example));
    auto spec = json::Decode<api::KubeSchedulerProfile>(text.value()).value();
    spec.scheduler_name = "test";
    const PluginHandle handle{clock_, api_, words_};
    scheduler_.SetProfiles(
        {{"test", scheduler::Profile::Create(spec, 0, RegistryWithIt(), handle).value()}});
  }
};

TEST_F(NewPlugin, PlacesAPod) {
  for (const auto& node : {At("dear", "50"), At("fair", "20"), At("cheap", "5")}) {
    scheduler_.On(api::Added(node.Build()));
  }
  scheduler_.On(api::Added(Pod("p").Build()));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to cheap"));
}

TEST_F(NewPlugin, ReportsTheReasonAndRetriesAfterAHelpfulEvent) {
  scheduler_.On(api::Added(At("n", "50").Build()));
  scheduler_.On(api::Added(Pod("p").Build()));
  Run();
  EXPECT_THAT(Notes(), ElementsAre(::testing::StartsWith("FailedScheduling: 0/1 nodes are "
                                                         "available: 1 node(s) cost too much.")));
  scheduler_.On(api::Modified(At("n", "50").Build(), At("n", "30").Build()));
  Pass(std::chrono::seconds(1));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("p to n"));
}

}  // namespace
}  // namespace berth::scheduler
