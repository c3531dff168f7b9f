// SPDX-License-Identifier: Apache-2.0
#include "scenario/run.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/parse.h"

namespace berth::scenario {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kCluster = R"(summary: s
nodes:
  - {name: small, allocatable: {cpu: 1, memory: 1Gi}}
  - {name: large, allocatable: {cpu: 4, memory: 4Gi}}
pods:
  - {name: web, requests: {cpu: 1, memory: 1Gi}}
  - {name: huge, requests: {cpu: 16}}
)";

Result<RunResult> RunWith(const std::string& rest) {
  auto scenario = Parse(std::string(kCluster) + rest, "a.yaml");
  if (!scenario) return Fail(scenario.error());
  return RunScenario(*scenario);
}

std::vector<std::string> Differences(const std::string& rest) {
  const auto result = RunWith(rest);
  EXPECT_TRUE(result) << result.error().message();
  return result ? result->differences : std::vector<std::string>();
}

std::string RunRejection(const std::string& rest) {
  const auto result = RunWith(rest);
  return result ? "ran" : result.error().message();
}

// The expectation matches the run; the test below changes one part of it at a time.
TEST(RunScenario, FindsNoDifferenceIfAllExpectationsMatch) {
  EXPECT_THAT(Differences(R"(
steps: [schedule]
expect:
  placements: {web: large, huge: pending}
  podsPerNode: {small: 0, large: 1}
  reasons: {huge: {contains: 2 Insufficient cpu}}
  queue: {active: [], unschedulable: [huge]}
  nominations: {huge: none}
  verdicts: {web: {small: fits}, huge: {large: "NodeResourcesFit UnschedulableAndUnresolvable: Insufficient cpu"}}
  rawScores: {web: {NodeResourcesFit: {small: 0, large: 75}}}
  scores: {web: {NodeResourcesFit: {small: 0, large: 75}}}
  totals: {web: {small: 375, large: 450}}
  order: [web, huge]
  results: {scheduled: 1, unschedulable: 1}
)"),
              IsEmpty());
}

TEST(RunScenario, DescribesEachDifference) {
  const auto told = [](const std::string& expect) {
    return Differences("expect: {" + expect + "}");
  };
  EXPECT_THAT(told("placements: {web: small}"),
              ElementsAre("expect: pod web: expected node small, is on large "
                          "(totals: large 450, small 375)"));
  EXPECT_THAT(told("placements: {huge: [small, large]}"),
              ElementsAre("expect: pod huge: expected node small or large, is pending"));
  EXPECT_THAT(told("placements: {web: pending}"),
              ElementsAre(StartsWith("expect: pod web: expected pending, is on large")));
  EXPECT_THAT(told("placements: {wev: large}"), ElementsAre("expect: pod wev: unknown pod"));
  EXPECT_THAT(told("podsPerNode: {large: 2}"),
              ElementsAre("expect: node large: expected 2 pods, has 1"));
  EXPECT_THAT(told("reasons: {huge: too large}"),
              ElementsAre(StartsWith("expect: pod huge: expected the reason \"too large\", found "
                                     "\"0/2 nodes are available")));
  EXPECT_THAT(told("reasons: {huge: {contains: memory}}"),
              ElementsAre(HasSubstr("expected a reason with \"memory\", found \"0/2")));
  EXPECT_THAT(told("groupConditions: {team: x}"),
              ElementsAre("expect: PodGroup team: unknown PodGroup"));
  EXPECT_THAT(told("queue: {unschedulable: [], active: [web]}"),
              ElementsAre("expect: queue active: expected web, has none",
                          "expect: queue unschedulable: expected none, has huge"));
  EXPECT_THAT(told("nominations: {huge: small}"),
              ElementsAre("expect: pod huge: expected the nomination small, has none"));
  EXPECT_THAT(told("verdicts: {web: {small: bad, nowhere: fits}}"),
              ElementsAre("expect: pod web on node nowhere: expected the verdict \"fits\", found "
                          "\"not asked\"",
                          "expect: pod web on node small: expected the verdict \"bad\", found "
                          "\"fits\""));
  EXPECT_THAT(told("scores: {web: {Another: {large: 1}, NodeResourcesFit: {large: 74}}}"),
              ElementsAre("expect: pod web: Another's score of node large: expected 1, found none",
                          "expect: pod web: NodeResourcesFit's score of node large: expected 74, "
                          "found 75"));
  EXPECT_THAT(told("rawScores: {web: {TaintToleration: {large: 1}}}"),
              ElementsAre(HasSubstr("TaintToleration's raw score of node large: expected 1, "
                                    "found 0")));
  EXPECT_THAT(told("totals: {web: {large: 1}}"),
              ElementsAre("expect: pod web: total of node large: expected 1, found 450"));
  EXPECT_THAT(told("order: [huge, web]"),
              ElementsAre("expect: order of attempts: expected huge, web, was web, huge"));
  EXPECT_THAT(told("results: {scheduled: 2, error: 1}"),
              ElementsAre("expect: attempts that ended error: expected 1, were 0",
                          "expect: attempts that ended scheduled: expected 2, were 1"));
  EXPECT_THAT(
      told("events: [\"Normal Scheduled web: Successfully assigned default/web to large\"]"),
      ElementsAre(HasSubstr("event 2: expected no more, found \"Warning FailedScheduling")));
  EXPECT_THAT(told("totals: {late: {large: 1}}"),
              ElementsAre("expect: pod late: has no attempt yet"));
}

TEST(RunScenario, CountsHistorySinceTheLastExpectation) {
  EXPECT_THAT(Differences(R"(
steps:
  - schedule: 1
  - expect: {order: [web], results: {scheduled: 1}}
  - schedule
  - expect: {order: [huge], results: {scheduled: 0, unschedulable: 1}}
  - expect: {order: [], events: [], results: {unschedulable: 0}}
)"),
              IsEmpty());
}

TEST(RunScenario, ErrorNamesTheInvalidStep) {
  EXPECT_EQ(RunRejection("steps: [schedule, {delete: {pods: [wev]}}]"),
            "a.yaml: step 2 (delete): unknown pod wev");
  EXPECT_EQ(RunRejection("steps: [{update: {nodes: [{name: x}]}}]"),
            "a.yaml: step 1 (update): unknown node x");
  EXPECT_EQ(RunRejection("steps: [{create: {nodes: [{name: small}]}}]"),
            "a.yaml: step 1 (create): node small exists already; use update");
  EXPECT_THAT(RunRejection("profile: {plugins: {filter: {enabled: [{name: X}]}}}"),
              HasSubstr("FilterPlugin \"X\" does not exist"));
  EXPECT_THAT(RunRejection("steps: [{reload: {profile: {percentageOfNodesToScore: 101}}}]"),
              HasSubstr("a.yaml: step 1 (reload): "));
}

TEST(RunScenario, ReportsAMissingExpectedRejection) {
  EXPECT_THAT(Differences("steps: [{reload: {refused: because}}]"),
              ElementsAre("step 1 (reload): expected a rejection with \"because\", found \"it was "
                          "accepted\""));
  EXPECT_THAT(
      Differences(
          "steps: [{reload: {profile: {percentageOfNodesToScore: 101}, refused: because}}]"),
      ElementsAre(HasSubstr("expected a rejection with \"because\", found \"")));
}

TEST(RunScenario, TranscriptIsDeterministic) {
  const std::string steps =
      "seed: 3\nsteps: [{bind: {fail: Conflict}}, schedule, {advance: 30s}, schedule]";
  const auto one = RunWith(steps), two = RunWith(steps);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->transcript, two->transcript);
  EXPECT_EQ(one->attempts, 3);
  EXPECT_THAT(one->transcript, HasSubstr("--- step 3 (advance) at 0s\n"));
  EXPECT_THAT(one->transcript, HasSubstr("--- step 4 (schedule) at 30s\n"));
  EXPECT_THAT(one->transcript, HasSubstr("bind web to large: the scenario lets this binding fail"));
  EXPECT_THAT(one->transcript, HasSubstr("--- end\nhuge is pending\nweb is on large\n"));
}

TEST(RunScenario, TranscriptShowsScoresWithAndWithoutResultCache) {
  const auto scenario = Parse(std::string(kCluster) + "steps: [schedule]", "a.yaml");
  ASSERT_TRUE(scenario);
  const auto kept = RunScenario(*scenario),
             computed = RunScenario(*scenario, {.result_cache_bytes = 0});
  ASSERT_TRUE(kept && computed);
  EXPECT_EQ(kept->transcript, computed->transcript);
  EXPECT_THAT(kept->transcript, HasSubstr("NodeResourcesFit scores large 75, 75"));
  EXPECT_THAT(kept->transcript, HasSubstr("large totals 450"));
}

}  // namespace
}  // namespace berth::scenario
