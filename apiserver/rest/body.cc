// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/body.h"

#include <nlohmann/json.hpp>

#include "apiserver/kinds/kind_defaults.h"
#include "apiserver/rest/media_type.h"
#include "apiserver/rest/protobuf.h"
#include "apiserver/schema/builtin.h"
#include "apiserver/schema/defaults.h"
#include "apiserver/schema/go_form.h"
#include "apiserver/schema/prune.h"
#include "base/yaml/yaml.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kReadTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";

StatusError CannotHandle(const KindInfo& kind, std::string_view found, std::string_view why) {
  return BadRequest(std::string(found) + " in version \"" + kind.version +
                    "\" cannot be handled as a " + kind.kind + ": " + std::string(why));
}

Answer<void> CheckType(const KindInfo& kind, json& document) {
  const std::string version = document.value("apiVersion", "");
  const std::string name = document.value("kind", "");
  if (kind.custom && (version.empty() || name.empty())) {
    const std::string missing = name.empty() ? "kind" : "apiVersion";
    return Refuse(BadRequest("the object provided is unrecognized (must be of type " + kind.kind +
                             "): Object '" + (name.empty() ? "Kind" : "apiVersion") +
                             "' is missing in '" + document.dump() + "'"));
  }
  if (!version.empty() && version != kind.ApiVersion()) {
    return Refuse(BadRequest("the API version in the data (" + version +
                             ") does not match the expected API version (" + kind.ApiVersion() +
                             ")"));
  }
  if (!name.empty() && name != kind.kind) {
    return Refuse(CannotHandle(kind, name,
                               "converting (" + kind.version + "." + name + ") to (" +
                                   (kind.group.empty() ? "core" : kind.group) + "." + kind.kind +
                                   "): unknown conversion"));
  }
  document["apiVersion"] = kind.ApiVersion();
  document["kind"] = kind.kind;
  return {};
}

}  // namespace

Answer<json> ParseBody(std::string_view content_type, std::string_view body,
                       std::string_view kind) {
  const std::string type = BaseType(content_type);
  json document;
  if (type == "application/json" || type.empty()) {
    document = json::parse(body, nullptr, false);
  } else if (type == "application/yaml" || type == "application/apply-patch+yaml") {
    const auto text = yaml::ToJson(body);
    if (!text) return Refuse(BadRequest("error decoding YAML: " + text.error().message()));
    document = json::parse(*text, nullptr, false);
  } else if (type == "application/vnd.kubernetes.protobuf") {
    return DecodeProtobuf(body);
  } else {
    return Refuse(UnsupportedMediaType(kReadTypes));
  }
  if (document.is_object()) return document;
  const std::string why = document.is_discarded()
                              ? "unexpected end of JSON input"
                              : "json: cannot unmarshal " + std::string(document.type_name()) +
                                    " into Go value of type struct";
  return Refuse(BadRequest("the object provided is unrecognized (must be of type " +
                           std::string(kind) + "): couldn't get version/kind; json parse error: " +
                           why + " (" + std::string(body.substr(0, 1024)) + ")"));
}

Answer<void> AdmitDocument(const KindInfo& kind, FieldValidation validation,
                           std::vector<std::string>& warnings, json& document) {
  if (const auto typed = CheckType(kind, document); !typed) return Refuse(typed.error());
  if (kind.schema == nullptr) return {};
  if (!kind.custom) {
    if (const auto fits = CheckGoTypes(*kind.schema, document); !fits) {
      return Refuse(CannotHandle(kind, kind.kind, fits.error().message()));
    }
  } else if (document.contains("metadata")) {
    // Metadata is Go's in every kind.
    const Schema& metadata = *BuiltinSchemas::Get().Find(kObjectMetaType);
    const bool object = document["metadata"].is_object();
    const auto fits = object ? CheckGoTypes(metadata, document["metadata"])
                             : Result<void>(Fail(Reason::kBadRequest, "metadata is no object"));
    if (!fits) return Refuse(CannotHandle(kind, kind.kind, fits.error().message()));
  }
  const std::vector<std::string> unknown = Prune(*kind.schema, &document);
  if (!unknown.empty() && validation == FieldValidation::kStrict) {
    return Refuse(CannotHandle(kind, kind.kind, StrictDecodingError(unknown)));
  }
  if (validation == FieldValidation::kWarn) {
    for (const std::string& path : unknown) warnings.push_back(UnknownFieldText(path));
  }
  if (!kind.custom) ToGoForm(*kind.schema, &document);
  DefaultDocument(kind, document);
  return {};
}

Answer<void> CheckShape(const GroupVersionKind& kind, const json& document) {
  // Options belong to every group version, so the table knows them by their name alone.
  const Schema* schema =
      kind.kind == "DeleteOptions"
          ? BuiltinSchemas::Get().Find("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions")
          : BuiltinSchemas::Get().FindKind(kind);
  if (schema == nullptr) return {};
  const auto fits = CheckGoTypes(*schema, document);
  if (fits) return {};
  return Refuse(BadRequest(kind.kind + " in version \"" + kind.version +
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
