// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/plugin_calls.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "tests/scheduler/framework/scripted_plugin.h"
#include "tests/scheduler/testing/recorded_evictions.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::Everything;
using testing::MakeNode;
using testing::MakePod;
using testing::RecordedEvictions;
using testing::Script;
using testing::Scripted;
using testing::TestCluster;
using testing::WithBasics;

class PluginCallsTest : public ::testing::Test {
 protected:
  PluginCallsTest() { cluster_.Add(MakeNode("n")); }

  std::shared_ptr<const Profile> Make(PluginDescriptor plugin) {
    const Registry registry = WithBasics({std::move(plugin)});
    auto made = Profile::Create(Everything(registry), 0, registry,
                                {cluster_.clock(), cluster_.api(), cluster_.words(), &calls_});
    BERTH_CHECK(made.has_value(), made.error().message());
    return *made;
  }
  std::string Now() const {
    const PluginCall* call = calls_.Now();
    return call == nullptr ? "none" : call->plugin + " at " + call->point;
  }
  void Note() { seen_.push_back(Now()); }

  TestCluster cluster_;
  PluginCalls calls_;
  std::vector<std::string> seen_;
};

TEST_F(PluginCallsTest, RecordsThePluginAtEachPoint) {
  Script script;
  script.pre_enqueue = [this](const PendingPod&) { return Note(), Status::Success(); };
  script.pre_filter = [this](CycleContext&) {
    return Note(), PreFilterResult::Of(Status::Success());
  };
  script.filter = [this](const CycleContext&, const NodeView&) { return Note(), Verdict::Fits(); };
  script.pre_score = [this](CycleContext&, const FeasibleNodes&) {
    return Note(), Status::Success();
  };
  script.score = [this](const CycleContext&, const NodeView&) { return Note(), 0; };
  script.reserve = [this](const std::string&) { return Note(), Status::Success(); };
  script.permit = [this](const std::string&) { return Note(), PermitResult{}; };
  script.post_bind = [this](const std::string&) { Note(); };
  const auto profile = Make(Scripted("P", std::move(script)));

  const std::vector<Slot> slots = {cluster_.SlotOf("n")};
  const NodeRef node(cluster_.cache().At(slots.front()));
  Cycle cycle(cluster_, MakePod("p"));
  RecordedEvictions evictions;
  std::vector<Profile::FilterOutcome> outcomes(1);
  std::vector<int64_t> totals(1);
  PluginIndexSet skipped;
  (void)profile->RunPreEnqueue(cycle.pod(), {evictions}, std::nullopt);
  (void)profile->RunPreFilter(cycle.context(), nullptr);
  (void)profile->RunFilter(cycle.context(), {}, cluster_.View("n"), nullptr);
  profile->RunFilterBatch(cycle.context(), {}, slots, outcomes, nullptr);
  (void)profile->RunPreScore(cycle.context(), FeasibleNodes(slots), skipped, nullptr);
  (void)profile->RunScore(cycle.context(), {}, slots, totals, nullptr);
  (void)profile->RunReserve(cycle.context(), node);
  (void)profile->RunPermit(cycle.context(), node);
  profile->RunPostBind(cycle.context(), node);
  EXPECT_THAT(seen_, ElementsAre("P at PreEnqueue", "P at PreFilter", "P at Filter", "P at Filter",
                                 "P at PreScore", "P at Score", "P at Reserve", "P at Permit",
                                 "P at PostBind"));
  EXPECT_EQ(Now(), "none");
}

TEST_F(PluginCallsTest, ReportsTheInnermostNestedCall) {
  const PluginCalls::Scope outer(calls_.Of("Outer", "PostFilter"));
  {
    const PluginCalls::Scope inner(calls_.Of("Inner", "Filter"));
    EXPECT_EQ(Now(), "Inner at Filter");
  }
  EXPECT_EQ(Now(), "Outer at PostFilter");
}

TEST_F(PluginCallsTest, EndsTheCallIfThePluginThrows) {
  const auto profile = Make(Scripted(
      "P", {.reserve = [](const std::string&) -> Status { throw std::runtime_error("bad day"); }}));
  Cycle cycle(cluster_, MakePod("p"));
  EXPECT_FALSE(
      profile->RunReserve(cycle.context(), NodeRef(cluster_.cache().At(cluster_.SlotOf("n"))))
          .ok());
  EXPECT_EQ(Now(), "none");
}

TEST_F(PluginCallsTest, EqualNamesReturnTheSameCall) {
  const PluginCall* call = calls_.Of("P", "Filter");
  for (int i = 0; i < 100; ++i) calls_.Of("Q" + std::to_string(i), "Filter");
  EXPECT_EQ(calls_.Of("P", "Filter"), call) << "a new profile gets the same call";
}

}  // namespace
}  // namespace berth::scheduler
