// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/dynamic_resources.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/no_evictions.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using ::testing::Pair;
using testing::PodBuilder;
using testing::TestCluster;
using testing::Text;

PodBuilder WithClaim() {
  PodBuilder pod = MakePod("p");
  pod.raw().spec.resource_claims.push_back({.name = "gpu"});
  return pod;
}

constexpr const char* kRejection =
    "UnschedulableAndUnresolvable: spec.resourceClaims: DynamicResources does not support resource "
    "claims in this version";

class DynamicResourcesTest : public ::testing::Test {
 protected:
  DynamicResourcesTest() { cluster_.Add(MakeNode("n")); }

  // Returns PostFilter's status in a cycle in which PreFilter ran (`asked`) or not.
  std::string PostFilterAfter(const PodBuilder& pod, bool asked) {
    struct NoTrials final : TrialRuns {
      FilterOutcome Filter(Slot, const NodeDelta&) const override { return {}; }
      FilterOutcome FilterAgain(Slot, const NodeDelta&) const override { return {}; }
    };
    Cycle cycle(cluster_, pod);
    if (asked) plugin_->PreFilter(cycle.context());
    const NodeVerdicts verdicts;
    const NoTrials trials;
    NoEvictions evictions;
    const std::function<double()> random = [] { return 0.0; };
    PostFilterContext context{cycle.context(), verdicts, trials, evictions, random};
    return Text(plugin_->PostFilter(context).status);
  }

  TestCluster cluster_;
  std::unique_ptr<DynamicResources> plugin_ = cluster_.Plugin<DynamicResources>();
};

TEST_F(DynamicResourcesTest, SkipsPodWithoutClaims) {
  Cycle cycle(cluster_, MakePod("p"));
  EXPECT_EQ(Text(plugin_->PreEnqueue(cycle.pod(), {NoEvictions()})), "Success");
  EXPECT_EQ(plugin_->PreFilter(cycle.context()).status.code, Code::kSkip);
  EXPECT_THAT(ScoreAll(*plugin_, cycle), ElementsAre(Pair("n", 0)));
  const NodeRef node(cluster_.View("n").info());
  EXPECT_EQ(plugin_->PreBindPreFlight(cycle.context(), node).status.code, Code::kSkip);
}

TEST_F(DynamicResourcesTest, RejectsPodWithClaims) {
  Cycle cycle(cluster_, WithClaim());
  EXPECT_EQ(Text(plugin_->PreFilter(cycle.context()).status), kRejection);
  EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("n"))), kRejection);
}

TEST_F(DynamicResourcesTest, PostFilterRejectsWithoutAReason) {
  EXPECT_EQ(PostFilterAfter(MakePod("p"), true), "Unschedulable");
  EXPECT_EQ(PostFilterAfter(WithClaim(), true), "Unschedulable");
}

TEST_F(DynamicResourcesTest, PostFilterFailsIfPreFilterDidNotRun) {
  EXPECT_EQ(PostFilterAfter(MakePod("p"), false), "Error: not found");
}

TEST_F(DynamicResourcesTest, ValidatesArgs) {
  const auto check = DynamicResources::Descriptor().check;
  EXPECT_THAT(check({R"({"filterTimeout":"0s","bindingTimeout":"1s"})"}), IsEmpty());
  EXPECT_EQ(check({R"({"filterTimeout":"-1s"})"}).at(0).detail, "must be zero or positive");
  EXPECT_EQ(check({R"({"bindingTimeout":"999ms"})"}).at(0).detail, "must be at least 1 second");
}

}  // namespace
}  // namespace berth::scheduler
