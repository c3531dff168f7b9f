// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::Everything;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using testing::Script;
using testing::Scripted;
using testing::TestCluster;
using testing::Text;
using testing::WithBasics;

class ProfileScoreTest : public ::testing::Test {
 protected:
  ProfileScoreTest() {
    cluster_.Add(MakeNode("a")).Add(MakeNode("b")).Add(MakeNode("c"));
    for (const char* node : {"a", "b", "c"}) feasible_.push_back(cluster_.SlotOf(node));
  }

  Status Run(std::vector<PluginDescriptor> plugins) {
    return RunProfile(*MakeProfile(cluster_, std::move(plugins)));
  }
  Status RunProfile(const Profile& profile) {
    trace_ = {};
    totals_.assign(3, -1);
    PluginIndexSet skipped;
    Status status =
        profile.RunPreScore(cycle_.context(), FeasibleNodes(feasible_), skipped, &trace_);
    if (!status.ok()) return status;
    return profile.RunScore(cycle_.context(), skipped, feasible_, totals_, &trace_);
  }

  // Returns a Score plugin with these raw scores for a, b and c.
  static Script Scores(std::vector<int64_t> raw, Normalizer normalizer = Normalizer::kNone) {
    Script script;
    script.score = [raw](const CycleContext&, const NodeView& node) {
      return raw[static_cast<size_t>(node.name()[0] - 'a')];
    };
    script.normalizer = normalizer;
    return script;
  }

  TestCluster cluster_;
  Cycle cycle_{cluster_, MakePod("p")};
  std::vector<Slot> feasible_;
  std::vector<int64_t> totals_;
  CycleTrace trace_;
};

TEST_F(ProfileScoreTest, EveryNodeScoresOneWithoutScorePlugins) {
  EXPECT_TRUE(Run({}).ok());
  EXPECT_THAT(totals_, ElementsAre(1, 1, 1));
}

TEST_F(ProfileScoreTest, AddsWeightedNormalizedScores) {
  const Registry registry =
      WithBasics({Scripted("A", Scores({0, 50, 100})),
                  Scripted("B", Scores({1, 2, 4}, Normalizer::kDefaultReversed))});
  auto spec = Everything(registry);
  spec.plugins.score.enabled = {{"A", 3}};
  const auto profile = *Profile::Create(spec, 0, registry, cluster_.handle());
  EXPECT_TRUE(RunProfile(*profile).ok());
  EXPECT_THAT(totals_, ElementsAre(75, 200, 300));
  ASSERT_EQ(trace_.scores.size(), 6u);
  EXPECT_EQ(trace_.scores[4].plugin, "B");
  EXPECT_EQ(trace_.scores[4].raw, 2);
  EXPECT_EQ(trace_.scores[4].normalized, 50);
  EXPECT_EQ(trace_.scores[0].weight, 3);
}

TEST_F(ProfileScoreTest, AppliesEachNormalizer) {
  EXPECT_TRUE(Run({Scripted("A", Scores({1, 2, 4}, Normalizer::kDefault))}).ok());
  EXPECT_THAT(totals_, ElementsAre(25, 50, 100));
  EXPECT_TRUE(Run({Scripted("A", Scores({-4, 0, 4}, Normalizer::kMinMax))}).ok());
  EXPECT_THAT(totals_, ElementsAre(0, 50, 100));
  Script custom = Scores({10, 20, 30}, Normalizer::kCustom);
  custom.normalize = [this](std::span<const Slot> slots, std::span<int64_t> scores) {
    EXPECT_THAT(slots, ElementsAreArray(feasible_));
    for (int64_t& score : scores) score += 1;
    return Status::Success();
  };
  EXPECT_TRUE(Run({Scripted("A", custom)}).ok());
  EXPECT_THAT(totals_, ElementsAre(11, 21, 31));
}

TEST_F(ProfileScoreTest, SkippedPreScoreSkipsScore) {
  Script skipping = Scores({100, 0, 0});
  skipping.pre_score = [](CycleContext&, const FeasibleNodes& nodes) {
    return nodes.size() == 3 ? Status::Skip() : Status::Failed("wrong nodes");
  };
  EXPECT_TRUE(Run({Scripted("A", skipping), Scripted("B", Scores({1, 2, 3}))}).ok());
  EXPECT_THAT(totals_, ElementsAre(1, 2, 3));
}

TEST_F(ProfileScoreTest, ErrorsHaveUpstreamsTexts) {
  Script pre_score = Scores({0, 0, 0});
  pre_score.pre_score = [](CycleContext&, const FeasibleNodes&) { return Status::Failed("lost"); };
  EXPECT_EQ(Text(Run({Scripted("A", pre_score)})), "Error: running PreScore plugin \"A\": lost");

  Script throwing = Scores({0, 0, 0});
  throwing.score = [](const CycleContext&, const NodeView&) -> int64_t {
    throw std::runtime_error("boom");
  };
  EXPECT_EQ(Text(Run({Scripted("A", throwing)})),
            "Error: running Score plugins: plugin \"A\" failed with: threw an exception: boom");

  Script normalize = Scores({0, 0, 0}, Normalizer::kCustom);
  normalize.normalize = [](std::span<const Slot>, std::span<int64_t>) {
    return Status::Failed("lost");
  };
  EXPECT_EQ(Text(Run({Scripted("A", normalize)})),
            "Error: running Normalize on Score plugins: plugin \"A\" failed with: lost");

  for (const int64_t wrong : {-1, 101}) {
    EXPECT_EQ(Text(Run({Scripted("A", Scores({0, wrong, 0}))})),
              "Error: applying score defaultWeights on Score plugins: plugin \"A\" returns an "
              "invalid score " +
                  std::to_string(wrong) + ", it should in the range of [0, 100] after normalizing");
  }
}

}  // namespace
}  // namespace berth::scheduler
