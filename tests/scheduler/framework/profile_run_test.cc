// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/no_evictions.h"
#include "scheduler/framework/node_filter.h"
#include "scheduler/framework/profile.h"
#include "scheduler/queue/nominator.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::IndexesOf;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::Reject;
using testing::Scripted;
using testing::TestCluster;
using testing::Text;

class ProfileRunTest : public ::testing::Test {
 protected:
  ProfileRunTest() { cluster_.Add(MakeNode("a")).Add(MakeNode("b")).Add(MakeNode("c")); }

  Profile::PreFilterOutcome PreFilter(std::vector<PluginDescriptor> plugins) {
    profile_ = MakeProfile(cluster_, std::move(plugins));
    return profile_->RunPreFilter(cycle_.context(), &trace_);
  }
  PostFilterResult PostFilter(std::vector<PluginDescriptor> plugins) {
    profile_ = MakeProfile(cluster_, std::move(plugins));
    const NodeVerdicts verdicts;
    const NodeFilter trials(*profile_, nominated_, cycle_.context(), {}, nullptr);
    const std::function<double()> random = [] { return 0.0; };
    PostFilterContext context{cycle_.context(), verdicts, trials, evictions_, random};
    return profile_->RunPostFilter(context, rejectors_, &trace_);
  }

  // Returns a PreFilter plugin with that result, which records its calls.
  PluginDescriptor Answering(std::string_view name, PreFilterResult answer) {
    return Scripted(name, {.pre_filter = [this, name, answer](CycleContext&) {
                      asked_.emplace_back(name);
                      return answer;
                    }});
  }
  static PreFilterResult Only(std::set<std::string> nodes) {
    return {Status::Success(), std::move(nodes)};
  }

  TestCluster cluster_;
  Cycle cycle_{cluster_, MakePod("p")};
  std::shared_ptr<const Profile> profile_;
  NoEvictions evictions_;
  Nominator nominated_;
  PluginIndexSet rejectors_;
  CycleTrace trace_;
  std::vector<std::string> asked_;
};

TEST_F(ProfileRunTest, PreEnqueueCallsTheGatingPluginFirst) {
  const auto plugin = [&](std::string_view name, Status answer) {
    return Scripted(name, {.pre_enqueue = [this, name, answer](const PendingPod&) {
                      asked_.emplace_back(name);
                      return answer;
                    }});
  };
  profile_ = MakeProfile(
      cluster_, {plugin("A", Status::Success()), plugin("B", Status::Unschedulable("gated")),
                 plugin("C", Status::Success())});
  const Status status = profile_->RunPreEnqueue(cycle_.pod(), {evictions_}, profile_->IndexOf("C"));
  EXPECT_EQ(status, (Status{Code::kUnschedulable, {"gated"}, "B"}));
  EXPECT_THAT(asked_, ElementsAre("C", "A", "B"));
}

TEST_F(ProfileRunTest, PreFilterCollectsSkippedPlugins) {
  const auto outcome = PreFilter({Answering("A", PreFilterResult::Of(Status::Skip())),
                                  Answering("B", PreFilterResult::Of(Status::Success()))});
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_THAT(profile_->NamesOf(outcome.skipped), ElementsAre("A"));
  ASSERT_EQ(trace_.points.size(), 2u);
  EXPECT_EQ(trace_.points[0].plugin, "A");
  EXPECT_EQ(trace_.points[0].status.code, Code::kSkip);
}

TEST_F(ProfileRunTest, PreFilterReturnsTheLastUnschedulable) {
  const auto outcome =
      PreFilter({Answering("A", PreFilterResult::Of(Status::Unschedulable("first"))),
                 Answering("B", PreFilterResult::Of(Status::Unschedulable("second"))),
                 Answering("C", PreFilterResult::Of(Status::Success()))});
  EXPECT_EQ(outcome.status, (Status{Code::kUnschedulable, {"second"}, "B"}));
  EXPECT_EQ(outcome.rejected_by, "B");
  EXPECT_THAT(asked_, ElementsAre("A", "B", "C"));
}

TEST_F(ProfileRunTest, PreFilterKeepsNarrowingPluginsOnRejection) {
  const auto outcome =
      PreFilter({Answering("A", Only({"a"})),
                 Answering("B", PreFilterResult::Of(Status::Unschedulable("not now")))});
  EXPECT_EQ(outcome.rejected_by, "B");
  EXPECT_THAT(profile_->NamesOf(outcome.restricted_by), ElementsAre("A"));
}

TEST_F(ProfileRunTest, PreFilterRejectsPendingAsAnError) {
  const auto outcome = PreFilter({Answering("A", PreFilterResult::Of(Status::Pending("soon"))),
                                  Answering("B", PreFilterResult::Of(Status::Success()))});
  EXPECT_EQ(Text(outcome.status), "Error: running PreFilter plugin \"A\": soon");
  EXPECT_EQ(outcome.rejected_by, "");
  EXPECT_THAT(asked_, ElementsAre("A"));
}

TEST_F(ProfileRunTest, PreFilterStopsAtUnresolvable) {
  const auto outcome =
      PreFilter({Answering("A", Only({"a"})),
                 Answering("B", PreFilterResult::Of(Status::UnschedulableAndUnresolvable("never"))),
                 Answering("C", PreFilterResult::Of(Status::Success()))});
  EXPECT_EQ(outcome.status.code, Code::kUnschedulableAndUnresolvable);
  EXPECT_EQ(outcome.rejected_by, "B");
  EXPECT_FALSE(outcome.nodes);
  EXPECT_THAT(asked_, ElementsAre("A", "B"));
}

TEST_F(ProfileRunTest, PreFilterIntersectsTheNodes) {
  const auto outcome = PreFilter({Answering("A", Only({"a", "b"})), Answering("B", Only({"b"}))});
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_THAT(*outcome.nodes, ElementsAre("b"));
  EXPECT_THAT(profile_->NamesOf(outcome.restricted_by), ElementsAre("A", "B"));
}

TEST_F(ProfileRunTest, PreFilterStopsIfNoNodeIsLeft) {
  auto outcome = PreFilter({Answering("A", Only({}))});
  EXPECT_EQ(Text(outcome.status), "UnschedulableAndUnresolvable: node(s) didn't satisfy plugin A");
  EXPECT_EQ(outcome.status.plugin, "");
  outcome = PreFilter(
      {Answering("Z", Only({"a"})), Answering("B", Only({"b"})), Answering("C", Only({"c"}))});
  EXPECT_EQ(Text(outcome.status),
            "UnschedulableAndUnresolvable: node(s) didn't satisfy plugin(s) [B Z] simultaneously");
  EXPECT_THAT(profile_->NamesOf(outcome.restricted_by), ElementsAre("B", "Z"));
}

TEST_F(ProfileRunTest, PreFilterErrorsNameThePlugin) {
  auto outcome = PreFilter({Answering("A", PreFilterResult::Of(Status::Failed("lost")))});
  EXPECT_EQ(Text(outcome.status), "Error: running PreFilter plugin \"A\": lost");
  outcome = PreFilter({Scripted("A", {.pre_filter = [](CycleContext&) -> PreFilterResult {
                                  throw std::runtime_error("boom");
                                }})});
  EXPECT_EQ(Text(outcome.status),
            "Error: running PreFilter plugin \"A\": threw an exception: boom");
}

// Returns a filter that rejects one node and records each call.
PluginDescriptor RejectNode(std::string_view name, std::string node,
                            std::vector<std::string>* asked) {
  return Scripted(name, {.filter = [=](const CycleContext&, const NodeView& view) {
                    asked->push_back(std::string(name) + view.name());
                    return view.name() == node ? Reject(std::string(name) + " rejects")
                                               : Verdict::Fits();
                  }});
}

TEST_F(ProfileRunTest, FilterStopsAtTheFirstRejection) {
  profile_ = MakeProfile(cluster_, {RejectNode("A", "a", &asked_), RejectNode("B", "a", &asked_)});
  const auto outcome = profile_->RunFilter(cycle_.context(), {}, cluster_.View("a"), &trace_);
  EXPECT_EQ(Text(outcome.verdict), "Unschedulable: A rejects");
  EXPECT_EQ(outcome.plugin, "A");
  EXPECT_THAT(asked_, ElementsAre("Aa"));
  const auto skipped = profile_->RunFilter(cycle_.context(), IndexesOf(*profile_, {"A"}),
                                           cluster_.View("a"), nullptr);
  EXPECT_EQ(skipped.plugin, "B");
  ASSERT_EQ(trace_.filters.size(), 1u);
  EXPECT_FALSE(trace_.filters[0].simulated);
}

TEST_F(ProfileRunTest, FilterBatchPassesOnlyAcceptedNodesOn) {
  profile_ = MakeProfile(cluster_, {RejectNode("A", "b", &asked_), RejectNode("B", "c", &asked_)});
  const std::vector<Slot> slots = {cluster_.SlotOf("c"), cluster_.SlotOf("b"),
                                   cluster_.SlotOf("a")};
  std::vector<Profile::FilterOutcome> out(3);
  profile_->RunFilterBatch(cycle_.context(), {}, slots, out, &trace_);
  EXPECT_EQ(out[0].plugin, "B");
  EXPECT_EQ(out[1].plugin, "A");
  EXPECT_TRUE(out[2].verdict.fits());
  EXPECT_THAT(asked_, ElementsAre("Ac", "Ab", "Aa", "Bc", "Ba"));
  EXPECT_EQ(trace_.filters.size(), 5u);
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto alone =
        profile_->RunFilter(cycle_.context(), {}, cluster_.snapshot().View(slots[i]), nullptr);
    EXPECT_EQ(alone.verdict, out[i].verdict);
    EXPECT_EQ(alone.plugin, out[i].plugin);
  }
}

TEST_F(ProfileRunTest, FilterMayRunFilters) {
  bool is_nested = false;
  const auto run_others = [&](const CycleContext& cycle, const NodeView& node) {
    if (is_nested || node.name() != "b") return Verdict::Fits();
    is_nested = true;
    const std::vector<Slot> slots = {cluster_.SlotOf("a")};
    std::vector<Profile::FilterOutcome> out(1);
    profile_->RunFilterBatch(cycle, {}, slots, out, nullptr);
    is_nested = false;
    return out[0].verdict;
  };
  profile_ =
      MakeProfile(cluster_, {RejectNode("A", "c", &asked_), Scripted("B", {.filter = run_others}),
                             RejectNode("C", "a", &asked_)});
  const std::vector<Slot> slots = {cluster_.SlotOf("a"), cluster_.SlotOf("b"),
                                   cluster_.SlotOf("c")};
  std::vector<Profile::FilterOutcome> out(3);
  profile_->RunFilterBatch(cycle_.context(), {}, slots, out, nullptr);
  EXPECT_EQ(Text(out[0].verdict), "Unschedulable: C rejects");
  EXPECT_EQ(Text(out[1].verdict), "Unschedulable: C rejects") << "like the nested run";
  EXPECT_EQ(out[1].plugin, "B");
  EXPECT_EQ(Text(out[2].verdict), "Unschedulable: A rejects");
}

TEST_F(ProfileRunTest, ThrowingFilterFailsTheNodesOfTheCall) {
  profile_ = MakeProfile(
      cluster_, {RejectNode("A", "a", &asked_),
                 Scripted("B", {.filter = [](const CycleContext&, const NodeView&) -> Verdict {
                            throw std::runtime_error("boom");
                          }})});
  const std::vector<Slot> slots = {cluster_.SlotOf("a"), cluster_.SlotOf("b")};
  std::vector<Profile::FilterOutcome> out(2);
  profile_->RunFilterBatch(cycle_.context(), {}, slots, out, nullptr);
  EXPECT_EQ(out[0].plugin, "A");
  EXPECT_EQ(Text(out[1].verdict), "Error: threw an exception: boom");
  EXPECT_EQ(out[1].plugin, "B");
}

PluginDescriptor Making(std::string_view name, PostFilterResult result,
                        std::vector<std::string>* asked) {
  return Scripted(name, {.post_filter = [=](PostFilterContext&) {
                    asked->emplace_back(name);
                    return result;
                  }});
}

TEST_F(ProfileRunTest, PostFilterCollectsReasonsAndKeepsTheNomination) {
  const auto result = PostFilter(
      {Making("A", {Status::Unschedulable("no claims"), NominatingMode::kOverride, ""}, &asked_),
       Making("B", {Status::Unschedulable("no victims"), NominatingMode::kNoop, "x"}, &asked_)});
  EXPECT_EQ(Text(result.status), "Unschedulable: no claims, no victims");
  EXPECT_EQ(result.mode, NominatingMode::kOverride);
  EXPECT_EQ(result.nominated_node, "");
  EXPECT_THAT(asked_, ElementsAre("A", "B"));
}

TEST_F(ProfileRunTest, PostFilterEndsWithSuccessUnresolvableOrError) {
  const Status ends[] = {Status::Success(), Status::UnschedulableAndUnresolvable("never"),
                         Status::Failed("not found")};
  for (const Status& end : ends) {
    asked_.clear();
    const auto result =
        PostFilter({Making("A", {end, NominatingMode::kOverride, "n"}, &asked_),
                    Making("B", {Status::Unschedulable("x"), NominatingMode::kNoop, ""}, &asked_)});
    EXPECT_EQ(result.status.code, end.code);
    EXPECT_EQ(result.status.Message(), end.Message());
    EXPECT_THAT(asked_, ElementsAre("A"));
    EXPECT_EQ(result.mode,
              end.code == Code::kError ? NominatingMode::kNoop : NominatingMode::kOverride);
  }
}

}  // namespace
}  // namespace berth::scheduler
