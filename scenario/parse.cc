// SPDX-License-Identifier: Apache-2.0
#include "scenario/parse.h"

#include <utility>

#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "scenario/read_step.h"

namespace berth::scenario {
namespace {

struct Document {
  std::string summary;
  int64_t seed = 0;
  std::optional<api::KubeSchedulerProfile> profile;
  std::vector<api::KubeSchedulerProfile> profiles;
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<json::Raw> nodes;
  std::vector<json::Raw> pods;
  std::vector<json::Raw> objects;
  std::vector<json::Raw> steps;
  json::Raw expect;

  static auto Fields() {
    return json::Object(
        json::Field("summary", &Document::summary), json::Field("seed", &Document::seed),
        json::Field("profile", &Document::profile), json::Field("profiles", &Document::profiles),
        json::Field("podInitialBackoffSeconds", &Document::pod_initial_backoff_seconds),
        json::Field("podMaxBackoffSeconds", &Document::pod_max_backoff_seconds),
        json::Field("nodes", &Document::nodes), json::Field("pods", &Document::pods),
        json::Field("objects", &Document::objects), json::Field("steps", &Document::steps),
        json::Field("expect", &Document::expect));
  }
};

Result<void> AddSteps(const Document& document, Scenario& scenario) {
  for (size_t i = 0; i < document.steps.size(); ++i) {
    std::string name;
    auto action = ReadStep(document.steps[i], name);
    if (!action) return Fail(action.error().With(ItemPath("steps", i)));
    scenario.steps.push_back(
        {"step " + std::to_string(i + 1) + " (" + name + ")", std::move(*action)});
  }
  if (document.expect.text.empty()) return {};
  if (scenario.steps.empty()) scenario.steps.push_back({"schedule", Schedule{}});
  std::string name;
  BERTH_TRY(Action expect, ReadStep({"{\"expect\":" + document.expect.text + "}"}, name));
  scenario.steps.push_back({"expect", std::move(expect)});
  return {};
}

Result<Scenario> ReadScenario(std::string_view yaml) {
  BERTH_TRY(const std::string text, yaml::ToJson(yaml));
  BERTH_TRY(Document document, json::Decode<Document>(text, json::Mode::kStrict));
  if (document.summary.empty() || document.summary.find('\n') != std::string::npos) {
    return ConfigError("summary: must be one line");
  }
  Scenario scenario;
  scenario.summary = std::move(document.summary);
  scenario.seed = document.seed;
  scenario.initial_backoff = std::chrono::seconds(document.pod_initial_backoff_seconds);
  scenario.max_backoff = std::chrono::seconds(document.pod_max_backoff_seconds);
  BERTH_TRY(scenario.profiles,
            ReadProfiles(std::move(document.profile), std::move(document.profiles)));
  BERTH_TRY(scenario.cluster, ReadObjects(document.nodes, document.pods, document.objects, ""));
  BERTH_TRY_VOID(AddSteps(document, scenario));
  return scenario;
}

}  // namespace

Result<Scenario> Parse(std::string_view yaml, std::string_view source) {
  auto scenario = ReadScenario(yaml);
  if (!scenario) return Fail(scenario.error().With(source));
  scenario->source = source;
  return scenario;
}

}  // namespace berth::scenario
