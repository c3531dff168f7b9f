// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/definition_rules.h"

#include <algorithm>
#include <array>
#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/custom/definition_text.h"
#include "sandbox/apiserver/kinds/custom/schema_path.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kApproval = "api-approved.kubernetes.io";
constexpr size_t kMaxSelectableFields = 8;

// A name with all that is wrong with it in one finding.
bool CheckName(const Field& field, NameProblems (*check)(std::string_view), const std::string& text,
               const char* prefix = "") {
  const NameProblems found = check(text);
  if (!found.empty()) field.Invalid(prefix + Join(found, ","));
  return found.empty();
}

void CheckEnum(const Field& field, std::initializer_list<std::string_view> allowed) {
  if (field.Require()) field.OneOf(allowed);
}

void CheckGroup(const Field& group) {
  if (!group.Require() || !CheckName(group, CheckDnsSubdomain, group.Text())) return;
  if (group.Text().find('.') == std::string::npos)
    group.Invalid("should be a domain with at least one dot");
}

void CheckNames(const Field& names) {
  constexpr const char* kCase = "may have mixed case, but should otherwise match: ";
  for (const char* name : {"plural", "singular"})
    if (!names[name].IsEmpty()) CheckName(names[name], CheckDns1035Label, names[name].Text());
  for (const char* name : {"kind", "listKind"})
    if (!names[name].IsEmpty())
      CheckName(names[name], CheckDns1035Label, ToLower(names[name].Text()), kCase);
  for (const Field& name : names["shortNames"].Items())
    CheckName(name, CheckDns1035Label, name.Text());
  if (!names["kind"].IsEmpty() && names["kind"].Text() == names["listKind"].Text())
    names["listKind"].Invalid("kind and listKind may not be the same");
  for (const Field& name : names["categories"].Items())
    CheckName(name, CheckDns1035Label, name.Text());
}

bool IsSimplePath(const Field& path) {
  if (path.Text().starts_with('.')) return true;
  path.Invalid("must be a simple json path starting with .");
  return false;
}

void CheckColumn(const Field& column) {
  static constexpr std::array<std::string_view, 5> kTypes = {"boolean", "date", "integer", "number",
                                                             "string"};
  static constexpr std::array<std::string_view, 8> kFormats = {
      "byte", "date", "date-time", "double", "float", "int32", "int64", "password"};
  const auto check = [](const Field& field, std::span<const std::string_view> allowed) {
    const std::string rule = "must be one of " + Join(allowed, ",");
    if (std::find(allowed.begin(), allowed.end(), field.Text()) == allowed.end())
      field.Invalid(rule);
  };
  column["name"].Require();
  if (column["type"].Require("must be one of " + Join(std::span(kTypes), ",")))
    check(column["type"], kTypes);
  if (!column["format"].IsEmpty()) check(column["format"], kFormats);
  const Field path = column["jsonPath"].At(column.path() + ".JSONPath");
  if (path.Require()) IsSimplePath(path);
}

void CheckScalePath(const Field& path, std::initializer_list<std::string_view> roots,
                    const char* detail) {
  if (!IsSimplePath(path)) return;
  const std::string text = path.Text();
  const bool fits = std::any_of(roots.begin(), roots.end(),
                                [&](std::string_view root) { return text.starts_with(root); });
  if (!fits) path.Invalid(detail);
}

void CheckSubresources(const Field& subresources) {
  const Field scale = subresources["scale"];
  if (!scale.IsSet()) return;
  if (const Field path = scale["specReplicasPath"]; path.Require())
    CheckScalePath(path, {".spec."}, "should be a json path under .spec");
  if (const Field path = scale["statusReplicasPath"]; path.Require())
    CheckScalePath(path, {".status."}, "should be a json path under .status");
  if (const Field path = scale["labelSelectorPath"]; !path.IsEmpty())
    CheckScalePath(path, {".spec.", ".status."},
                   "should be a json path under either .spec or .status");
}

void CheckSelectableFields(const Field& fields, const json& schema) {
  std::set<std::string> seen;
  for (const Field& field : fields.Items()) {
    const Field path = field["jsonPath"];
    if (!path.Require()) continue;
    const auto place = ResolveSchemaPath(schema, path.Text(), PathNotation::kDots);
    if (!place) {
      path.Invalid("is an invalid path: " + place.error().message());
      continue;
    }
    if (place->text == "metadata" || place->text.starts_with("metadata."))
      path.Invalid("must not point to fields in metadata");
    const std::string type = place->schema->value("type", "");
    if (type != "string" && type != "boolean" && type != "integer")
      path.Invalid(
          "must point to a field of type string, boolean or integer. Enum string fields and "
          "strings "
          "with formats are allowed.");
    if (!seen.insert(place->text).second) path.Duplicate();
  }
  if (seen.size() > kMaxSelectableFields) fields.TooMany(seen.size(), kMaxSelectableFields);
}

void CheckDeprecation(const Field& version) {
  const Field warning = version["deprecationWarning"];
  if (!warning.IsSet()) return;
  if (!version["deprecated"].IsTrue())
    return warning.Invalid("can only be set for deprecated versions");
  if (warning.Text().size() > 256) warning.Invalid("must be <= 256 characters long");
  if (warning.Text().empty()) warning.Invalid("must not be an empty string");
}

// A field of a version that all versions may have in common. It is checked at the path that
// messages name; `schema` is the version's openAPIV3Schema.
struct VersionField {
  const char* name;
  const char* shared_path;  // where it stands when all versions have the same
  void (*check)(const Field& value, const Field& schema, bool has_status);
};

constexpr VersionField kVersionFields[] = {
    {"schema", "spec.validation",
     [](const Field& /*value*/, const Field& schema, bool has_status) {
       if (schema.IsSet()) CheckDefinitionSchema(schema, has_status);
     }},
    {"subresources", "spec.subresources",
     [](const Field& value, const Field& /*schema*/, bool /*has_status*/) {
       CheckSubresources(value);
     }},
    {"additionalPrinterColumns", "spec.additionalPrinterColumns",
     [](const Field& value, const Field& /*schema*/, bool /*has_status*/) {
       for (const Field& column : value.Items()) CheckColumn(column);
     }},
    {"selectableFields", "spec.selectableFields",
     [](const Field& value, const Field& schema, bool /*has_status*/) {
       if (schema.IsSet()) CheckSelectableFields(value, schema.value());
     }}};

Field SchemaOf(const Field& version, bool is_shared) {
  const Field schema = version["schema"]["openAPIV3Schema"];
  return is_shared ? schema.At("spec.validation.openAPIV3Schema") : schema;
}

bool HasStatus(const Field& version) { return version["subresources"]["status"].IsSet(); }

void CheckVersions(const Field& versions) {
  const std::vector<Field> all = versions.Items();
  for (const Field& version : all) version["schema"]["openAPIV3Schema"].Require();
  for (const Field& version : all) {
    CheckName(version["name"], CheckDns1035Label, version["name"].Text());
    CheckDeprecation(version);
    const Field schema = SchemaOf(version, IsShared(versions.value(), "schema"));
    for (const VersionField& field : kVersionFields) {
      if (!IsShared(versions.value(), field.name))
        field.check(version[field.name], schema, HasStatus(version));
    }
  }
}

// What all versions have in common is checked once.
void CheckShared(const Field& versions) {
  const std::vector<Field> all = versions.Items();
  if (all.empty()) return;
  const bool has_status = std::any_of(all.begin(), all.end(), HasStatus);
  const Field schema = SchemaOf(all.front(), IsShared(versions.value(), "schema"));
  for (const VersionField& field : kVersionFields) {
    if (IsShared(versions.value(), field.name))
      field.check(all.front()[field.name].At(field.shared_path), schema, has_status);
  }
}

void CheckStorage(const Field& versions) {
  std::set<std::string> names;
  size_t stored = 0;
  bool unique = true;
  for (const Field& version : versions.Items()) {
    stored += version["storage"].IsTrue();
    unique &= names.insert(version["name"].Text()).second;
  }
  const auto text = [&] {
    return versions.value().is_array() ? VersionsText(versions.value()) : "null";
  };
  if (!unique) versions.Invalid(text(), "must contain unique version names");
  if (stored != 1)
    versions.Invalid(text(), "must have exactly one version marked as storage version");
}

void CheckConversion(const Field& conversion) {
  CheckEnum(conversion["strategy"], {"None", "Webhook"});
  const Field webhook = conversion["webhook"];
  const Field client = webhook["clientConfig"].At(conversion.path() + ".webhookClientConfig");
  const Field reviews =
      webhook["conversionReviewVersions"].At(conversion.path() + ".conversionReviewVersions");
  constexpr const char* kOthers = "should not be set when strategy is not set to Webhook";
  if (conversion["strategy"].Text() != "Webhook") {
    if (client.IsSet()) client.Forbidden(kOthers);
    if (!reviews.IsEmpty()) reviews.Forbidden(kOthers);
    return;
  }
  if (!client.IsSet())
    client.Required("required when strategy is set to Webhook");
  else if (client["url"].IsSet() == client["service"].IsSet())
    client.Required("exactly one of url or service is required");
  reviews.Require();
}

void CheckStored(const Field& stored, const Field& versions) {
  if (stored.IsEmpty())
    return stored.Invalid(stored.IsSet() ? "[]" : "null", "must have at least one stored version");
  std::vector<Field> left = stored.Items();
  for (const Field& version : versions.Items()) {
    const std::string name = version["name"].Text();
    const size_t found =
        std::erase_if(left, [&](const Field& each) { return each.Text() == name; });
    if (version["storage"].IsTrue() && found == 0)
      stored.Invalid("must have the storage version " + name);
  }
  for (const Field& name : left)
    name.Invalid("missing from spec.versions; " + name.Text() +
                 " was previously a storage version, and must remain in spec.versions until a "
                 "storage migration ensures no data remains persisted in " +
                 name.Text() + " and removes " + name.Text() + " from status.storedVersions");
}

bool IsProtected(const std::string& group) {
  return group == "k8s.io" || group == "kubernetes.io" || group.ends_with(".k8s.io") ||
         group.ends_with(".kubernetes.io");
}

void CheckApproval(const Field& definition) {
  const Field annotation = definition["metadata"]["annotations"].Key(kApproval);
  const std::string text = annotation.Text();
  const std::string rule =
      std::string("protected groups must have approval annotation \"") + kApproval + "\"";
  constexpr const char* kSee = ", see https://github.com/kubernetes/enhancements/pull/1111";
  if (text.empty()) return annotation.Required(rule + kSee);
  const size_t scheme = text.find("://");
  const bool is_url = scheme != text.npos && scheme > 0 && text.size() > scheme + 3;
  if (!text.starts_with("unapproved") && !is_url)
    annotation.Invalid(rule + " with either a URL or a reason starting with \"unapproved\"" + kSee);
}

void ValidateDefinition(const json& object, Problems& problems) {
  const Field definition(object, problems);
  const Field spec = definition["spec"];
  const Field versions = spec["versions"];
  CheckGroup(spec["group"]);
  CheckEnum(spec["scope"], {"Cluster", "Namespaced"});
  CheckVersions(versions);
  CheckStorage(versions);
  if (const std::vector<Field> all = versions.Items(); !all.empty()) {
    const Field first = all.front()["name"].At("spec.version");
    CheckName(first, CheckDns1035Label, first.Text());
  }
  for (const char* name : {"plural", "singular", "kind", "listKind"}) spec["names"][name].Require();
  CheckNames(spec["names"]);
  CheckShared(versions);
  if (spec["conversion"].IsSet()) CheckConversion(spec["conversion"]);
  CheckNames(definition["status"]["acceptedNames"]);
  CheckStored(definition["status"]["storedVersions"], versions);
  if (IsProtected(spec["group"].Text())) CheckApproval(definition);
  if (spec["preserveUnknownFields"].IsTrue())
    spec["preserveUnknownFields"].Invalid(
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
        "spec.versions[*].schema instead");
}

void ValidateNewDefinition(const json& object, Problems& problems) {
  const Field definition(object, problems);
  const Field spec = definition["spec"];
  const Field name = definition["metadata"]["name"];
  if (name.Text() != spec["names"]["plural"].Text() + "." + spec["group"].Text())
    name.Invalid("must be spec.names.plural+\".\"+spec.group");
}

bool IsEstablished(const Field& definition) {
  for (const Field& condition : definition["status"]["conditions"].Items())
    if (condition["type"].Text() == "Established") return condition["status"].Text() == "True";
  return false;
}

void ValidateDefinitionUpdate(const json& object, const json& before, Problems& problems) {
  const Field now = Field(object, problems)["spec"], old = Field(before, problems)["spec"];
  if (IsEstablished(Field(before, problems))) {
    now["scope"].Unchanged(old["scope"]);
    now["names"]["kind"].Unchanged(old["names"]["kind"]);
  }
  now["group"].Unchanged(old["group"]);
  now["names"]["plural"].Unchanged(old["names"]["plural"]);
}

// The version that objects are stored as from now on joins those that some may be stored as.
void NoteStorageVersion(json& object) {
  const json* versions = At(object, "spec/versions");
  if (versions == nullptr || !versions->is_array()) return;
  const auto stored = std::find_if(versions->begin(), versions->end(), [](const json& version) {
    return version.value("storage", false);
  });
  if (stored == versions->end()) return;
  json& list = object["status"]["storedVersions"];
  if (!list.is_array()) list = json::array();
  if (std::find(list.begin(), list.end(), (*stored)["name"]) == list.end())
    list.push_back((*stored)["name"]);
}

}  // namespace

const Strategy* DefinitionStrategy(const KindInfo& kind) {
  static const Strategy kDefinition = {
      .prepare_create = [](json& object, Time) { NoteStorageVersion(object); },
      .prepare_update = [](json& object, const json&) { NoteStorageVersion(object); },
      .validate = ValidateDefinition,
      .validate_create = ValidateNewDefinition,
      .validate_update = ValidateDefinitionUpdate,
      .on_create = {Strategy::Check::kMetadata, Strategy::Check::kCreation,
                    Strategy::Check::kContent}};
  return kind.kind == "CustomResourceDefinition" && kind.group == "apiextensions.k8s.io"
             ? &kDefinition
             : nullptr;
}

}  // namespace berth::apiserver
