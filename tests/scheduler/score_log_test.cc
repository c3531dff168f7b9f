// SPDX-License-Identifier: Apache-2.0
// Log lines that explain the choice of a node.
#include "scheduler/score_log.h"

#include <limits>

#include "base/log.h"
#include "base/strings.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LoopTest;
using testing::MakeExtenders;
using testing::ScriptedExtender;

class ScoreLogTest : public LoopTest {
 protected:
  ScoreLogTest() {
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugins.multi_point.disabled = {{"*"}};
    spec.plugins.multi_point.enabled = {
        {"PrioritySort"}, {"DefaultBinder"}, {"NodeName"}, {"TaintToleration", 3}};
    const PluginHandle handle{clock_, api_, words_};
    extender_.Scores(2,
                     [this](const PendingPod&, const Snapshot& snapshot,
                            std::span<const Slot>) -> Result<std::vector<ExtenderScore>> {
                       return std::vector<ExtenderScore>{{snapshot.Find("tainted"), given_}};
                     });
    const auto profile =
        Profile::Create(spec, 0, MakeRegistry(), handle, MakeExtenders(handle, {&extender_}));
    scheduler_.SetProfiles({{"test", profile.value()}});
    scheduler_.On(api::Added(Node("clean").Build()));
    scheduler_.On(api::Added(Node("tainted").Taint("slow", "", "PreferNoSchedule").Build()));
  }
  ~ScoreLogTest() override { log::Configure({}); }

  // Returns the log lines at that verbosity while the pod is scheduled, without timestamps.
  std::vector<std::string> Logged(int verbosity, const testing::PodBuilder& pod) {
    scheduler_.On(api::Added(pod.Build()));
    log::Configure({.verbosity = verbosity});
    ::testing::internal::CaptureStderr();
    Run();
    const std::string text = ::testing::internal::GetCapturedStderr();
    std::vector<std::string> lines;
    for (const std::string_view line : Split(text, '\n')) {
      if (!line.empty()) lines.emplace_back(line.substr(line.find("] ") + 2));
    }
    return lines;
  }

  ScriptedExtender extender_{"http://prices.shop.svc/v1"};
  int64_t given_ = 4;
};

TEST_F(ScoreLogTest, LogsEachScoreAndTheTotals) {
  EXPECT_THAT(
      Logged(kScoreVerbosity, Pod("p")),
      ElementsAre(
          R"("Plugin scored node for pod" pod="default/p" plugin="TaintToleration" node="clean" )"
          R"(rawScore=0 normalizedScore=100 weight=3 score=300)",
          R"("Plugin scored node for pod" pod="default/p" plugin="TaintToleration" )"
          R"(node="tainted" rawScore=1 normalizedScore=0 weight=3 score=0)",
          R"("Extender scored node for pod" pod="default/p" )"
          R"(extender="http://prices.shop.svc/v1" node="tainted" )"
          R"(rawScore=4 normalizedScore=40 weight=2 score=80)",
          R"("Calculated node's final score for pod" pod="default/p" node="clean" score=300)",
          R"("Calculated node's final score for pod" pod="default/p" node="tainted" score=80)"));
  EXPECT_THAT(Bound(), ElementsAre("p to clean"));
}

TEST_F(ScoreLogTest, LogsTheSameForCachedRankings) {
  scheduler_.SetResultCacheBytes(size_t{1} << 20);
  const auto first = Logged(kScoreVerbosity, Pod("p"));
  EXPECT_THAT(first, ::testing::SizeIs(5));
  EXPECT_EQ(Logged(kScoreVerbosity, Pod("p").Uid("another")), first);
}

TEST_F(ScoreLogTest, ScoreOverflowSaturates) {
  given_ = std::numeric_limits<int64_t>::max();
  const auto lines = Logged(kScoreVerbosity, Pod("p"));
  ASSERT_THAT(lines, ::testing::SizeIs(5));
  EXPECT_TRUE(lines[2].ends_with(" weight=2 score=9223372036854775807")) << lines[2];
}

TEST_F(ScoreLogTest, SingleNodeHasNoScores) {
  scheduler_.On(api::Deleted(Node("tainted").Build()));
  EXPECT_THAT(
      Logged(kScoreVerbosity, Pod("p")),
      ElementsAre(R"("Found a single node for pod, none is scored" pod="default/p" node="clean")"));
}

TEST_F(ScoreLogTest, UnschedulablePodHasNoScores) {
  scheduler_.On(api::Deleted(Node("tainted").Build()));
  scheduler_.On(api::Deleted(Node("clean").Build()));
  scheduler_.On(api::Added(Node("shut").Taint("no").Build()));
  for (const std::string& line : Logged(kScoreVerbosity, Pod("p"))) {
    EXPECT_EQ(line.find("score"), std::string::npos) << line;
  }
  EXPECT_EQ(Where("p"), "unschedulable");
}

TEST_F(ScoreLogTest, LogsNothingBelowItsVerbosity) {
  EXPECT_THAT(Logged(kScoreVerbosity - 1, Pod("p")), IsEmpty());
  EXPECT_THAT(Bound(), ElementsAre("p to clean"));
}

}  // namespace
}  // namespace berth::scheduler
