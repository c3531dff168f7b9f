// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/run_fixture.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/conformance/cluster.h"
#include "tests/conformance/cycle_answers.h"
#include "tests/conformance/plugin_answers.h"
#include "tests/conformance/warm_up.h"
#include "tests/scheduler/testing/random.h"

namespace berth::conformance {
namespace {

using Json = nlohmann::json;

constexpr size_t kShownLength = 300;

std::string Shown(const Json& value) {
  if (value.is_null()) return "nothing";
  std::string text = value.dump();
  if (text.size() > kShownLength) text = text.substr(0, kShownLength) + "...";
  return text;
}

// Descends into objects, so that a difference names the plugin and the node.
void CompareValues(const std::string& path, const Json& expected, const Json& answer,
                   std::vector<std::string>& differences) {
  if (expected == answer) return;
  if (!expected.is_object() || !answer.is_object()) {
    differences.push_back(path + ": expected " + Shown(expected) + ", found " + Shown(answer));
    return;
  }
  std::set<std::string> keys;
  for (const auto& [key, value] : expected.items()) keys.insert(key);
  for (const auto& [key, value] : answer.items()) keys.insert(key);
  for (const std::string& key : keys) {
    CompareValues(path.empty() ? key : path + "." + key, expected.value(key, Json()),
                  answer.value(key, Json()), differences);
  }
}

// Returns the part of a preemption's message that depends on the chosen candidate.
std::string ChoiceText(const Json& preemption, const std::string& node) {
  const Json& victims = preemption.at("candidates").at(node).at("pods");
  return "on node " + node + ", preempting " + std::to_string(victims.size()) + " victims";
}

void Replace(const std::string& part, const std::string& other, Json& text) {
  if (!text.is_string()) return;
  auto changed = text.get<std::string>();
  const size_t at = changed.find(part);
  if (at != std::string::npos) text = changed.replace(at, part.size(), other);
}

// Replaces the nominated node with the recorded one if both are among equally good nodes. The
// recorded one is the node in the message.
void AcceptAnyOf(const Json& expected, Json& answer) {
  const Json::json_pointer one_of("/preemption/oneOf");
  if (!expected.contains(one_of) || !answer.contains("preemption")) return;
  Json& ours = answer["preemption"];
  const Json& nodes = expected.at(one_of);
  const std::string nominated = ours.value("nominatedNode", "");
  if (std::find(nodes.begin(), nodes.end(), nominated) == nodes.end()) return;
  ours["oneOf"] = nodes;
  ours.erase("nominatedNode");
  ours.erase("victims");
  const Json& recorded = expected.at("preemption");
  const std::string message = recorded.value("message", "");
  for (const Json& node : nodes) {
    const std::string choice = ChoiceText(recorded, node.get<std::string>());
    if (message.find(choice) == std::string::npos) continue;
    for (Json* text : {&ours["message"], &answer["finalError"]}) {
      Replace(ChoiceText(ours, nominated), choice, *text);
    }
  }
}

// Compares the node of a sequence's pod, the first of `pick` by name. Then places the pod on its
// recorded node, so that the following steps start from the same state.
std::vector<std::string> PlaceStep(Cluster& cluster, const scheduler::PendingPod& pod,
                                   const Step& step, const Json& answer) {
  const auto pick = answer.find("pick");
  const std::string node = pick == answer.end() ? "" : pick->front().get<std::string>();
  std::vector<std::string> differences;
  if (node != *step.node) {
    differences.push_back("node: expected " + Shown(*step.node) + ", found " + Shown(node));
  }
  if (step.node->empty()) return differences;
  if (const auto placed = cluster.Place(pod, *step.node); !placed) {
    differences.push_back(placed.error().message());
  }
  return differences;
}

}  // namespace

std::vector<std::string> Compare(const Json& expected, const Json& answer) {
  std::vector<std::string> differences;
  CompareValues("", expected, answer, differences);
  return differences;
}

std::vector<std::string> RunFixture(const Fixture& fixture, const scheduler::Registry& registry,
                                    ResultCacheMode mode) {
  auto cluster = Cluster::Create(fixture, registry, mode);
  if (!cluster) return {cluster.error().message()};

  std::vector<std::string> differences;
  for (size_t i = 0; i < fixture.steps.size(); ++i) {
    const Step& step = fixture.steps[i];
    if (mode == ResultCacheMode::kWarm) {
      WarmUp(**cluster, *step.pod, scheduler::testing::SeedOf(fixture.name) + i);
    }
    const auto pod = (*cluster)->InfoOf(step.pod);
    Json answer;
    if (!fixture.is_sequence) AddPluginAnswers(**cluster, *pod, answer);
    AddCycleResults(**cluster, *pod, fixture.is_sequence, answer);
    AcceptAnyOf(step.expect, answer);
    std::vector<std::string> found = Compare(step.expect, answer);
    if (fixture.is_sequence) {
      for (std::string& text : PlaceStep(**cluster, *pod, step, answer)) {
        found.push_back(std::move(text));
      }
    }
    const std::string prefix =
        fixture.is_sequence ? "steps[" + std::to_string(i) + "]." : std::string();
    for (const std::string& text : found) differences.push_back(prefix + text);
  }
  return differences;
}

}  // namespace berth::conformance
