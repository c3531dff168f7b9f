// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/review_rules.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/names.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/store/selector.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const std::string kResource = "spec.resourceAttributes";

const json& ListAt(const json& object, const char* field) {
  static const json kNone = json::array();
  const json* list = At(object, field);
  return list == nullptr ? kNone : *list;
}

// The attributes as Go's own type has them, which is what the message shows.
std::string PathAttributes(const json& attributes) {
  return json({{"Path", attributes.value("path", "")}, {"Verb", attributes.value("verb", "")}})
      .dump();
}

// A requirement of a selector; an operator that nobody knows is let pass, for newer clients.
void CheckRequirement(const json& requirement, const std::string& path, Problems& problems) {
  const std::string op = requirement.value("operator", "");
  const bool valued = !ListAt(requirement, "values").empty();
  if ((op == "In" || op == "NotIn") && !valued) {
    problems.push_back(FieldProblem::Required(
        path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((op == "Exists" || op == "DoesNotExist") && valued) {
    problems.push_back(FieldProblem::Forbidden(
        path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
}

void CheckFieldKey(const json& requirement, const std::string& path, Problems& problems) {
  if (requirement.value("key", "").empty())
    problems.push_back(FieldProblem::Required(path + ".key", "must be specified"));
}

void CheckLabelKey(const json& requirement, const std::string& path, Problems& problems) {
  const std::string key = requirement.value("key", "");
  for (const std::string& why : CheckQualifiedName(key))
    problems.push_back(FieldProblem::InvalidJson(path + ".key", json(key).dump(), why));
  size_t index = 0;
  for (const json& value : ListAt(requirement, "values")) {
    for (const std::string& why : CheckLabelValue(value.get<std::string>())) {
      problems.push_back(FieldProblem::InvalidJson(path + ".values[" + std::to_string(index) + "]",
                                                   value.dump(), why));
    }
    ++index;
  }
}

void CheckSelector(const json& attributes, const char* name, Problems& problems) {
  const json* selector = At(attributes, name);
  if (selector == nullptr) return;
  const std::string path = kResource + "." + name;
  const std::string raw = selector->value("rawSelector", "");
  const json& requirements = ListAt(*selector, "requirements");
  if (!raw.empty() && !requirements.empty()) {
    problems.push_back(
        FieldProblem::InvalidJson(path + ".rawSelector", json(raw).dump(),
                                  "may not specified at the same time as requirements"));
  }
  if (raw.empty() && requirements.empty()) {
    problems.push_back(FieldProblem::Required(
        path + ".requirements",
        "when " + path + " is specified, requirements or rawSelector is required"));
  }
  const bool labels = std::string_view(name) == "labelSelector";
  for (size_t i = 0; i < requirements.size(); ++i) {
    const std::string at = path + ".requirements[" + std::to_string(i) + "]";
    if (!labels) CheckFieldKey(requirements[i], at, problems);
    CheckRequirement(requirements[i], at, problems);
    if (labels) CheckLabelKey(requirements[i], at, problems);
  }
}

void CheckAttributes(const json& spec, Problems& problems) {
  const json* resource = At(spec, "resourceAttributes");
  const json* path = At(spec, "nonResourceAttributes");
  if (resource != nullptr && path != nullptr) {
    problems.push_back(
        FieldProblem::InvalidJson("spec.nonResourceAttributes", PathAttributes(*path),
                                  "cannot be specified in combination with resourceAttributes"));
  }
  if (resource == nullptr && path == nullptr) {
    problems.push_back(FieldProblem::InvalidJson(
        kResource, "null",
        "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
}

void CheckMetadata(json metadata, bool local, Problems& problems) {
  json rest = metadata;
  rest.erase("managedFields");
  if (local) rest.erase("namespace");
  if (rest.empty()) return;
  problems.push_back(FieldProblem::InvalidJson(
      "metadata", metadata.dump(), local ? "must be empty except for namespace" : "must be empty"));
}

void CheckPlace(const json& review, Problems& problems) {
  const json* resource = At(review, "spec/resourceAttributes");
  const std::string name_space = resource == nullptr ? "" : resource->value("namespace", "");
  if (resource != nullptr && name_space != TextAt(review, "metadata/namespace")) {
    problems.push_back(FieldProblem::InvalidJson(kResource + ".namespace", json(name_space).dump(),
                                                 "must match metadata.namespace"));
  }
  if (const json* path = At(review, "spec/nonResourceAttributes")) {
    problems.push_back(FieldProblem::InvalidJson(
        "spec.nonResourceAttributes", PathAttributes(*path), "disallowed on this kind of request"));
  }
}

// Whether each term, between commas that are not escaped, has a value.
bool IsFieldSelector(std::string_view text) {
  bool valued = false;
  bool empty = true;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') {
      if (!empty && !valued) return false;
      valued = false;
      empty = true;
      continue;
    }
    empty = false;
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '=')
      valued = true;
  }
  return true;
}

bool IsLabelRequirement(const json& requirement) {
  static constexpr std::string_view kKnown[] = {"In", "NotIn", "Exists", "DoesNotExist"};
  const std::string op = requirement.value("operator", "");
  return std::find(std::begin(kKnown), std::end(kKnown), op) != std::end(kKnown);
}

// Fields are compared with one value only.
bool IsFieldRequirement(const json& requirement) {
  const std::string op = requirement.value("operator", "");
  return (op == "In" || op == "NotIn") && ListAt(requirement, "values").size() == 1;
}

std::string SelectorError(const json& spec, const char* name, bool (*is_raw)(std::string_view),
                          bool (*is_requirement)(const json&)) {
  const json* selector = At(spec, std::string("resourceAttributes/") + name);
  if (selector == nullptr) return {};
  const std::string raw = selector->value("rawSelector", "");
  const json& requirements = ListAt(*selector, "requirements");
  const auto understood = std::count_if(requirements.begin(), requirements.end(), is_requirement);
  const bool all = is_raw(raw) && static_cast<size_t>(understood) == requirements.size();
  if (all) return {};
  return kResource + "." + name + (understood > 0 ? " partially" : "") +
         " ignored due to parse error";
}

}  // namespace

Problems CheckAccessReview(const KindInfo& kind, const json& review) {
  Problems problems;
  const json spec = review.value("spec", json::object());
  const bool local = kind.kind == "LocalSubjectAccessReview";
  CheckAttributes(spec, problems);
  const bool self = kind.kind == "SelfSubjectAccessReview";
  if (!self && TextAt(spec, "user").empty() && ListAt(spec, "groups").empty()) {
    problems.push_back(FieldProblem::InvalidJson(
        "spec.user", "\"\"", "at least one of user or group must be specified"));
  }
  if (const json* attributes = At(spec, "resourceAttributes")) {
    CheckSelector(*attributes, "fieldSelector", problems);
    CheckSelector(*attributes, "labelSelector", problems);
  }
  CheckMetadata(review.value("metadata", json::object()), local, problems);
  if (local) CheckPlace(review, problems);
  return problems;
}

std::string SelectorsError(const json& spec) {
  const auto is_label_selector = [](std::string_view text) {
    return ParseLabelSelector(text).has_value();
  };
  const std::string fields =
      SelectorError(spec, "fieldSelector", IsFieldSelector, IsFieldRequirement);
  const std::string labels =
      SelectorError(spec, "labelSelector", is_label_selector, IsLabelRequirement);
  return fields + (fields.empty() || labels.empty() ? "" : "; ") + labels;
}

}  // namespace berth::apiserver
