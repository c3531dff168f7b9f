// SPDX-License-Identifier: Apache-2.0
#include "scenario/read_step.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/int_or_string.h"
#include "base/json/document.h"
#include "base/json/json.h"
#include "base/strings.h"

namespace berth::scenario {
namespace {

using Json = nlohmann::json;

struct ObjectsDocument {
  std::vector<json::Raw> nodes;
  std::vector<json::Raw> pods;
  std::vector<json::Raw> objects;

  static auto Fields() {
    return json::Object(json::Field("nodes", &ObjectsDocument::nodes),
                        json::Field("pods", &ObjectsDocument::pods),
                        json::Field("objects", &ObjectsDocument::objects));
  }
};

struct NamesDocument {
  std::vector<std::string> nodes;
  std::vector<std::string> pods;
  std::vector<std::string> objects;

  static auto Fields() {
    return json::Object(json::Field("nodes", &NamesDocument::nodes),
                        json::Field("pods", &NamesDocument::pods),
                        json::Field("objects", &NamesDocument::objects));
  }
};

struct BindDocument {
  std::string fail;
  std::string pod;
  std::optional<int32_t> nth;
  std::string answers;

  static auto Fields() {
    return json::Object(
        json::Field("fail", &BindDocument::fail), json::Field("pod", &BindDocument::pod),
        json::Field("nth", &BindDocument::nth), json::Field("answers", &BindDocument::answers));
  }
};

struct ReloadDocument {
  std::optional<api::KubeSchedulerProfile> profile;
  std::vector<api::KubeSchedulerProfile> profiles;
  std::string rejected;

  static auto Fields() {
    return json::Object(json::Field("profile", &ReloadDocument::profile),
                        json::Field("profiles", &ReloadDocument::profiles),
                        json::Field("refused", &ReloadDocument::rejected));
  }
};

struct StepDocument {
  std::optional<ObjectsDocument> create;
  std::optional<ObjectsDocument> update;
  std::optional<NamesDocument> delete_;
  std::optional<IntOrString> schedule;
  std::optional<Duration> advance;
  std::optional<BindDocument> bind;
  std::optional<ReloadDocument> reload;
  std::optional<Expectation> expect;

  static auto Fields() {
    return json::Object(
        json::Field("create", &StepDocument::create), json::Field("update", &StepDocument::update),
        json::Field("delete", &StepDocument::delete_),
        json::Field("schedule", &StepDocument::schedule),
        json::Field("advance", &StepDocument::advance), json::Field("bind", &StepDocument::bind),
        json::Field("reload", &StepDocument::reload), json::Field("expect", &StepDocument::expect));
  }
};

Result<std::vector<Template>> ExpandAll(Kind kind, const std::vector<json::Raw>& written,
                                        std::string_view path) {
  std::vector<Template> all;
  for (size_t i = 0; i < written.size(); ++i) {
    auto templates = Expand(kind, written[i]);
    if (!templates) return Fail(templates.error().With(ItemPath(path, i)));
    std::move(templates->begin(), templates->end(), std::back_inserter(all));
  }
  return all;
}

Result<BindFault> BindFaultOf(const BindDocument& document) {
  BindFault fault;
  if (document.fail.empty() == document.answers.empty()) {
    return ConfigError("bind: set exactly one of fail and answers");
  }
  if (!document.answers.empty()) {
    if (document.answers != "now" && document.answers != "later") {
      return ConfigError("bind.answers: \"" + document.answers +
                         "\" is invalid; allowed: now, later");
    }
    if (!document.pod.empty() || document.nth) {
      return ConfigError("bind: pod and nth require fail");
    }
    fault.answers =
        document.answers == "now" ? BindFault::Answers::kNow : BindFault::Answers::kLater;
    return fault;
  }
  // The API server's reasons, and the reason for a missing response.
  constexpr std::array kReasons = {Reason::kConflict,      Reason::kNotFound,
                                   Reason::kForbidden,     Reason::kTooManyRequests,
                                   Reason::kInternalError, Reason::kServiceUnavailable,
                                   Reason::kTimeout,       Reason::kUnavailable};
  std::vector<std::string> words;
  for (const Reason reason : kReasons) {
    words.emplace_back(ToString(reason));
    if (words.back() == document.fail) fault.fail = reason;
  }
  if (!fault.fail) {
    return ConfigError("bind.fail: \"" + document.fail +
                       "\" is invalid; allowed: " + Join(words, ", "));
  }
  if (document.nth && *document.nth < 1) {
    return ConfigError("bind.nth: " + std::to_string(*document.nth) + " must be at least 1");
  }
  if (!document.pod.empty()) fault.pod = PodKey(document.pod);
  fault.nth = document.nth.value_or(1);
  return fault;
}

Result<Schedule> ScheduleOf(const IntOrString& attempts) {
  if (attempts.IsInt() && attempts.number() > 0) return Schedule{attempts.number()};
  if (attempts.word() == "all") return Schedule{};
  return ConfigError("schedule: " + attempts.ToString() +
                     " is invalid; allowed: all, or a number of attempts above 0");
}

Result<void> CheckMessages(const std::map<std::string, Message>& messages,
                           const std::string& path) {
  for (const auto& [name, message] : messages) {
    if (message.is.has_value() == message.contains.has_value()) {
      return ConfigError(path + "." + name + ": set exactly one of is and contains");
    }
  }
  return {};
}

Result<Expectation> ExpectationOf(Expectation expect) {
  BERTH_TRY_VOID(CheckMessages(expect.reasons, "expect.reasons"));
  BERTH_TRY_VOID(CheckMessages(expect.group_conditions, "expect.groupConditions"));
  static const std::vector<std::string> kResults = {"scheduled", "unschedulable", "error"};
  for (const auto& [result, count] : expect.results) {
    if (std::find(kResults.begin(), kResults.end(), result) == kResults.end()) {
      return ConfigError("expect.results: unknown result \"" + result +
                         "\"; allowed: " + Join(kResults, ", "));
    }
  }
  return expect;
}

// Expands the short forms: `schedule` alone, one node instead of a list, a text instead of {is:
// text}.
void Normalize(Json& step) {
  if (step == "schedule") step = {{"schedule", "all"}};
  if (!step.is_object()) return;
  if (step.contains("schedule") && step["schedule"].is_null()) step["schedule"] = "all";
  if (!step.contains("expect") || !step["expect"].is_object()) return;
  Json& expect = step["expect"];
  if (expect.contains("placements") && expect["placements"].is_object()) {
    for (Json& nodes : expect["placements"]) {
      if (nodes.is_string()) nodes = Json::array({nodes});
    }
  }
  for (const char* part : {"reasons", "groupConditions"}) {
    if (!expect.contains(part) || !expect[part].is_object()) continue;
    for (Json& message : expect[part]) {
      if (message.is_string()) message = {{"is", message}};
    }
  }
}

Result<Action> ActionOf(StepDocument step) {
  if (step.create) {
    BERTH_TRY(Objects objects,
              ReadObjects(step.create->nodes, step.create->pods, step.create->objects, "create."));
    return Create{std::move(objects)};
  }
  if (step.update) {
    BERTH_TRY(Objects patches,
              ReadObjects(step.update->nodes, step.update->pods, step.update->objects, "update."));
    return Update{std::move(patches)};
  }
  if (step.delete_) {
    Delete names{std::move(step.delete_->nodes), {}, {}};
    for (const std::string& pod : step.delete_->pods) names.pods.push_back(PodKey(pod));
    for (const std::string& each : step.delete_->objects) names.others.push_back(ManifestKey(each));
    return names;
  }
  if (step.schedule) return ScheduleOf(*step.schedule);
  if (step.advance) {
    if (step.advance->length().count() <= 0) return ConfigError("advance: must be above 0s");
    return Advance{step.advance->length()};
  }
  if (step.bind) return BindFaultOf(*step.bind);
  if (step.reload) {
    auto profiles = ReadProfiles(std::move(step.reload->profile), std::move(step.reload->profiles));
    if (!profiles) return Fail(profiles.error().With("reload"));
    return Reload{std::move(*profiles), std::move(step.reload->rejected)};
  }
  return ExpectationOf(std::move(*step.expect));
}

}  // namespace

Result<Action> ReadStep(const json::Raw& written, std::string& name) {
  Json step = json::ReadDocument(written.text);
  Normalize(step);
  if (!step.is_object()) {
    return ConfigError("expected an object with one key, or \"schedule\"");
  }
  BERTH_TRY(StepDocument document,
            json::Decode<StepDocument>(json::DocumentText(step), json::Mode::kStrict));
  if (step.size() != 1) {
    return ConfigError("expected a step with one key, found " + std::to_string(step.size()));
  }
  name = step.begin().key();
  if (step.begin()->is_null()) return ConfigError(name + ": must not be empty");
  return ActionOf(std::move(document));
}

Result<Objects> ReadObjects(const std::vector<json::Raw>& nodes, const std::vector<json::Raw>& pods,
                            const std::vector<json::Raw>& others, const std::string& path) {
  Objects objects;
  BERTH_TRY(objects.nodes, ExpandAll(Kind::kNode, nodes, path + "nodes"));
  BERTH_TRY(objects.pods, ExpandAll(Kind::kPod, pods, path + "pods"));
  BERTH_TRY(objects.others, ReadManifests(others, path + "objects"));
  return objects;
}

Result<std::vector<api::KubeSchedulerProfile>> ReadProfiles(
    std::optional<api::KubeSchedulerProfile> one, std::vector<api::KubeSchedulerProfile> several) {
  if (one && !several.empty()) return ConfigError("profile: cannot be combined with profiles");
  if (one) several.push_back(std::move(*one));
  return several;
}

std::string ItemPath(std::string_view list, size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

}  // namespace berth::scenario
