// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/patch/scale_fields.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/request/request_body.h"
#include "sandbox/apiserver/rest/subresources/subresources.h"
#include "sandbox/apiserver/rest/tables/json_path.h"
#include "sandbox/apiserver/rest/tables/printer.h"
#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const KindPtr& ScaleKind() {
  static const KindPtr kScale = [] {
    auto kind = std::make_shared<KindInfo>();
    kind->group = "autoscaling";
    kind->version = "v1";
    kind->kind = "Scale";
    kind->stored = false;
    kind->schema = BuiltinSchemas::Get().FindKind(kind->Gvk());
    return kind;
  }();
  return kScale;
}

std::string SpecPath(const KindInfo& kind) {
  return kind.scale ? kind.scale->spec_replicas : ".spec.replicas";
}
std::string StatusPath(const KindInfo& kind) {
  return kind.scale ? kind.scale->status_replicas : ".status.replicas";
}

// The JSON pointer of a simple path such as ".spec.replicas", and the same as owners are told.
json::json_pointer PointerOf(std::string path) {
  for (char& c : path) c = c == '.' ? '/' : c;
  return json::json_pointer(path);
}
FieldPath FieldPathOf(std::string_view path) {
  FieldPath steps;
  for (const std::string_view step : Split(path.substr(1), '.'))
    steps.push_back(PathElement::Field(std::string(step)));
  return steps;
}

std::string SelectorOf(const KindInfo& kind, const json& object) {
  if (kind.scale) {
    const auto found = FindJsonPath(object, kind.scale->label_selector);
    return kind.scale->label_selector.empty() || found.empty() || !found[0]->is_string()
               ? ""
               : found[0]->get<std::string>();
  }
  const json* selector = At(object, "spec/selector");
  if (selector == nullptr) return "";
  const std::string text =
      kind.kind == "ReplicationController" ? MapText(selector) : SelectorText(selector);
  return text == "<none>" ? "" : text;
}

int64_t IntegerAt(const json& object, const std::string& path) {
  const auto found = FindJsonPath(object, path);
  return found.empty() || !found[0]->is_number_integer() ? 0 : found[0]->get<int64_t>();
}

// What a request asks the scale to be. `old` has managed fields.
Answer<json> Wanted(const Writer& writer, const WriteCall& call, std::string_view patch_type,
                    std::string_view body_type, const std::string& body, const json& old) {
  if (patch_type.empty()) return ParseBody(body_type, body, call.kind->kind);
  if (patch_type == "application/apply-patch+yaml") return writer.Applied(call, body, &old);
  return writer.Patched(call, patch_type, body, old);
}

Answer<void> CheckScale(const WriteCall& parent, const json& object, const json& scale) {
  const std::string uid = TextAt(scale, "metadata/uid");
  if (const std::string found = TextAt(object, "metadata/uid"); !uid.empty() && uid != found) {
    return Refuse(Conflict(parent.kind->Resource(), parent.name, UidMismatch(parent, uid, found)));
  }
  const int64_t replicas = IntAt(scale, "spec/replicas");
  if (replicas >= 0) return {};
  const Problems problems = {FieldProblem::InvalidJson("spec.replicas", std::to_string(replicas),
                                                       "must be greater than or equal to 0")};
  return Refuse(Invalid("autoscaling", "Scale", parent.name, problems));
}

}  // namespace

json ScaleOf(const KindInfo& kind, const json& object) {
  json metadata = json::object();
  for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (object["metadata"].contains(field)) metadata[field] = object["metadata"][field];
  }
  json scale = {{"kind", "Scale"},
                {"apiVersion", "autoscaling/v1"},
                {"metadata", std::move(metadata)},
                {"spec", json::object()},
                {"status", {{"replicas", IntegerAt(object, StatusPath(kind))}}}};
  const int64_t wanted = IntegerAt(object, SpecPath(kind));
  if (wanted != 0) scale["spec"]["replicas"] = wanted;
  if (const std::string selector = SelectorOf(kind, object); !selector.empty())
    scale["status"]["selector"] = selector;
  return scale;
}

// Source: pkg/registry/apps/*/storage of Kubernetes, scaleUpdatedObjectInfo; apiextensions has the
// same for custom resources.
Answer<json> WriteScale(State& state, const WriteCall& parent, std::string_view patch_type,
                        std::string_view body_type, const std::string& body) {
  Writer writer(state);
  const KindInfo& kind = *parent.kind;
  const ObjectPtr live = state.CollectionOf(kind).Find(parent.namespace_, parent.name);
  if (live == nullptr) return Refuse(writer.NotFoundError(parent));
  const json object = json::parse(live->text);
  const json entries = object["metadata"].value("managedFields", json());
  const FieldPath path = FieldPathOf(SpecPath(kind));
  json old = ScaleOf(kind, object);
  if (json owners = ScaleManagedFields(entries, path); !owners.is_null())
    old["metadata"]["managedFields"] = std::move(owners);

  WriteCall call = parent;
  call.kind = ScaleKind();
  auto scale = Wanted(writer, call, patch_type, body_type, body, old);
  if (!scale) return Refuse(std::move(scale).error());
  const auto admitted = AdmitDocument(*call.kind, call.options.validation, *call.warnings, *scale);
  if (!admitted) return Refuse(admitted.error());
  if (const auto same = writer.CheckIdentity(call, *scale); !same) return Refuse(same.error());
  if (const auto fits = CheckScale(parent, object, *scale); !fits) return Refuse(fits.error());
  const bool applied = patch_type == "application/apply-patch+yaml";
  if (!applied) RecordUpdate(FieldWriteOf(call, state.clock.Wall(), false), old, &*scale);

  json document = object;
  document[PointerOf(SpecPath(kind))] = IntAt(*scale, "spec/replicas");
  json& metadata = document["metadata"];
  metadata["resourceVersion"] = TextAt(*scale, "metadata/resourceVersion");
  json owners = ParentManagedFields(entries, (*scale)["metadata"].value("managedFields", json()),
                                    path, kind.ApiVersion());
  if (owners.is_null())
    metadata.erase("managedFields");
  else
    metadata["managedFields"] = std::move(owners);
  const AdmissionView view{old, *scale};
  const auto written = writer.Adopt(parent, live, object, std::move(document), true, &view);
  if (!written) return Refuse(written.error());
  return ScaleOf(kind, json::parse(written->text));
}

}  // namespace berth::apiserver
