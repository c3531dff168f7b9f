// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/body.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/kind_defaults.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/request_body.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/defaults.h"
#include "sandbox/apiserver/schema/go_convert.h"
#include "sandbox/apiserver/schema/go_form.h"
#include "sandbox/apiserver/schema/prune.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const json::json_pointer kManagedFields("/metadata/managedFields");

// What a document says it is; what it leaves out is that of the path.
GroupVersionKind TypeOf(const KindInfo& kind, const json& document) {
  const auto text = [&](const char* field, const std::string& otherwise) {
    const auto found = document.find(field);
    const bool given = found != document.end() && found->is_string() && !found->empty();
    std::string value = given ? found->get<std::string>() : std::string();
    return value.empty() ? otherwise : value;
  };
  const std::string version = text("apiVersion", kind.ApiVersion());
  const size_t slash = version.find('/');
  return {slash == version.npos ? "" : version.substr(0, slash),
          slash == version.npos ? version : version.substr(slash + 1), text("kind", kind.kind)};
}

// A document of another built-in kind is decoded as what it is, and then found not to be wanted.
Failure OtherKind(const KindInfo& kind, const GroupVersionKind& found, const json& document) {
  // CustomResourceDefinitions are served by a part of the server that knows no other kind.
  static constexpr std::string_view kApart = "apiextensions.k8s.io";
  const bool apart = (kind.group == kApart) != (found.group == kApart);
  const Schema* schema = apart ? nullptr : BuiltinSchemas::Get().FindKind(found);
  if (schema == nullptr) {
    return Failure(NotRegistered(found.kind, found.ApiVersion()));
  }
  if (auto fits = CheckGoTypes(*schema, document); !fits) return Failure(std::move(fits).error());
  return Fail(Reason::kBadRequest, "converting (" + found.version + "." + found.kind + ") to (" +
                                       GoTypeOf(kind, Form::kObject) + "): unknown conversion");
}

StatusError OtherVersion(const KindInfo& kind, const std::string& found) {
  return BadRequest("the API version in the data (" + found +
                    ") does not match the expected API version (" + kind.ApiVersion() + ")");
}

// The type of a custom resource is its own: it must say it, and nothing is filled in.
Result<void> CheckCustomType(const json& document) {
  for (const auto& [field, name] : {std::pair("kind", "Kind"), {"apiVersion", "apiVersion"}}) {
    const auto found = document.find(field);
    if (found != document.end() && found->is_string() &&
        !found->get_ref<const std::string&>().empty())
      continue;
    return Fail(Reason::kBadRequest,
                std::string("Object '") + name + "' is missing in '" + document.dump() + "'");
  }
  return {};
}

// The findings of a decoder together with the fields that were pruned: of a custom resource those
// of its metadata, which is decoded by itself, come first.
std::vector<std::string> WithUnknown(std::vector<std::string> findings, const KindInfo& kind,
                                     std::vector<std::string> unknown) {
  if (kind.custom) {
    std::stable_partition(unknown.begin(), unknown.end(),
                          [](const std::string& path) { return path.starts_with("metadata."); });
  }
  for (const std::string& path : unknown) {
    std::string text = UnknownFieldText(path);
    if (std::find(findings.begin(), findings.end(), text) == findings.end())
      findings.push_back(std::move(text));
  }
  return findings;
}

// What a reader of YAML has found is a text of a line for each.
void Warn(const std::vector<std::string>& findings, std::vector<std::string>& warnings) {
  for (const std::string& finding : findings) {
    const std::vector<std::string_view> lines = Split(finding, '\n');
    for (size_t i = lines.size() > 1 ? 1 : 0; i < lines.size(); ++i)
      warnings.emplace_back(TrimSpace(lines[i]));
  }
}

Result<void> CheckValues(const KindInfo& kind, From from, const json& document) {
  if (!kind.custom) {
    return from == From::kText ? CheckGoTypes(*kind.schema, document)
                               : CheckGoConversion(*kind.schema, document);
  }
  // Metadata is Go's in every kind.
  const auto metadata = document.find("metadata");
  if (metadata == document.end()) return {};
  if (!metadata->is_object() && !metadata->is_null()) {
    return Fail(Reason::kBadRequest, std::string("json: cannot unmarshal ") +
                                         (metadata->is_boolean() ? "bool" : metadata->type_name()) +
                                         " into Go value of type v1.ObjectMeta");
  }
  return CheckGoTypes(*BuiltinSchemas::Get().Find(kObjectMetaType), *metadata);
}

}  // namespace

Result<void> DecodeDocument(const KindInfo& kind, From from, FieldValidation validation,
                            std::vector<std::string>& warnings, json& document,
                            std::span<const std::string> findings) {
  if (kind.custom) {
    BERTH_TRY_VOID(CheckCustomType(document));
  } else {
    // A map is of the kind of the path, whatever it says.
    const GroupVersionKind found = TypeOf(kind, document);
    if (from == From::kText && found != kind.Gvk()) return OtherKind(kind, found, document);
    document["apiVersion"] = kind.ApiVersion();
    document["kind"] = kind.kind;
  }
  if (kind.schema == nullptr) return {};
  BERTH_TRY_VOID(CheckValues(kind, from, document));
  const std::vector<std::string> all =
      WithUnknown({findings.begin(), findings.end()}, kind, Prune(*kind.schema, &document));
  if (!all.empty() && validation == FieldValidation::kStrict)
    return Fail(Reason::kBadRequest, StrictDecodingError(all));
  if (validation == FieldValidation::kWarn) Warn(all, warnings);
  // An empty list is a wish to forget all owners, other than none.
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
                           std::vector<std::string>& warnings, json& document,
                           std::span<const std::string> findings) {
  const GroupVersionKind found = TypeOf(kind, document);
  if (kind.custom && found.ApiVersion() != kind.ApiVersion()) {
    return Refuse(OtherVersion(kind, found.ApiVersion()));
  }
  const auto decoded = DecodeDocument(kind, From::kText, validation, warnings, document, findings);
  if (decoded) return {};
  return Refuse(BadRequest(found.kind + " in version \"" + found.version +
                           "\" cannot be handled as a " + kind.kind + ": " +
                           decoded.error().message()));
}

Answer<void> CheckTypeMeta(const KindInfo& kind, const json& document, std::string_view text) {
  if (!kind.custom) return {};
  const auto typed = CheckCustomType(document);
  if (typed) return {};
  if (!TextAt(document, "kind").empty()) return Refuse(OtherVersion(kind, ""));
  return Refuse(BadRequest("the object provided is unrecognized (must be of type " + kind.kind +
                           "): " + typed.error().message() + " (" + Summary(text) + ")"));
}

Error NotRegistered(const std::string& kind, const std::string& api_version) {
  return Error(Reason::kBadRequest, "no kind \"" + kind + "\" is registered for version \"" +
                                        api_version + "\" in scheme \"pkg/runtime/scheme.go:111\"");
}

std::string GoTypeOf(const KindInfo& kind, Form form) {
  const std::string list = form == Form::kList ? "List" : "";
  if (kind.custom) return "unstructured.Unstructured" + list;
  // Events of both groups are one type.
  const bool is_core = kind.group.empty() || kind.group == "events.k8s.io";
  return (is_core ? "core" : kind.group.substr(0, kind.group.find('.'))) + "." + kind.kind + list;
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
