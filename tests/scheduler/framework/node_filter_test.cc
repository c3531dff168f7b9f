// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::Reject;
using testing::Scripted;
using testing::TestCluster;
using testing::Text;

class NodeFilterTest : public ::testing::Test {
 protected:
  NodeFilterTest() { cluster_.Add(MakeNode("a")).Add(MakeNode("b")); }

  // Returns a filter that rejects a node with more than `most` simulated pods, like a plugin that
  // counts pods.
  PluginDescriptor Counting(int most) {
    return Scripted("Counting", {.filter = [this, most](const CycleContext&, const NodeView& node) {
                      runs_.push_back(node.name() + (node.simulated() ? " simulated" : ""));
                      int pods = 0;
                      node.ForEachPod([&](const PodInfo&) { ++pods; });
                      int simulated = 0;
                      if (node.delta() != nullptr) {
                        node.delta()->ForEach([&](const PodInfo&, int sign) { simulated += sign; });
                      }
                      EXPECT_EQ(pods, simulated);
                      return simulated > most ? Reject("too many") : Verdict::Fits();
                    }});
  }

  std::string Ask(const std::string& node, int most) {
    const auto profile = MakeProfile(cluster_, {Counting(most)});
    NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, &trace_);
    const auto alone = filter.One(cluster_.SlotOf(node));
    const std::vector<Slot> slots = {cluster_.SlotOf(node)};
    std::vector<Profile::FilterOutcome> many(1);
    const auto runs = runs_;
    filter.Many(slots, many);
    EXPECT_EQ(many[0].verdict, alone.verdict);
    EXPECT_EQ(many[0].plugin, alone.plugin);
    runs_ = runs;
    return Text(alone.verdict);
  }

  void Nominate(const testing::PodBuilder& pod) {
    nominated_.Nominate(pod.Info(cluster_.words()), "a");
  }

  TestCluster cluster_;
  Cycle cycle_{cluster_, MakePod("p").Priority(5)};
  Nominator nominated_;
  PluginIndexSet skipped_;
  CycleTrace trace_;
  std::vector<std::string> runs_;
};

TEST_F(NodeFilterTest, FiltersANodeWithoutNominatedPodsOnce) {
  EXPECT_EQ(Ask("a", 0), "Success");
  EXPECT_THAT(runs_, ElementsAre("a"));
}

TEST_F(NodeFilterTest, NodeMustFitWithAndWithoutNominatedPods) {
  Nominate(MakePod("x").Priority(5));
  Nominate(MakePod("y").Priority(9));
  EXPECT_EQ(Ask("a", 2), "Success");
  EXPECT_THAT(runs_, ElementsAre("a simulated", "a"));
  ASSERT_FALSE(trace_.filters.empty());
  EXPECT_TRUE(trace_.filters[0].simulated);
  EXPECT_FALSE(trace_.filters[1].simulated);
}

TEST_F(NodeFilterTest, ReportsTheRejectionWithNominatedPods) {
  Nominate(MakePod("x").Priority(5));
  EXPECT_EQ(Ask("a", 0), "Unschedulable: too many");
  EXPECT_THAT(runs_, ElementsAre("a simulated"));
  EXPECT_EQ(Ask("b", 0), "Success");
}

TEST_F(NodeFilterTest, IgnoresLowerPriorityPodsAndThePodItself) {
  Nominate(MakePod("x").Priority(4));
  Nominate(MakePod("p").Priority(5));
  EXPECT_EQ(Ask("a", 0), "Success");
  EXPECT_THAT(runs_, ElementsAre("a"));
}

TEST_F(NodeFilterTest, FilterErrorsNameThePlugin) {
  const auto profile =
      MakeProfile(cluster_, {Scripted("A", {.filter = [](const CycleContext&, const NodeView&) {
                                        return Verdict::Failed(VerdictReason::Intern("lost"));
                                      }})});
  NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, nullptr);
  EXPECT_EQ(Text(filter.One(cluster_.SlotOf("a")).verdict),
            "Error: running \"A\" filter plugin: lost");
}

TEST_F(NodeFilterTest, ErrorWithNominatedPodsYieldsToRejectionWithout) {
  Nominate(MakePod("x").Priority(5));
  for (const bool rejects : {true, false}) {
    const auto profile = MakeProfile(
        cluster_, {Scripted("A", {.filter = [rejects](const CycleContext&, const NodeView& node) {
                              if (node.simulated()) {
                                return Verdict::Failed(VerdictReason::Intern("lost"));
                              }
                              return rejects ? Reject("no") : Verdict::Fits();
                            }})});
    const NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, nullptr);
    const std::vector<Slot> slots = {cluster_.SlotOf("a")};
    std::vector<Profile::FilterOutcome> many(1);
    filter.Many(slots, many);
    const char* expected =
        rejects ? "Unschedulable: no" : "Error: running \"A\" filter plugin: lost";
    EXPECT_EQ(Text(filter.One(slots[0]).verdict), expected);
    EXPECT_EQ(Text(many[0].verdict), expected);
  }
}

// ---- TrialRuns

TEST_F(NodeFilterTest, TrialAppliesDeltaWithAndWithoutNominatedPods) {
  cluster_.Add(MakePod("there").OnNode("a"));
  const auto profile = MakeProfile(
      cluster_, {Scripted("Counting", {.filter = [this](const CycleContext&, const NodeView& node) {
                            int pods = 0;
                            node.ForEachPod([&pods](const PodInfo&) { ++pods; });
                            runs_.push_back(node.name() + " " + std::to_string(pods));
                            return pods > 1 ? Reject("too many") : Verdict::Fits();
                          }})});
  const NodeInfo& node = cluster_.View("a").info();
  NodeDelta change(node);
  {
    const NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, nullptr);
    EXPECT_EQ(Text(filter.Filter(node.slot, change).verdict), "Success");
    EXPECT_THAT(runs_, ElementsAre("a 1"));
  }
  Nominate(MakePod("x").Priority(5));
  runs_.clear();
  const NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, nullptr);
  EXPECT_EQ(Text(filter.Filter(node.slot, change).verdict), "Unschedulable: too many");
  change.Remove(*node.pods.front());
  EXPECT_EQ(Text(filter.FilterAgain(node.slot, change).verdict), "Success");
  EXPECT_THAT(runs_, ElementsAre("a 2", "a 1", "a 0"));
}

TEST_F(NodeFilterTest, FilterAgainSkipsFiltersThatReadNoPods) {
  const auto noting = [this](std::string_view name, std::vector<Epoch> depends_on) {
    return Scripted(name, {.filter =
                               [this, name](const CycleContext&, const NodeView&) {
                                 runs_.emplace_back(name);
                                 return Verdict::Fits();
                               },
                           .depends_on = std::move(depends_on)});
  };
  const auto profile =
      MakeProfile(cluster_, {noting("Node", {Epoch::kNodeObject}),
                             noting("Pods", {Epoch::kNodePods}), noting("SaysNothing", {})});
  const NodeFilter filter(*profile, nominated_, cycle_.context(), skipped_, nullptr);
  const NodeInfo& node = cluster_.View("a").info();
  filter.Filter(node.slot, NodeDelta(node));
  EXPECT_THAT(runs_, ElementsAre("Node", "Pods", "SaysNothing"));
  runs_.clear();
  filter.FilterAgain(node.slot, NodeDelta(node));
  EXPECT_THAT(runs_, ElementsAre("Pods", "SaysNothing"));
}

}  // namespace
}  // namespace berth::scheduler
