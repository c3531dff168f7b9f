// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/kinds/custom/definition_rules.h"
#include "sandbox/apiserver/kinds/custom/schema_path.h"
#include "sandbox/apiserver/schema/keywords.h"
#include "sandbox/apiserver/schema/structural.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// The keywords a schema may have at its root beside a status sub-resource, as the message lists
// them.
constexpr const char* kRootFields =
    "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength "
    "MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties "
    "ExternalDocs Example XPreserveUnknownFields XValidations]";
constexpr std::string_view kBannedAtRoot[] = {"nullable",
                                              "default",
                                              "enum",
                                              "maxProperties",
                                              "minProperties",
                                              "allOf",
                                              "oneOf",
                                              "anyOf",
                                              "not",
                                              "additionalProperties",
                                              "x-kubernetes-embedded-resource",
                                              "x-kubernetes-int-or-string",
                                              "x-kubernetes-list-map-keys",
                                              "x-kubernetes-list-type",
                                              "x-kubernetes-map-type"};

void CheckRoot(const Field& schema) {
  if (const Field type = schema["type"]; !type.IsEmpty() && type.Text() != "object")
    type.Invalid(
        "only \"object\" is allowed as the type at the root of the schema if the status "
        "subresource is enabled");
  const bool banned =
      std::any_of(std::begin(kBannedAtRoot), std::end(kBannedAtRoot),
                  [&](std::string_view keyword) { return !schema[keyword].IsEmpty(); });
  if (banned)
    schema.Invalid(std::string("only ") + kRootFields +
                   " fields are allowed at the root of the schema if the status subresource is "
                   "enabled");
}

// Paths of rules that lead nowhere.
void CheckFieldPaths(const Field& schema) {
  for (const Field& rule : schema["x-kubernetes-validations"].Items()) {
    const std::string path = rule["fieldPath"].Text();
    if (!path.empty() && !ResolveSchemaPath(schema.value(), path, PathNotation::kDotsAndKeys))
      rule["fieldPath"].Invalid("must be a valid path");
  }
  for (const char* keyword : {"items", "additionalProperties"})
    if (schema[keyword].value().is_object()) CheckFieldPaths(schema[keyword]);
  for (const Field::Entry& property : schema["properties"].Entries())
    CheckFieldPaths(property.value);
}

}  // namespace

void CheckDefinitionSchema(const Field& schema, bool has_status) {
  Problems& problems = schema.problems();
  const size_t before = problems.size();
  if (has_status) CheckRoot(schema);
  if (schema["nullable"].IsTrue())
    schema.At(schema.path() + ".nullable").Forbidden("nullable cannot be true at the root");
  for (FieldProblem& problem : CheckStructural(schema.value(), schema.path()))
    problems.push_back(std::move(problem));
  for (FieldProblem& problem : CheckKeywords(schema.value(), schema.path()))
    problems.push_back(std::move(problem));
  CheckFieldPaths(schema);
  // The types that rules are checked against are those of a sound schema only.
  if (problems.size() == before) CustomRules::Compile(schema.value(), schema.path(), problems);
}

}  // namespace berth::apiserver
