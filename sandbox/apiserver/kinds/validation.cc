// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/validation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
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

// Whether a finding keeps the rules from being asked: they look at values of the right shape only.
bool BlocksRules(const FieldProblem& problem) {
  using Type = FieldProblem::Type;
  static constexpr Type kTypes[] = {Type::kRequired, Type::kTooLong, Type::kTooMany,
                                    Type::kNotSupported, Type::kTypeInvalid};
  return std::find(std::begin(kTypes), std::end(kTypes), problem.type) != std::end(kTypes);
}

void CheckCustom(const KindInfo& kind, const json& object, const json* old, Problems& problems) {
  if (kind.schema == nullptr) return;
  for (FieldProblem& problem : Validate(*kind.schema, object, old))
    problems.push_back(std::move(problem));
  if (!kind.rules || kind.rules->empty()) return;
  if (std::none_of(problems.begin(), problems.end(), BlocksRules))
    return kind.rules->Check(object, old, problems);
  problems.push_back(FieldProblem::InvalidJson(
      "<nil>", "null",
      "some validation rules were not checked because the object was invalid; "
      "correct the existing errors to complete validation"));
}

}  // namespace

Problems ValidateDocument(const KindInfo& kind, std::string_view subresource, const json& object,
                          const json* old) {
  Problems problems;
  if (kind.custom) CheckTypeMeta(kind, object, problems);
  if (!problems.empty()) return problems;
  problems = old == nullptr ? ValidateCreate(kind, object)
                            : ValidateUpdate(kind, subresource, object, *old);
  if (kind.custom) CheckCustom(kind, object, old, problems);
  return problems;
}

StatusError InvalidDocument(const KindInfo& kind, std::string_view name, const json& document,
                            const Problems& problems) {
  return Invalid(kind.InternalGroup(), kind.custom ? TextAt(document, "kind") : kind.kind, name,
                 problems);
}

}  // namespace berth::apiserver
