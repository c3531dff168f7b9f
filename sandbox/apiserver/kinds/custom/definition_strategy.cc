// SPDX-License-Identifier: Apache-2.0
// CustomResourceDefinitions. Checks only the parts that this server needs: the schema and its rules
// must be readable. A real API server checks the rest.
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"
#include "sandbox/apiserver/schema/parse.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kNotHere = "is not served by this server: it needs a real API server";

void CheckVersion(const Field& version) {
  if (version["subresources"]["scale"].IsSet())
    version["subresources"]["scale"].Forbidden(kNotHere);
  const Field schema = version["schema"]["openAPIV3Schema"];
  if (!schema.Require()) return;
  if (const auto parsed = ParseResourceSchema(schema.value()); !parsed)
    return schema.Invalid("\"\"", parsed.error().message());
  CustomRules::Compile(schema.value(), schema.path(), schema.errors());
}

void ValidateDefinition(const json& object, Errors& errors) {
  const Field spec = Field(object, errors)["spec"];
  const Field names = spec["names"];
  for (const char* name : {"plural", "kind"}) names[name].Require();
  const Field name = Field(object, errors)["metadata"]["name"];
  if (name.Text() != names["plural"].Text() + "." + spec["group"].Text())
    name.Invalid("must be spec.names.plural+\".\"+spec.group");
  const std::vector<Field> versions = spec["versions"].Items();
  if (versions.size() != 1)
    return spec["versions"].Forbidden(std::string("other than one version ") + kNotHere);
  CheckVersion(versions[0]);
}

void ValidateDefinitionUpdate(const json& object, const json& before, Errors& errors) {
  const Field now = Field(object, errors)["spec"], old = Field(before, errors)["spec"];
  now["scope"].Unchanged(old["scope"]);
  now["names"]["kind"].Unchanged(old["names"]["kind"]);
}

void RecordStorageVersion(json& object) {
  const json* versions = At(object, "spec/versions");
  if (versions == nullptr || versions->empty()) return;
  object["status"]["storedVersions"] = {(*versions)[0]["name"]};
}

}  // namespace

const Strategy* DefinitionStrategy(const KindInfo& kind) {
  static const Strategy kDefinition = {
      .prepare_create = [](json& object, Time) { RecordStorageVersion(object); },
      .prepare_update = [](json& object, const json&) { RecordStorageVersion(object); },
      .validate = ValidateDefinition,
      .validate_update = ValidateDefinitionUpdate};
  return kind.kind == "CustomResourceDefinition" && kind.group == "apiextensions.k8s.io"
             ? &kDefinition
             : nullptr;
}

}  // namespace berth::apiserver
