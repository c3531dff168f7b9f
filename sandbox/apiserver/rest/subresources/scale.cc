// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/request/request_body.h"
#include "sandbox/apiserver/rest/subresources/subresources.h"
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

std::string SelectorOf(const KindInfo& kind, const json& object) {
  const json* selector = At(object, "spec/selector");
  if (selector == nullptr) return "";
  const std::string text =
      kind.kind == "ReplicationController" ? MapText(selector) : SelectorText(selector);
  return text == "<none>" ? "" : text;
}

// Returns the requested scale.
Answer<json> Wanted(const Writer& writer, const WriteCall& call, std::string_view patch_type,
                    std::string_view body_type, const std::string& body, const json& old) {
  if (patch_type.empty()) return ReadBody(body_type, body);
  if (patch_type != "application/apply-patch+yaml")
    return writer.Patched(call, patch_type, body, old);
  return Reject(NotImplemented("a server-side apply of a scale"));
}

Answer<void> CheckScale(const WriteCall& parent, const json& object, const json& scale) {
  const std::string uid = TextAt(scale, "metadata/uid");
  if (const std::string found = TextAt(object, "metadata/uid"); !uid.empty() && uid != found) {
    return Reject(Conflict(parent.kind->Resource(), parent.name, UidMismatch(uid, found)));
  }
  const int64_t replicas = IntAt(scale, "spec/replicas");
  if (replicas >= 0) return {};
  const Errors errors = {FieldError::InvalidJson("spec.replicas", std::to_string(replicas),
                                                 "must be greater than or equal to 0")};
  return Reject(Invalid("autoscaling", "Scale", parent.name, errors));
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
                {"status", {{"replicas", IntAt(object, "status/replicas")}}}};
  const int64_t wanted = IntAt(object, "spec/replicas");
  if (wanted != 0) scale["spec"]["replicas"] = wanted;
  if (const std::string selector = SelectorOf(kind, object); !selector.empty())
    scale["status"]["selector"] = selector;
  return scale;
}

// Source: pkg/registry/apps/*/storage of Kubernetes, scaleUpdatedObjectInfo.
Answer<json> WriteScale(State& state, const WriteCall& parent, std::string_view patch_type,
                        std::string_view body_type, const std::string& body) {
  Writer writer(state);
  const KindInfo& kind = *parent.kind;
  const ObjectPtr live = state.CollectionOf(kind).Find(parent.namespace_, parent.name);
  if (live == nullptr) return Reject(writer.NotFoundError(parent));
  const json object = ReadDocument(live->text);
  const json old = ScaleOf(kind, object);
  WriteCall call = parent;
  call.kind = ScaleKind();
  auto scale = Wanted(writer, call, patch_type, body_type, body, old);
  if (!scale) return Reject(std::move(scale).error());
  const auto admitted = AdmitDocument(*call.kind, call.options.validation, *call.warnings, *scale);
  if (!admitted) return Reject(admitted.error());
  if (const auto same = writer.CheckIdentity(call, *scale); !same) return Reject(same.error());
  if (const auto fits = CheckScale(parent, object, *scale); !fits) return Reject(fits.error());
  json document = object;
  document["spec"]["replicas"] = IntAt(*scale, "spec/replicas");
  document["metadata"]["resourceVersion"] = TextAt(*scale, "metadata/resourceVersion");
  const AdmissionView view{old, *scale};
  const auto written = writer.Adopt(parent, live, object, std::move(document), false, &view);
  if (!written) return Reject(written.error());
  return ScaleOf(kind, ReadDocument(written->text));
}

}  // namespace berth::apiserver
