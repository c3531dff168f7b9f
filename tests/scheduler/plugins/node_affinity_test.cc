// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_affinity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::Labels;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::NodeNames;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;
using testing::Text;
using testing::Where;
using Answers = std::map<std::string, std::string>;
using Scores = std::map<std::string, int64_t>;
using Names = std::set<std::string>;

constexpr const char* kNoMatch =
    "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";
constexpr const char* kEnforced =
    "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity";
constexpr const char* kAddedArgs = R"({"addedAffinity":{
    "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"pool","operator":"In","values":["batch"]}]}]},
    "preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":5,"preference":{"matchExpressions":[{"key":"ssd","operator":"Exists"}]}}]}})";

api::NodeSelectorTerm Zone(const std::string& value) {
  return Labels({Where("zone", "In", {value})});
}

class NodeAffinityTest : public ::testing::Test {
 protected:
  NodeAffinityTest() {
    cluster_.Add(MakeNode("a").Label("zone", "1").Label("cores", "8"))
        .Add(MakeNode("b").Label("zone", "2").Label("pool", "batch").Label("ssd", ""));
  }

  std::string PreFilter(const PodBuilder& pod, const NodeAffinity& plugin) {
    Cycle cycle(cluster_, pod);
    return Text(plugin.PreFilter(cycle.context()).status);
  }
  std::optional<Names> NodesFor(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return plugin_->PreFilter(cycle.context()).nodes;
  }
  Answers Filter(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return FilterAll(*plugin_, cycle);
  }

  TestCluster cluster_;
  std::unique_ptr<NodeAffinity> plugin_ = cluster_.Plugin<NodeAffinity>();
};

TEST_F(NodeAffinityTest, FiltersBySelectorAndTerms) {
  const struct {
    PodBuilder pod;
    std::string on_a, on_b;
  } cases[] = {
      {MakePod("selector").NodeSelector("zone", "1"), "Success", kNoMatch},
      {MakePod("two-selectors").NodeSelector("zone", "2").NodeSelector("pool", "batch"), kNoMatch,
       "Success"},
      {MakePod("term").RequiredNodeTerm(Zone("2")), kNoMatch, "Success"},
      {MakePod("terms-are-ored").RequiredNodeTerm(Zone("1")).RequiredNodeTerm(Zone("2")), "Success",
       "Success"},
      {MakePod("both-count").NodeSelector("zone", "1").RequiredNodeTerm(Zone("2")), kNoMatch,
       kNoMatch},
      {MakePod("not-in").RequiredNodeTerm(Labels({Where("pool", "NotIn", {"batch"})})), "Success",
       kNoMatch},
      {MakePod("gt").RequiredNodeTerm(Labels({Where("cores", "Gt", {"7"})})), "Success", kNoMatch},
      {MakePod("lt").RequiredNodeTerm(Labels({Where("cores", "Lt", {"8"})})), kNoMatch, kNoMatch},
      {MakePod("no-terms").EmptyRequiredAffinity(), kNoMatch, kNoMatch},
      {MakePod("blank-term").RequiredNodeTerm({}), kNoMatch, kNoMatch},
      {MakePod("bad-term").RequiredNodeTerm(Labels({Where("cores", "Gt", {"many"})})), kNoMatch,
       kNoMatch},
      {MakePod("bad-and-good-term")
           .RequiredNodeTerm(Labels({Where("cores", "Gt", {"many"})}))
           .RequiredNodeTerm(Zone("2")),
       kNoMatch, "Success"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Filter(test.pod), (Answers{{"a", test.on_a}, {"b", test.on_b}}))
        << PodBuilder(test.pod).raw().metadata.name;
  }
}

TEST_F(NodeAffinityTest, SkipsPodWithoutRequirements) {
  EXPECT_EQ(PreFilter(MakePod("p"), *plugin_), "Skip");
  EXPECT_EQ(PreFilter(MakePod("p").PreferredNodeTerm(1, Zone("1")), *plugin_), "Skip");
  EXPECT_EQ(PreFilter(MakePod("p").EmptyRequiredAffinity(), *plugin_), "Success");
  EXPECT_EQ(PreFilter(MakePod("p"), *cluster_.Plugin<NodeAffinity>(kAddedArgs)), "Success");
}

TEST_F(NodeAffinityTest, PreFilterReturnsNamedNodes) {
  const auto named = [](std::vector<std::string> names) {
    return NodeNames({Where("metadata.name", "In", std::move(names))});
  };
  EXPECT_EQ(NodesFor(MakePod("one").RequiredNodeTerm(named({"b"}))), Names({"b"}));
  EXPECT_EQ(
      NodesFor(MakePod("union").RequiredNodeTerm(named({"b"})).RequiredNodeTerm(named({"x"}))),
      Names({"b", "x"}));
  EXPECT_EQ(NodesFor(MakePod("some").RequiredNodeTerm(named({"b"})).RequiredNodeTerm(Zone("1"))),
            std::nullopt);
  EXPECT_EQ(NodesFor(MakePod("not-in").RequiredNodeTerm(
                NodeNames({Where("metadata.name", "NotIn", {"b"})}))),
            std::nullopt);
  EXPECT_EQ(NodesFor(MakePod("none").EmptyRequiredAffinity()), std::nullopt);
  const auto both =
      NodeNames({Where("metadata.name", "In", {"a"}), Where("metadata.name", "In", {"b"})});
  EXPECT_EQ(PreFilter(MakePod("contradiction").RequiredNodeTerm(both), *plugin_),
            "UnschedulableAndUnresolvable: pod affinity terms conflict");
  EXPECT_EQ(NodesFor(MakePod("half").RequiredNodeTerm(both).RequiredNodeTerm(named({"a"}))),
            Names({"a"}));
}

TEST_F(NodeAffinityTest, AdmitsDaemonSetPodOnlyToItsNode) {
  const auto pod = MakePod("ds").RequiredNodeTerm(NodeNames({Where("metadata.name", "In", {"b"})}));
  EXPECT_EQ(Filter(pod), (Answers{{"a", kNoMatch}, {"b", "Success"}}));
}

TEST_F(NodeAffinityTest, ChecksAddedAffinityFirst) {
  const auto plugin = cluster_.Plugin<NodeAffinity>(kAddedArgs);
  Cycle plain(cluster_, MakePod("plain"));
  EXPECT_EQ(FilterAll(*plugin, plain), (Answers{{"a", kEnforced}, {"b", "Success"}}));
  Cycle picky(cluster_, MakePod("picky").NodeSelector("zone", "3"));
  EXPECT_EQ(FilterAll(*plugin, picky), (Answers{{"a", kEnforced}, {"b", kNoMatch}}));
}

TEST_F(NodeAffinityTest, ScoresSumOfMatchingWeights) {
  Cycle cycle(cluster_, MakePod("p")
                            .PreferredNodeTerm(10, Zone("1"))
                            .PreferredNodeTerm(3, Labels({Where("cores", "Exists")}))
                            .PreferredNodeTerm(7, Zone("2"))
                            .PreferredNodeTerm(0, Zone("2"))
                            .PreferredNodeTerm(50, {}));
  EXPECT_EQ(ScoreAll(*plugin_, cycle), (Scores{{"a", 13}, {"b", 7}}));
  EXPECT_EQ(plugin_->normalizer(), Normalizer::kDefault);
}

TEST_F(NodeAffinityTest, AddsScoreOfAddedAffinity) {
  const auto plugin = cluster_.Plugin<NodeAffinity>(kAddedArgs);
  Cycle plain(cluster_, MakePod("plain"));
  EXPECT_EQ(ScoreAll(*plugin, plain), (Scores{{"a", 0}, {"b", 5}}));
  Cycle own(cluster_, MakePod("own").PreferredNodeTerm(1, Zone("2")));
  EXPECT_EQ(ScoreAll(*plugin, own), (Scores{{"a", 0}, {"b", 6}}));
}

TEST_F(NodeAffinityTest, PreScoreSkipsOrFails) {
  Cycle nothing(cluster_, MakePod("nothing"));
  EXPECT_EQ(Text(plugin_->PreScore(nothing.context(), {})), "Skip");
  Cycle bad(cluster_, MakePod("bad")
                          .PreferredNodeTerm(1, Zone("1"))
                          .PreferredNodeTerm(1, Labels({Where("zone", "Gt", {"x"})})));
  EXPECT_EQ(Text(plugin_->PreScore(bad.context(), {})),
            "Error: [1].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' "
            "operators, the value must be an integer");
}

TEST_F(NodeAffinityTest, WorksWithoutPreFilterAndPreScore) {
  Cycle cycle(cluster_, MakePod("p").NodeSelector("zone", "1").PreferredNodeTerm(4, Zone("1")));
  EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("a"))), "Success");
  EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("b"))), kNoMatch);
  EXPECT_EQ(plugin_->Score(cycle.context(), cluster_.View("a")), 4);
}

TEST_F(NodeAffinityTest, HintQueuesIfNodeMatchesNow) {
  const auto pod = MakePod("p").NodeSelector("zone", "1").Info(cluster_.words());
  const NodeBuilder right = MakeNode("n").Label("zone", "1");
  const NodeBuilder wrong = MakeNode("n").Label("zone", "2");
  const NodeBuilder right_batch = MakeNode("n").Label("zone", "1").Label("pool", "batch");
  const auto hint = [&](const NodeAffinity& plugin, const NodeBuilder* before,
                        const NodeBuilder* after) {
    return plugin.Hint(*pod, {Resource::kNode, action::kUpdateNodeLabel, {}},
                       testing::NodeChange(before, after));
  };
  EXPECT_EQ(hint(*plugin_, nullptr, &right), QueueingHint::kQueue);
  EXPECT_EQ(hint(*plugin_, nullptr, &wrong), QueueingHint::kSkip);
  EXPECT_EQ(hint(*plugin_, &wrong, &right), QueueingHint::kQueue);
  EXPECT_EQ(hint(*plugin_, &right, &wrong), QueueingHint::kSkip);
  EXPECT_EQ(hint(*plugin_, &right, &right_batch), QueueingHint::kSkip);
  const auto added = cluster_.Plugin<NodeAffinity>(kAddedArgs);
  EXPECT_EQ(hint(*added, nullptr, &right), QueueingHint::kSkip);
  EXPECT_EQ(hint(*added, nullptr, &right_batch), QueueingHint::kQueue);
  EXPECT_EQ(hint(*added, &right, &right_batch), QueueingHint::kQueue);
}

TEST_F(NodeAffinityTest, RejectsInvalidAddedAffinity) {
  const auto check = NodeAffinity::Descriptor().check;
  const auto errors = check({R"({"addedAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"zone","operator":"Gt","values":["x"]}]}]},
      "preferredDuringSchedulingIgnoredDuringExecution":[
          {"weight":1,"preference":{"matchFields":[{"key":"metadata.name","operator":"Exists"}]}}]}})"});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].path,
            "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]."
            "matchExpressions[0].values[0]");
  EXPECT_EQ(errors[1].path,
            "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].matchFields[0]."
            "operator");
  EXPECT_TRUE(check({kAddedArgs}).empty());
  EXPECT_TRUE(check({""}).empty());
}

}  // namespace
}  // namespace berth::scheduler
