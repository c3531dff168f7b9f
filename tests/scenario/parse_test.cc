// SPDX-License-Identifier: Apache-2.0
#include "scenario/parse.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ParseRejection(const std::string& body) {
  const auto scenario = Parse("summary: s\n" + body, "a.yaml");
  return scenario ? "taken" : scenario.error().message();
}

Scenario Read(const std::string& body) {
  auto scenario = Parse("summary: s\n" + body, "a.yaml");
  EXPECT_TRUE(scenario) << scenario.error().message();
  return scenario ? *scenario : Scenario();
}

TEST(ParseScenario, ErrorsNameFilePathAndNearestName) {
  EXPECT_EQ(ParseRejection("step: []"), "a.yaml: unknown field \"step\"; nearest: steps");
  EXPECT_EQ(ParseRejection("nodes: [{name: a}, {name: b, label: {}}]"),
            "a.yaml: nodes[1]: unknown field \"label\"; nearest: labels");
  EXPECT_EQ(ParseRejection("steps: [schedule, {expect: {placement: {}}}]"),
            "a.yaml: steps[1]: unknown field \"expect.placement\"; nearest: placements");
  EXPECT_EQ(ParseRejection("steps: [{create: {pods: [{name: a, labels: 1}]}}]"),
            "a.yaml: steps[0]: create.pods[0]: labels: expected an object, found a number (1)");
  EXPECT_THAT(ParseRejection("profile: {plugins: {filtr: {}}}"),
              HasSubstr("a.yaml: unknown field \"profile.plugins.filtr\"; nearest: filter"));
  EXPECT_THAT(ParseRejection("nodes: [{"), HasSubstr("a.yaml: line "));
}

TEST(ParseScenario, RejectsInvalidSteps) {
  EXPECT_EQ(ParseRejection("steps: [run]"),
            "a.yaml: steps[0]: expected an object with one key, or \"schedule\"");
  EXPECT_EQ(ParseRejection("steps: [{schedule: all, advance: 1s}]"),
            "a.yaml: steps[0]: expected a step with one key, found 2");
  EXPECT_EQ(ParseRejection("steps: [{advance: }]"), "a.yaml: steps[0]: advance: must not be empty");
  EXPECT_EQ(ParseRejection("steps: [{advance: 0s}]"),
            "a.yaml: steps[0]: advance: must be above 0s");
  EXPECT_EQ(
      ParseRejection("steps: [{schedule: none}]"),
      "a.yaml: steps[0]: schedule: none is invalid; allowed: all, or a number of attempts above 0");
  EXPECT_EQ(
      ParseRejection("steps: [{schedule: 0}]"),
      "a.yaml: steps[0]: schedule: 0 is invalid; allowed: all, or a number of attempts above 0");
  EXPECT_EQ(ParseRejection("steps: [{bind: {}}]"),
            "a.yaml: steps[0]: bind: set exactly one of fail and answers");
  EXPECT_THAT(ParseRejection("steps: [{bind: {fail: Conflicts}}]"),
              HasSubstr("bind.fail: \"Conflicts\" is invalid; allowed: Conflict, NotFound,"));
  EXPECT_THAT(ParseRejection("steps: [{bind: {fail: Conflict, nth: 0}}]"),
              HasSubstr("bind.nth: 0"));
  EXPECT_THAT(ParseRejection("steps: [{bind: {answers: never}}]"),
              HasSubstr("allowed: now, later"));
  EXPECT_THAT(ParseRejection("steps: [{bind: {answers: now, pod: web}}]"),
              HasSubstr("pod and nth require fail"));
}

TEST(ParseScenario, RejectsInvalidExpectations) {
  EXPECT_THAT(ParseRejection("expect: {results: {schedule: 1}}"),
              HasSubstr("unknown result \"schedule\"; allowed: scheduled, unschedulable, error"));
  EXPECT_THAT(ParseRejection("expect: {reasons: {web: {}}}"),
              HasSubstr("expect.reasons.web: set exactly one of is and contains"));
  EXPECT_THAT(ParseRejection("expect: {queue: {activ: []}}"), HasSubstr("nearest: active"));
}

TEST(ParseScenario, RejectsLongSummaryAndProfileWithProfiles) {
  EXPECT_EQ(Parse("nodes: []", "a.yaml").error().message(), "a.yaml: summary: must be one line");
  EXPECT_THAT(ParseRejection("profile: {}\nprofiles: [{schedulerName: a}]"),
              HasSubstr("profile: cannot be combined with profiles"));
}

TEST(ParseScenario, SchedulesBeforeASingleExpectation) {
  const Scenario alone = Read("expect: {}");
  ASSERT_EQ(alone.steps.size(), 2u);
  EXPECT_EQ(alone.steps[0].where, "schedule");
  EXPECT_TRUE(std::holds_alternative<Schedule>(alone.steps[0].action));
  EXPECT_EQ(alone.steps[1].where, "expect");

  const Scenario last = Read("steps: [{advance: 1s}]\nexpect: {}");
  ASSERT_EQ(last.steps.size(), 2u);
  EXPECT_EQ(last.steps[0].where, "step 1 (advance)");
  EXPECT_THAT(Read("nodes: []").steps, IsEmpty());
}

TEST(ParseScenario, ReadsEveryStepType) {
  const Scenario scenario = Read(R"(
seed: 7
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
profile: {percentageOfNodesToScore: 50}
nodes: [{name: node, count: 2}]
steps:
  - create: {pods: [{name: web, count: 3}]}
  - update: {nodes: [{name: node-0, unschedulable: true}]}
  - delete: {nodes: [node-1], pods: [web-0, blue/web]}
  - schedule: 2
  - schedule:
  - advance: 1m30s
  - bind: {fail: Conflict, pod: web, nth: 2}
  - bind: {answers: later}
  - reload: {refused: because}
  - expect: {placements: {a: node-0, b: [node-0, node-1]}, reasons: {a: all, b: {contains: part}}}
)");
  EXPECT_EQ(scenario.seed, 7);
  EXPECT_EQ(scenario.initial_backoff, std::chrono::seconds(2));
  EXPECT_EQ(scenario.max_backoff, std::chrono::seconds(20));
  EXPECT_EQ(scenario.profiles.at(0).percentage_of_nodes_to_score, 50);
  EXPECT_EQ(scenario.cluster.nodes.size(), 2u);
  const auto& steps = scenario.steps;
  ASSERT_EQ(steps.size(), 10u);
  EXPECT_EQ(std::get<Create>(steps[0].action).objects.pods.size(), 3u);
  EXPECT_EQ(std::get<Update>(steps[1].action).patches.nodes.at(0).key, "node-0");
  EXPECT_THAT(std::get<Delete>(steps[2].action).pods, ElementsAre("default/web-0", "blue/web"));
  EXPECT_EQ(std::get<Schedule>(steps[3].action).attempts, 2);
  EXPECT_GT(std::get<Schedule>(steps[4].action).attempts, 1'000'000);
  EXPECT_EQ(std::get<Advance>(steps[5].action).by, std::chrono::seconds(90));
  EXPECT_EQ(std::get<BindFault>(steps[6].action).fail, Reason::kConflict);
  EXPECT_EQ(std::get<BindFault>(steps[6].action).pod, "default/web");
  EXPECT_EQ(std::get<BindFault>(steps[6].action).nth, 2);
  EXPECT_EQ(std::get<BindFault>(steps[7].action).answers, BindFault::Answers::kLater);
  EXPECT_EQ(std::get<Reload>(steps[8].action).rejected, "because");
  const auto& expect = std::get<Expectation>(steps[9].action);
  EXPECT_THAT(expect.placements.at("a"), ElementsAre("node-0"));
  EXPECT_THAT(expect.placements.at("b"), ElementsAre("node-0", "node-1"));
  EXPECT_EQ(expect.reasons.at("a").is, "all");
  EXPECT_EQ(expect.reasons.at("b").contains, "part");
  EXPECT_FALSE(expect.queue.has_value());
}

}  // namespace
}  // namespace berth::scenario
