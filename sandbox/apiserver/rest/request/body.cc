// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/body.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/kind_defaults.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/defaults.h"
#include "sandbox/apiserver/schema/go_form.h"
#include "sandbox/apiserver/schema/prune.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const json::json_pointer kManagedFields("/metadata/managedFields");

// A built-in object may omit its type; a custom one must have it.
Result<void> CheckType(const KindInfo& kind, json& document) {
  for (const auto& [field, wanted] :
       {std::pair("apiVersion", kind.ApiVersion()), {"kind", kind.kind}}) {
    const std::string found = TextAt(document, field);
    if (found.empty() && kind.custom)
      return Fail(Reason::kBadRequest, std::string(field) + " is missing");
    if (!found.empty() && found != wanted)
      return Fail(Reason::kBadRequest,
                  std::string(field) + " is " + found + ", and " + wanted + " is expected here");
    document[field] = wanted;
  }
  return {};
}

Result<void> CheckValues(const KindInfo& kind, const json& document) {
  if (!kind.custom) return CheckGoTypes(*kind.schema, document);
  // The metadata of every kind is decoded as a Go struct.
  const auto metadata = document.find("metadata");
  if (metadata == document.end()) return {};
  return CheckGoTypes(*BuiltinSchemas::Get().Find(kObjectMetaType), *metadata);
}

// Returns the fields that the schema does not declare. For a custom resource those of metadata come
// first, because upstream decodes it separately.
std::vector<std::string> UnknownFields(const KindInfo& kind, json& document) {
  std::vector<std::string> unknown = Prune(*kind.schema, &document);
  if (kind.custom) {
    std::stable_partition(unknown.begin(), unknown.end(),
                          [](const std::string& path) { return path.starts_with("metadata."); });
  }
  for (std::string& path : unknown) path = UnknownFieldText(path);
  return unknown;
}

}  // namespace

Result<void> DecodeDocument(const KindInfo& kind, FieldValidation validation,
                            std::vector<std::string>& warnings, json& document) {
  BERTH_TRY_VOID(CheckType(kind, document));
  if (kind.schema == nullptr) return {};
  BERTH_TRY_VOID(CheckValues(kind, document));
  const std::vector<std::string> unknown = UnknownFields(kind, document);
  if (!unknown.empty() && validation == FieldValidation::kStrict)
    return Fail(Reason::kBadRequest, StrictDecodingError(unknown));
  if (validation == FieldValidation::kWarn)
    warnings.insert(warnings.end(), unknown.begin(), unknown.end());
  // An empty list requests to drop all owners; an absent one does not.
  const bool forgets = document.contains(kManagedFields) && document[kManagedFields].is_array() &&
                       document[kManagedFields].empty();
  if (!kind.custom) {
    ToGoForm(*kind.schema, &document);
  } else if (const auto metadata = document.find("metadata"); metadata != document.end()) {
    ToGoForm(*BuiltinSchemas::Get().Find(kObjectMetaType), &*metadata);
  }
  if (forgets) document[kManagedFields] = json::array();
  DefaultDocument(kind, document);
  return {};
}

Answer<void> AdmitDocument(const KindInfo& kind, FieldValidation validation,
                           std::vector<std::string>& warnings, json& document) {
  const auto decoded = DecodeDocument(kind, validation, warnings, document);
  if (decoded) return {};
  return Reject(BadRequest(kind.kind + " in version \"" + kind.version +
                           "\" cannot be handled as a " + kind.kind + ": " +
                           decoded.error().message()));
}

Answer<void> CheckShape(const GroupVersionKind& kind, const json& document) {
  const Schema* schema = BuiltinSchemas::Get().FindKind(kind);
  if (schema == nullptr) return {};
  const auto fits = CheckGoTypes(*schema, document);
  if (fits) return {};
  return Reject(BadRequest(kind.kind + " in version \"" + kind.version +
                           "\" cannot be handled as a " + kind.kind + ": " +
                           fits.error().message()));
}

void DefaultDocument(const KindInfo& kind, json& document) {
  if (!document.contains("metadata") || !document["metadata"].is_object())
    document["metadata"] = json::object();
  if (kind.schema != nullptr) Default(*kind.schema, &document);
  DefaultKind(kind, document);
}

}  // namespace berth::apiserver
