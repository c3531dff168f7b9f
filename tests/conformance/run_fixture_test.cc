// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/run_fixture.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/registry.h"

namespace berth::conformance {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two nodes; the pod fits only one of them.
constexpr const char* kCase = R"json({
  "name": "made-000", "seed": 1,
  "config": {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
    "profiles": [{"percentageOfNodesToScore": 100, "schedulerName": "default-scheduler",
      "plugins": {"multiPoint": {"disabled": [{"name": "*"}],
        "enabled": [{"name": "PrioritySort"}, {"name": "DefaultBinder"}, {"name": "NodeName"}]}}}]},
  "objects": {
    "nodes": [{"metadata": {"name": "a", "uid": "a"}}, {"metadata": {"name": "b", "uid": "b"}}],
    "pods": []},
  "pod": {"metadata": {"name": "p", "namespace": "default", "uid": "p"}, "spec": {"nodeName": "b"}},
  "expect": {
    "nodeOrder": ["a", "b"],
    "preFilter": {"NodeName": {"code": "Success", "nodeNames": ["b"]}},
    "pluginFilter": {"NodeName": {"a": {"code": "UnschedulableAndUnresolvable",
      "reasons": ["node(s) didn't match the requested node name"]}}},
    "filter": {"a": {"code": "UnschedulableAndUnresolvable",
      "reasons": ["node(s) didn't satisfy plugin(s) [NodeName]"]}, "b": {"code": "Success"}},
    "feasible": ["b"], "total": {"b": 1}, "best": ["b"], "pick": ["b"]}})json";

std::vector<std::string> DifferencesOf(const json& document) {
  const auto fixture = ParseFixture(document.dump());
  if (!fixture) return {"not a fixture: " + fixture.error().message()};
  // All modes must give the same differences.
  const auto registry = scheduler::MakeRegistry();
  auto differences = RunFixture(*fixture, registry, ResultCacheMode::kOff);
  EXPECT_EQ(RunFixture(*fixture, registry, ResultCacheMode::kCold), differences);
  EXPECT_EQ(RunFixture(*fixture, registry, ResultCacheMode::kWarm), differences);
  return differences;
}

TEST(RunFixture, PassesIfEveryFieldIsEqual) {
  EXPECT_THAT(DifferencesOf(json::parse(kCase)), IsEmpty());
}

TEST(RunFixture, ReportsTheFieldThatDiffers) {
  json changed = json::parse(kCase);
  changed["expect"]["filter"]["b"]["code"] = "Unschedulable";
  EXPECT_THAT(DifferencesOf(changed),
              ElementsAre(R"(filter.b.code: expected "Unschedulable", found "Success")"));
}

TEST(RunFixture, ReportsAFieldThatOnlyOneSideHas) {
  json changed = json::parse(kCase);
  changed["expect"]["volumes"] = {{"b", {{"static", json::array()}}}};
  changed["expect"].erase("total");
  EXPECT_THAT(DifferencesOf(changed),
              ElementsAre(HasSubstr("total: expected nothing"), HasSubstr("found nothing")));
}

TEST(RunFixture, FailsForAnUnservedPlugin) {
  json changed = json::parse(kCase);
  changed["config"]["profiles"][0]["plugins"]["multiPoint"]["enabled"].push_back(
      {{"name", "PodGroupPodsCount"}});
  EXPECT_THAT(DifferencesOf(changed),
              ElementsAre(HasSubstr("PodGroupPodsCount is not served by this version")));
}

TEST(RunFixture, StepsSeeThePodsPlacedBefore) {
  json sequence = json::parse(kCase);
  sequence["config"]["profiles"][0]["plugins"]["multiPoint"]["enabled"][2]["name"] = "NodePorts";
  const auto pod = [](const std::string& name) {
    json document = json::parse(R"({"metadata": {"namespace": "default"},
                                    "spec": {"containers": [{"ports": [{"hostPort": 80}]}]}})");
    document["metadata"]["name"] = name;
    document["metadata"]["uid"] = name;
    return document;
  };
  sequence.erase("pod");
  sequence["podSequence"] = json::array({pod("p1"), pod("p2")});
  const json both = json::parse(R"({"feasible": ["a", "b"], "total": {"a": 1, "b": 1},
                                    "best": ["a", "b"], "pick": ["a", "b"]})");
  const json only_b = json::parse(R"({
      "filter": {"a": {"plugin": "NodePorts", "code": "Unschedulable",
        "reasons": ["node(s) didn't have free ports for the requested pod ports"]}},
      "feasible": ["b"], "total": {"b": 1}, "best": ["b"], "pick": ["b"]})");
  const auto step = [](const char* node, const json& expect) {
    return json{{"node", node}, {"expect", expect}};
  };
  sequence["steps"] = json::array({step("a", both), step("b", only_b)});
  EXPECT_THAT(DifferencesOf(sequence), IsEmpty());

  sequence["steps"][0]["node"] = "b";
  EXPECT_THAT(DifferencesOf(sequence), Contains(R"(steps[0].node: expected "b", found "a")"));
  EXPECT_THAT(DifferencesOf(sequence),
              Contains(R"(steps[1].feasible: expected ["b"], found ["a"])"))
      << "the first pod is on its recorded node";
}

// Returns 200 nodes, every fourth cordoned. The search stops early if the profile has no score
// plugins, and with score plugins if 50 percent are enough.
json CaseOf200Nodes(const std::vector<std::string>& plugins, int percentage) {
  json document = json::parse(kCase);
  json& profile = document["config"]["profiles"][0];
  profile["percentageOfNodesToScore"] = percentage;
  json& enabled = profile["plugins"]["multiPoint"]["enabled"];
  enabled.erase(2);
  for (const std::string& plugin : plugins) enabled.push_back({{"name", plugin}});
  document["pod"]["spec"] = json::object();
  json nodes, expect;
  expect["preFilter"]["NodeUnschedulable"]["code"] = "Success";
  for (size_t i = 0; i < 200; ++i) {
    const std::string name = "n" + std::to_string(1000 + i);
    json node = {{"metadata", {{"name", name}, {"uid", name}}}};
    expect["nodeOrder"].push_back(name);
    if (i % 4 == 0) {
      node["spec"]["unschedulable"] = true;
      json rejection = {{"code", "UnschedulableAndUnresolvable"},
                        {"reasons", json::array({"node(s) were unschedulable"})}};
      expect["pluginFilter"]["NodeUnschedulable"][name] = rejection;
      rejection["plugin"] = "NodeUnschedulable";
      expect["filter"][name] = rejection;
    } else {
      expect["filter"][name]["code"] = "Success";
      for (const char* field : {"feasible", "best", "pick"}) expect[field].push_back(name);
      expect["total"][name] = 1;
    }
    nodes.push_back(node);
  }
  document["objects"]["nodes"] = nodes;
  document["expect"] = expect;
  return document;
}

TEST(RunFixture, FiltersAllNodesIfTheSearchStopsAtTheFirst) {
  EXPECT_THAT(DifferencesOf(CaseOf200Nodes({"NodeUnschedulable"}, 100)), IsEmpty());
}

TEST(RunFixture, FiltersAndScoresAllNodesDespiteThePercentage) {
  json document = CaseOf200Nodes({"NodeUnschedulable", "NodeNameLength"}, 50);
  json& expect = document["expect"];
  constexpr int kScore = 75;  // for a name of 5 characters
  for (const json& node : expect["feasible"]) {
    const auto name = node.get<std::string>();
    for (const char* field : {"score", "normalized"})
      expect[field]["NodeNameLength"][name] = kScore;
    expect["total"][name] = kScore;
  }
  expect["weights"]["NodeNameLength"] = 1;
  EXPECT_THAT(DifferencesOf(document), IsEmpty());
}

TEST(RunFixture, ReportsAMissingVerdictBehindTheEndOfTheSearch) {
  json document = CaseOf200Nodes({"NodeUnschedulable"}, 100);
  document["objects"]["nodes"][199]["spec"]["unschedulable"] = true;
  EXPECT_THAT(
      DifferencesOf(document),
      Contains(R"(filter.n1199.code: expected "Success", found "UnschedulableAndUnresolvable")"));
}

TEST(RunFixture, AcceptsAPreemptionOnAnyOfEquallyGoodNodes) {
  const auto pod = [](const std::string& name, int priority, const std::string& node) {
    const json port = {{"containerPort", 80}, {"hostPort", 80}};
    const json container = {{"name", "c"}, {"ports", json::array({port})}};
    json spec = {{"priority", priority}, {"containers", json::array({container})}};
    if (!node.empty()) spec["nodeName"] = node;
    return json{{"metadata", {{"name", name}, {"namespace", "default"}, {"uid", name}}},
                {"spec", spec}};
  };
  json document = json::parse(kCase);
  json& enabled = document["config"]["profiles"][0]["plugins"]["multiPoint"]["enabled"];
  enabled[2]["name"] = "NodePorts";
  enabled.push_back({{"name", "DefaultPreemption"}});
  document["objects"]["pods"] = json::array({pod("pa", 0, "a"), pod("pb", 0, "b")});
  document["pod"] = pod("p", 9, "");
  const std::string reason = "node(s) didn't have free ports for the requested pod ports";
  const json taken = {
      {"plugin", "NodePorts"}, {"code", "Unschedulable"}, {"reasons", json::array({reason})}};
  const std::string fit_error = "0/2 nodes are available: 2 " + reason + ".";
  json expect = {{"nodeOrder", {"a", "b"}}, {"feasible", json::array()}, {"fitError", fit_error}};
  expect["preEnqueue"]["DefaultPreemption"]["code"] = "Success";
  expect["preFilter"]["NodePorts"]["code"] = "Success";
  json alone = taken;
  alone.erase("plugin");
  json& preemption = expect["preemption"];
  preemption = {{"code", "Success"}, {"oneOf", {"a", "b"}}};
  for (const std::string node : {"a", "b"}) {
    expect["pluginFilter"]["NodePorts"][node] = alone;
    expect["filter"][node] = taken;
    preemption["candidates"][node] = {{"pods", json::array({"default/p" + node})},
                                      {"numPDBViolations", 0}};
  }
  // Berth chooses one of both; the recorded message may name the other.
  for (const std::string node : {"a", "b"}) {
    const std::string message = "preemption: found a potential placement for pod on node " + node +
                                ", preempting 1 victims";
    preemption["message"] = message;
    expect["finalError"] = fit_error + " " + message;
    document["expect"] = expect;
    EXPECT_THAT(DifferencesOf(document), IsEmpty()) << node;
  }
  preemption["oneOf"] = json::array({"c"});
  document["expect"] = expect;
  EXPECT_THAT(DifferencesOf(document), Contains(HasSubstr("preemption.oneOf")));
}

TEST(ParseFixture, ReportsAnInvalidLine) {
  EXPECT_THAT(ParseFixture("{").error().message(), HasSubstr("parse error"));
  EXPECT_THAT(ParseFixture(R"({"name": "x"})").error().message(), HasSubstr("config"));
  json changed = json::parse(kCase);
  changed["config"]["profiles"][0]["wrong"] = 1;
  EXPECT_THAT(ParseFixture(changed.dump()).error().message(), HasSubstr("wrong"));
}

}  // namespace
}  // namespace berth::conformance
