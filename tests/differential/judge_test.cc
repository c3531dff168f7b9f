// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Scenario OneScenario() { return {.area = "area", .name = "one", .expect = {{"web", {"n1"}}}}; }

// Returns a transcript of one step in which web is bound to a node.
Json Bound(const std::string& node) {
  const Json event = {{"note", "Successfully assigned area-one/web to " + node}};
  return Json::array({{{"after", "begin"},
                       {"pods", {{"web", {{"node", node}, {"events", Json::array({event})}}}}}}});
}

Json Then(Json transcript, const std::string& after, const Json& web) {
  transcript.push_back({{"after", after}, {"pods", {{"web", web}}}});
  return transcript;
}

Settings Known(const std::string& where) {
  Settings settings;
  settings.differences = {
      {.id = "id", .what = "w", .why = "y", .where = where, .scenarios = {"area/one"}}};
  return settings;
}

TEST(Judge, FindsNoDifferenceInEqualOutcomes) {
  const Finding finding = Compare(OneScenario(), {Bound("n1"), Bound("n1")}, {});
  EXPECT_THAT(finding.lines, IsEmpty());
  EXPECT_THAT(finding.known, IsEmpty());
}

TEST(Judge, ReportsADifferenceOnceAtItsFirstStep) {
  const Json kube = Then(Then(Bound("n1"), "update", {{"node", "n1"}}), "wait", {{"node", "n1"}});
  const Json gone = {{"gone", true}, {"node", "n1"}};
  const Json berth = Then(Then(Bound("n1"), "update", gone), "wait", gone);
  Scenario scenario = OneScenario();
  scenario.expect = {};
  EXPECT_THAT(Compare(scenario, {kube, berth}, {}).lines,
              ElementsAre("after 1 (update): pods.web.gone: true, expected nothing"));
}

TEST(Judge, ReportsBothSchedulersAgainstTheExpectation) {
  EXPECT_THAT(Compare(OneScenario(), {Bound("n2"), Bound("n2")}, {}).lines,
              ElementsAre("end.web: kube-scheduler has it n2, expected n1",
                          "end.web: berth has it n2, expected n1"));
}

TEST(Judge, ComparesGroupsAndTheirState) {
  const auto with = [](const std::string& status) {
    Json transcript = Bound("n1");
    transcript[0]["groups"]["train"]["conditions"]["PodGroupInitiallyScheduled"] = {
        {"status", status}};
    return transcript;
  };
  Scenario scenario = OneScenario();
  scenario.expect["PodGroup/train"] = {"scheduled"};
  scenario.expect["PodGroup/other"] = {"gone"};
  EXPECT_THAT(Compare(scenario, {with("True"), with("True")}, {}).lines, IsEmpty());
  EXPECT_THAT(Compare(scenario, {with("True"), with("False")}, {}).lines,
              ElementsAre("end.PodGroup/train: berth has it waiting, expected scheduled",
                          "after 0 (begin): groups.train.conditions.PodGroupInitiallyScheduled."
                          "status: \"False\", expected \"True\""));
}

TEST(Judge, PodsThatAreAlikeMaySwapTheirPlaces) {
  const auto with = [](const std::string& first, const std::string& second) {
    return Json::array(
        {{{"after", "begin"},
          {"pods", {{"train-0", {{"node", first}}}, {"train-1", {{"node", second}}}}}}});
  };
  const Scenario scenario{
      .area = "area", .name = "one", .expect = {{"train", {"n2", "n1"}}}, .alike = {"train"}};
  EXPECT_THAT(Compare(scenario, {with("n1", "n2"), with("n2", "n1")}, {}).lines, IsEmpty());
  EXPECT_THAT(Compare(scenario, {with("n1", "n2"), with("n2", "n2")}, {}).lines,
              ElementsAre("end.train: berth has them n2, n2, expected n1, n2",
                          "after 0 (begin): pods.train-*0.node: \"n2\", expected \"n1\""));
}

TEST(Judge, ComparesVolumesAndTheirClaims) {
  const auto with = [](const std::string& claim) {
    Json transcript = Bound("n1");
    transcript[0]["volumes"] = {{"pv1", {{"claim", claim}}}};
    return transcript;
  };
  Scenario scenario = OneScenario();
  scenario.expect["PersistentVolumeClaim/data"] = {"pv1"};
  EXPECT_THAT(Compare(scenario, {with("data"), with("data")}, {}).lines, IsEmpty());
  EXPECT_THAT(Compare(scenario, {with("data"), with("logs")}, {}).lines,
              ElementsAre("end.PersistentVolumeClaim/data: berth has it unbound, expected pv1",
                          "after 0 (begin): volumes.pv1.claim: \"logs\", expected \"data\""));
}

TEST(Judge, ComparesExtenderCallsAndNullWithAbsent) {
  const auto with = [](const Json& body) {
    Json transcript = Bound("n1");
    transcript[0]["calls"] = {{"web", Json::array({{{"body", body}}})}};
    return transcript;
  };
  EXPECT_THAT(Compare(OneScenario(), {with({{"Nodes", nullptr}}), with(Json::object())}, {}).lines,
              ElementsAre("after 0 (begin): calls.web.0.body.Nodes: nothing, expected null"));
}

TEST(Judge, AllowsAnOpenChoice) {
  Scenario scenario = OneScenario();
  scenario.expect = {{"web", {"n1", "n2"}}};
  EXPECT_THAT(Compare(scenario, {Bound("n1"), Bound("n2")}, {}).lines, IsEmpty());
  EXPECT_THAT(Compare(scenario, {Bound("n1"), Bound("n3")}, {}).lines,
              Contains("end.web: berth has it n3, expected n1 or n2"));
}

TEST(Judge, AcceptsOnlyDeliberateDifferences) {
  Scenario scenario = OneScenario();
  scenario.expect = {};
  const Finding known = Compare(scenario, {Bound("n1"), Bound("n2")}, Known("pods.web"));
  EXPECT_THAT(known.lines, IsEmpty());
  EXPECT_THAT(known.known, ElementsAre("id"));
  EXPECT_THAT(Compare(scenario, {Bound("n1"), Bound("n2")}, Known("web.node")).lines,
              ElementsAre(HasSubstr("web.events.0.note")));
}

TEST(Judge, ReportsWhyAScenarioFailed) {
  const Outcome outcome{Bound("n1"), Fail(Reason::kTimeout, "not bound")};
  EXPECT_THAT(Compare(OneScenario(), outcome, {}).lines, ElementsAre("berth: not bound"));
}

TEST(Judge, FailsForDifferencesOutsideOpenAreas) {
  const std::vector<Scenario> scenarios = {OneScenario()};
  const Finding differs{.lines = {"after 1 (update): x"}, .known = {}};
  const Report report = Summarize(scenarios, {differs}, {});
  EXPECT_FALSE(report.good);
  EXPECT_THAT(report.text, HasSubstr("area/one: after 1 (update): x\n"));
  EXPECT_TRUE(Summarize(scenarios, {differs}, {.open_areas = {"area"}}).good);
  EXPECT_TRUE(Summarize(scenarios, {{.lines = {}, .known = {"id"}}}, Known("x")).good);
  const Report stale = Summarize(scenarios, {Finding{}}, Known("x"));
  EXPECT_FALSE(stale.good);
  EXPECT_THAT(stale.text, HasSubstr("area/one: stale difference \"id\""));
}

}  // namespace
}  // namespace berth::differential
