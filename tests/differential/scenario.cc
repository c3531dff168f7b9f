// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/scenario.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "tests/differential/groups.h"
#include "tests/differential/objects.h"
#include "tests/differential/volumes.h"
#include "tests/differential/written.h"

namespace berth::differential {
namespace {

using Raws = std::vector<json::Raw>;
using NamedRaws = std::map<std::string, json::Raw>;

// The nodes, pods and other objects of a step: lists of objects, patches by name, or names.
template <class T>
struct Sorts {
  T nodes, volumes, claims, groups, pods, objects;

  static auto Fields() {
    return json::Object(
        json::Field("nodes", &Sorts::nodes), json::Field("volumes", &Sorts::volumes),
        json::Field("claims", &Sorts::claims), json::Field("groups", &Sorts::groups),
        json::Field("pods", &Sorts::pods), json::Field("objects", &Sorts::objects));
  }
};

struct StepDocument {
  std::optional<Sorts<Raws>> create;
  std::optional<Sorts<NamedRaws>> update, status;
  std::optional<NamedRaws> resize;
  std::optional<Sorts<std::vector<std::string>>> delete_;
  std::optional<NamedRaws> extenders;
  std::optional<NamedRaws> wait;
  std::optional<std::vector<std::string>> kubelet, controller;
  std::optional<std::string> scheduler;

  static auto Fields() {
    return json::Object(
        json::Field("create", &StepDocument::create), json::Field("update", &StepDocument::update),
        json::Field("status", &StepDocument::status), json::Field("resize", &StepDocument::resize),
        json::Field("delete", &StepDocument::delete_),
        json::Field("extenders", &StepDocument::extenders),
        json::Field("wait", &StepDocument::wait), json::Field("kubelet", &StepDocument::kubelet),
        json::Field("controller", &StepDocument::controller),
        json::Field("scheduler", &StepDocument::scheduler));
  }
};

struct Document {
  std::string summary;
  bool ci = false;
  std::string repeats = "counted";
  json::Raw profile;
  Raws extenders;
  std::vector<std::string> namespaces;
  Raws nodes, volumes, claims, groups, pods, objects;
  Raws steps;
  NamedRaws expect;
  std::vector<std::string> alike;

  static auto Fields() {
    return json::Object(
        json::Field("summary", &Document::summary), json::Field("ci", &Document::ci),
        json::Field("repeats", &Document::repeats), json::Field("profile", &Document::profile),
        json::Field("extenders", &Document::extenders),
        json::Field("namespaces", &Document::namespaces), json::Field("nodes", &Document::nodes),
        json::Field("volumes", &Document::volumes), json::Field("claims", &Document::claims),
        json::Field("groups", &Document::groups), json::Field("pods", &Document::pods),
        json::Field("objects", &Document::objects), json::Field("steps", &Document::steps),
        json::Field("expect", &Document::expect), json::Field("alike", &Document::alike));
  }
};

Json Parsed(const json::Raw& raw) { return raw.text.empty() ? Json() : Json::parse(raw.text); }

// Returns the index of a word in the allowed ones.
template <size_t N>
Result<size_t> WordOf(const std::string& word, const std::array<std::string_view, N>& allowed) {
  const auto found = std::find(allowed.begin(), allowed.end(), word);
  if (found != allowed.end()) return static_cast<size_t>(found - allowed.begin());
  const std::vector<std::string_view> words(allowed.begin(), allowed.end());
  return ConfigError("\"" + word + "\" is invalid; allowed: " + Join(words, ", "));
}

// Reports whether a new pod already has a node.
bool HasNode(const Operation& pod) { return pod.body["spec"].contains("nodeName"); }

Result<Change> ReadCreate(const Sorts<Raws>& written, const Defaults& defaults) {
  Change change;
  for (const json::Raw& raw : written.nodes) {
    BERTH_TRY(std::vector<Operation> nodes, CreateNodes(Parsed(raw)));
    std::ranges::move(nodes, std::back_inserter(change.cluster));
  }
  for (const json::Raw& raw : written.objects) {
    BERTH_TRY(Operation object, CreateObject(Parsed(raw), defaults));
    change.cluster.push_back(std::move(object));
  }
  for (const json::Raw& raw : written.volumes) {
    BERTH_TRY(std::vector<Operation> volumes, CreateVolumes(Parsed(raw), defaults));
    std::ranges::move(volumes, std::back_inserter(change.cluster));
  }
  for (const json::Raw& raw : written.claims) {
    BERTH_TRY(std::vector<Operation> claims, CreateClaims(Parsed(raw), defaults));
    std::ranges::move(claims, std::back_inserter(change.cluster));
  }
  for (const json::Raw& raw : written.groups) {
    BERTH_TRY(std::vector<Operation> groups, CreateGroups(Parsed(raw), defaults));
    std::ranges::move(groups, std::back_inserter(change.cluster));
  }
  for (const json::Raw& raw : written.pods) {
    BERTH_TRY(std::vector<Operation> pods, CreatePods(Parsed(raw), defaults));
    for (Operation& pod : pods) {
      auto& part = HasNode(pod) ? change.cluster : change.pods;
      part.push_back(std::move(pod));
    }
  }
  return change;
}

// Reads patches of objects, or of their part below `field`.
Result<Change> ReadPatches(const Sorts<NamedRaws>& written, const std::string& subresource,
                           const char* field, const Defaults& defaults) {
  Change change;
  const auto patch = [&](ObjectName name, const json::Raw& raw) {
    Json body = field == nullptr ? Parsed(raw) : Json{{field, Parsed(raw)}};
    return Operation{Operation::Verb::kPatch, std::move(name), std::move(body), subresource};
  };
  for (const auto& [name, raw] : written.nodes) {
    change.cluster.push_back(patch(NodeNamed(name), raw));
  }
  for (const auto& [name, raw] : written.objects) {
    BERTH_TRY(ObjectName object, ObjectNamed(name, defaults));
    change.cluster.push_back(patch(std::move(object), raw));
  }
  for (const auto& [name, raw] : written.volumes) {
    change.cluster.push_back(patch(VolumeNamed(name), raw));
  }
  for (const auto& [name, raw] : written.claims) {
    change.cluster.push_back(patch(ClaimNamed(name, defaults), raw));
  }
  for (const auto& [name, raw] : written.groups) {
    change.cluster.push_back(patch(GroupNamed(name, defaults), raw));
  }
  for (const auto& [name, raw] : written.pods) {
    change.pods.push_back(patch(PodNamed(name, defaults), raw));
  }
  return change;
}

Result<Change> ReadDelete(const Sorts<std::vector<std::string>>& written,
                          const Defaults& defaults) {
  Change change;
  const auto add = [&](ObjectName name) {
    change.cluster.push_back({Operation::Verb::kDelete, std::move(name), {}});
  };
  for (const std::string& name : written.pods) add(PodNamed(name, defaults));
  for (const std::string& name : written.nodes) add(NodeNamed(name));
  for (const std::string& name : written.groups) add(GroupNamed(name, defaults));
  for (const std::string& name : written.claims) add(ClaimNamed(name, defaults));
  for (const std::string& name : written.volumes) add(VolumeNamed(name));
  for (const std::string& name : written.objects) {
    BERTH_TRY(ObjectName object, ObjectNamed(name, defaults));
    add(std::move(object));
  }
  return change;
}

Result<Wait> ReadWait(const NamedRaws& written) {
  constexpr std::array<std::string_view, 5> kStates = {"bound", "pending", "refused", "deleting",
                                                       "gone"};
  constexpr std::array<std::string_view, 2> kStatesOfClaims = {"claimed", "selected"};
  constexpr std::array<std::string_view, 2> kStatesOfGroups = {"scheduled", "refused"};
  Wait wait;
  for (const auto& [name, raw] : written) {
    const Json value = Parsed(raw);
    if (value.is_object() && value.size() == 1 && value.contains("message")) {
      wait[name].message = value["message"];
      continue;
    }
    if (!value.is_string())
      return ConfigError(name + ": expected a state, or {message: part of the message}");
    const std::string state = value;
    BERTH_TRY_VOID(name.starts_with(kClaimPrefix)   ? WordOf(state, kStatesOfClaims)
                   : name.starts_with(kGroupPrefix) ? WordOf(state, kStatesOfGroups)
                                                    : WordOf(state, kStates));
    wait[name].state = state;
  }
  return wait;
}

// Reads words of an enum with the same order of values.
template <class Act, size_t N>
Result<std::vector<Act>> ReadActs(const std::vector<std::string>& written,
                                  const std::array<std::string_view, N>& allowed) {
  std::vector<Act> acts;
  for (const std::string& word : written) {
    BERTH_TRY(const size_t at, WordOf(word, allowed));
    acts.push_back(static_cast<Act>(at));
  }
  return acts;
}

Result<NewAnswers> ReadNewAnswers(const NamedRaws& written) {
  NewAnswers all;
  for (const auto& [extender, raw] : written) {
    auto answers = ReadAnswers(Parsed(raw));
    if (!answers) return Fail(answers.error().With(extender));
    all[extender] = std::move(*answers);
  }
  return all;
}

Result<ScenarioExtender> ReadExtender(const json::Raw& raw) {
  Json written = Parsed(raw);
  const Json name = Take(written, "name");
  if (!name.is_string()) return ConfigError("name: is missing");
  ScenarioExtender extender{.name = name};
  const Json answers = Take(written, "answers");
  if (!answers.is_null()) {
    BERTH_TRY(extender.answers, ReadAnswers(answers));
  }
  extender.config = std::move(written);
  return extender;
}

// Checks that steps only name known extenders.
Result<void> CheckAnswers(const Scenario& scenario) {
  for (const Step& step : scenario.steps) {
    const auto* answers = std::get_if<NewAnswers>(&step.action);
    if (answers == nullptr) continue;
    for (const auto& [name, of_verbs] : *answers) {
      if (std::ranges::find(scenario.extenders, name, &ScenarioExtender::name) ==
          scenario.extenders.end()) {
        return ConfigError("steps: unknown extender " + name);
      }
    }
  }
  return {};
}

Result<decltype(Step::action)> ReadAction(const StepDocument& step, const Defaults& defaults) {
  if (step.create) return ReadCreate(*step.create, defaults);
  if (step.update) return ReadPatches(*step.update, "", nullptr, defaults);
  if (step.status) return ReadPatches(*step.status, "status", "status", defaults);
  if (step.resize) return ReadPatches({.pods = *step.resize}, "resize", "spec", defaults);
  if (step.delete_) return ReadDelete(*step.delete_, defaults);
  constexpr std::array<std::string_view, 2> kOfKubelets = {"run", "end"};
  if (step.kubelet) return ReadActs<Kubelet>(*step.kubelet, kOfKubelets);
  constexpr std::array<std::string_view, 3> kOfControllers = {"claim", "provision", "bind"};
  if (step.controller) return ReadActs<Controller>(*step.controller, kOfControllers);
  if (step.extenders) return ReadNewAnswers(*step.extenders);
  if (step.wait && !step.scheduler) return ReadWait(*step.wait);
  constexpr std::array<std::string_view, 3> kWords = {"stop", "start", "restart"};
  BERTH_TRY(const size_t at, WordOf(step.scheduler.value_or(""), kWords));
  return static_cast<Control>(at);
}

// Reads an action, `wait` alone, or both.
Result<Step> ReadStep(const json::Raw& raw, const Defaults& defaults) {
  Json written = Parsed(raw);
  if (!written.is_object() || written.empty()) return ConfigError("expected a step with one key");
  BERTH_TRY(const StepDocument document, json::Decode<StepDocument>(raw.text, json::Mode::kStrict));
  const bool waits_then = document.wait && written.size() > 1;
  if (waits_then) written.erase("wait");
  if (written.size() != 1) return ConfigError("expected a step with one key and optionally wait");
  const std::string name = written.begin().key();
  auto action = ReadAction(document, defaults);
  if (!action) return Fail(action.error().With(name));
  Step step{name, std::move(*action)};
  if (!waits_then) return step;
  auto then = ReadWait(*document.wait);
  if (!then) return Fail(then.error().With("wait"));
  step.then = std::move(*then);
  return step;
}

Result<void> ReadExpect(const NamedRaws& written, Scenario& scenario) {
  for (const auto& [pod, raw] : written) {
    const Json value = Parsed(raw);
    if (value.is_string()) {
      scenario.expect[pod] = {value};
    } else if (value.is_array() && !value.empty()) {
      scenario.expect[pod] = value.get<std::vector<std::string>>();
    } else {
      return ConfigError("expect." + pod + ": expected a node, a list of nodes, pending or gone");
    }
  }
  if (written.empty()) return ConfigError("expect: is missing; set the final places of the pods");
  return {};
}

// Reads the objects that exist before the first step.
Result<void> ReadBegin(const Document& document, const Defaults& defaults, Scenario& scenario) {
  BERTH_TRY(Change begin, ReadCreate({document.nodes, document.volumes, document.claims,
                                      document.groups, document.pods, document.objects},
                                     defaults));
  if (begin.cluster.empty() && begin.pods.empty()) return {};
  scenario.steps.insert(scenario.steps.begin(), {"begin", std::move(begin)});
  return {};
}

}  // namespace

Result<Scenario> ParseScenario(std::string_view text, const std::string& area,
                               const std::string& name) {
  BERTH_TRY(const std::string json, yaml::ToJson(text));
  BERTH_TRY(const Document document, json::Decode<Document>(json, json::Mode::kStrict));
  Scenario scenario{.area = area, .name = name, .summary = document.summary};
  if (scenario.summary.empty()) return ConfigError("summary: is missing");
  scenario.ci = document.ci;
  scenario.profile = Parsed(document.profile);
  for (size_t i = 0; i < document.extenders.size(); ++i) {
    auto extender = ReadExtender(document.extenders[i]);
    if (!extender) return Fail(extender.error().With("extenders[" + std::to_string(i) + "]"));
    scenario.extenders.push_back(std::move(*extender));
  }
  scenario.namespaces = document.namespaces;
  scenario.alike = document.alike;
  constexpr std::array<std::string_view, 2> kRepeats = {"counted", "free"};
  BERTH_TRY(const size_t repeats, WordOf(document.repeats, kRepeats));
  scenario.repeats = static_cast<Repeats>(repeats);
  const Defaults defaults{scenario.ns(), scenario.scheduler_name()};
  for (size_t i = 0; i < document.steps.size(); ++i) {
    auto step = ReadStep(document.steps[i], defaults);
    if (!step) return Fail(step.error().With("steps[" + std::to_string(i) + "]"));
    scenario.steps.push_back(std::move(*step));
  }
  BERTH_TRY_VOID(CheckAnswers(scenario));
  BERTH_TRY_VOID(ReadBegin(document, defaults, scenario));
  BERTH_TRY_VOID(ReadExpect(document.expect, scenario));
  if (scenario.steps.empty()) return ConfigError("the scenario is empty; add objects or steps");
  return scenario;
}

Result<std::vector<Scenario>> ReadScenarios(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    return ConfigError("no such folder: " + folder.string());
  }
  std::vector<Scenario> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string file = entry.path().string();
    const std::string name = entry.path().stem().string();
    const std::string area = entry.path().parent_path().filename().string();
    BERTH_TRY(const std::string text, ReadFile(file));
    auto scenario = ParseScenario(text, area, name);
    if (!scenario) return Fail(scenario.error().With(file));
    all.push_back(std::move(*scenario));
  }
  std::ranges::sort(all, {}, &Scenario::title);
  return all;
}

}  // namespace berth::differential
