// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/validation.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/kinds/strategy.h"
#include "sandbox/apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void CheckTypeMeta(const KindInfo& kind, const json& object, Problems& problems) {
  const std::string name = TextAt(object, "kind");
  const std::string version = TextAt(object, "apiVersion");
  if (name != kind.kind)
    problems.push_back(FieldProblem::Invalid("kind", name, "must be " + kind.kind));
  if (version != kind.ApiVersion())
    problems.push_back(
        FieldProblem::Invalid("apiVersion", version, "must be " + kind.ApiVersion()));
}

// The schema of the status alone, with paths as seen from the object; texts name the fields as seen
// from the status.
void CheckStatus(const Schema& schema, const json& object, const json* old, Problems& problems) {
  const json* status = At(object, "status");
  const Slot* slot = schema.FindProperty("status");
  if (status == nullptr || slot == nullptr) return;
  for (FieldProblem& problem :
       ValidateValues(*slot->schema, *status, old == nullptr ? nullptr : At(*old, "status"))) {
    const bool is_general = problem.path == "<nil>";
    const bool is_item = problem.path.starts_with("[");
    if (!is_general && !problem.path.empty())
      problem.path = (is_item ? "status" : "status.") + problem.path;
    else if (!is_general)
      problem.path = "status";
    problems.push_back(std::move(problem));
  }
  Problems before;
  if (old != nullptr) ValidateLists(schema, *old, {}, &before);
  if (before.empty()) ValidateLists(schema, object, {}, &problems);
}

// A place that the scale sub-resource reads as a number.
void CheckReplicas(const json& object, const std::string& path, Problems& problems) {
  const std::string dotted = path.substr(std::min<size_t>(1, path.size()));
  std::string slashed = dotted;
  std::replace(slashed.begin(), slashed.end(), '.', '/');
  const json* value = path.empty() ? nullptr : At(object, slashed);
  if (value == nullptr) return;
  if (!value->is_number_integer()) {
    const char* type = value->is_string()         ? "string"
                       : value->is_boolean()      ? "bool"
                       : value->is_array()        ? "[]interface {}"
                       : value->is_object()       ? "map[string]interface {}"
                       : value->is_number_float() ? "float64"
                                                  : "<nil>";
    problems.push_back(FieldProblem::InvalidJson(
        path, "0",
        path +
            " accessor error: " + (value->is_string() ? value->get<std::string>() : value->dump()) +
            " is of the type " + type + ", expected int64"));
  } else if (value->get<int64_t>() < 0) {
    problems.push_back(
        FieldProblem::InvalidJson(path, value->dump(), "should be a non-negative integer"));
  } else if (value->get<int64_t>() > std::numeric_limits<int32_t>::max()) {
    problems.push_back(FieldProblem::InvalidJson(path, value->dump(),
                                                 "should be less than or equal to 2147483647"));
  }
}

// Whether a finding keeps the rules from being asked: they look at values of the right shape only.
bool Blocks(const FieldProblem& problem) {
  using Type = FieldProblem::Type;
  static constexpr Type kTypes[] = {Type::kRequired, Type::kTooLong, Type::kTooMany,
                                    Type::kNotSupported, Type::kTypeInvalid};
  return std::find(std::begin(kTypes), std::end(kTypes), problem.type) != std::end(kTypes);
}

void CheckCustom(const KindInfo& kind, std::string_view subresource, const json& object,
                 const json* old, Problems& problems, std::vector<std::string>& warnings) {
  if (kind.schema == nullptr) return;
  const bool is_status = subresource == "status";
  if (is_status) {
    CheckStatus(*kind.schema, object, old, problems);
  } else {
    for (FieldProblem& problem : Validate(*kind.schema, object, old))
      problems.push_back(std::move(problem));
  }
  if (kind.scale && !is_status) CheckReplicas(object, kind.scale->spec_replicas, problems);
  if (kind.scale) CheckReplicas(object, kind.scale->status_replicas, problems);
  if (!kind.rules || kind.rules->empty()) return;
  if (std::none_of(problems.begin(), problems.end(), Blocks))
    return kind.rules->Check(object, old, problems, warnings);
  problems.push_back(FieldProblem::InvalidJson(
      "<nil>", "null",
      "some validation rules were not checked because the object was invalid; "
      "correct the existing errors to complete validation"));
}

// Events are checked in the form in which they are stored.
Problems CheckNew(const KindInfo& kind, const json& object) {
  if (!IsEventsV1(kind)) return ValidateCreate(kind, object);
  json event = object;
  EventToStored(event);
  return ValidateCreate(kind, event);
}

}  // namespace

Problems ValidateDocument(const KindInfo& kind, std::string_view subresource, const json& object,
                          const json* old, std::vector<std::string>& warnings) {
  Problems problems;
  if (kind.custom) CheckTypeMeta(kind, object, problems);
  if (!problems.empty()) return problems;
  problems =
      old == nullptr ? CheckNew(kind, object) : ValidateUpdate(kind, subresource, object, *old);
  if (kind.custom) CheckCustom(kind, subresource, object, old, problems, warnings);
  return problems;
}

StatusError InvalidDocument(const KindInfo& kind, std::string_view name, const json& document,
                            const Problems& problems) {
  return Invalid(kind.InternalGroup(), kind.custom ? TextAt(document, "kind") : kind.kind, name,
                 problems);
}

}  // namespace berth::apiserver
