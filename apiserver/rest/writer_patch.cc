// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apiserver/kinds/event_conversion.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/patch/json_patch.h"
#include "apiserver/patch/merge_patch.h"
#include "apiserver/patch/strategic_merge.h"
#include "apiserver/rest/body.h"
#include "apiserver/rest/media_type.h"
#include "apiserver/rest/writer.h"
#include "apiserver/schema/prune.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";
constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";

StatusError Conflicts(const ApplyFailure& failure) {
  StatusError error = FromError(failure.error);
  error.details.causes.clear();
  for (const FieldConflict& conflict : failure.conflicts) {
    error.details.causes.push_back({"FieldManagerConflict", conflict.Message(), conflict.field});
  }
  return error;
}

}  // namespace

Answer<Written> Writer::Patch(const WriteCall& call, std::string_view type,
                              const std::string& body) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (type == kApplyPatch) return ApplyPatch(call, body, live);
  if (live == nullptr) return Refuse(NotFoundError(call));
  json old = json::parse(live->text);
  json seen = old;
  if (IsEventsV1(*call.kind)) EventFromStored(seen);
  auto patched = Patched(call, type, body, seen);
  if (!patched) return Refuse(std::move(patched).error());
  const auto admitted =
      AdmitDocument(*call.kind, call.options.validation, *call.warnings, *patched);
  if (!admitted) return Refuse(admitted.error());
  if (const auto same = CheckIdentity(call, *patched); !same) return Refuse(same.error());
  if (IsEventsV1(*call.kind)) EventToStored(*patched);
  return Adopt(call, live, old, std::move(*patched), false);
}

Answer<json> Writer::Patched(const WriteCall& call, std::string_view type, const std::string& body,
                             const json& old) const {
  Result<json> patched = json();
  if (type == kJsonPatch) {
    patched = ApplyJsonPatch(old, body);
  } else if (type == kMergePatch) {
    patched = ApplyMergePatch(old, body);
  } else if (type == kStrategicPatch && !call.kind->custom && call.kind->schema != nullptr) {
    patched = ApplyStrategicMergePatch(*call.kind->schema, old, body);
  } else if (type == kStrategicPatch) {
    patched = Failure(UnsupportedPatchType());
  } else {
    return Refuse({.code = 415,
                   .reason = "UnsupportedMediaType",
                   .message = "415: Unsupported Media Type",
                   .details = {},
                   .empty_details = true});
  }
  if (patched) return std::move(*patched);
  StatusError error = FromError(patched.error());
  error.empty_details = error.reason == "Invalid";
  return Refuse(std::move(error));
}

Answer<Written> Writer::ApplyPatch(const WriteCall& call, const std::string& body,
                                   const ObjectPtr& live) {
  if (!call.options.names_manager) {
    const Problems problems = {RequiredField("fieldManager", "is required for apply patch")};
    return Refuse(Invalid("meta.k8s.io", "PatchOptions", "", problems));
  }
  auto applied = ParseBody(kApplyPatch, body, call.kind->kind);
  if (!applied) return Refuse(std::move(applied).error());
  const std::string version =
      At(*applied, "metadata") == nullptr ? "" : TextAt(*applied, "metadata/resourceVersion");
  if (live == nullptr && (!call.subresource.empty() || !version.empty())) {
    return Refuse(call.subresource.empty()
                      ? Conflict(call.kind->Resource(), call.name, "the object has been deleted")
                      : NotFoundError(call));
  }
  if (applied->contains("metadata") && (*applied)["metadata"].is_object()) {
    if (const auto same = CheckIdentity(call, *applied); !same) return Refuse(same.error());
  } else {
    (*applied)["metadata"] = {{"name", call.name}};
    if (call.kind->namespaced) (*applied)["metadata"]["namespace"] = call.namespace_;
  }
  if (!call.kind->custom && call.kind->schema != nullptr) {
    // What the schema does not know is told to the client, not to the merge.
    const std::vector<std::string> unknown = Prune(*call.kind->schema, &*applied);
    if (!unknown.empty() && call.options.validation == FieldValidation::kStrict) {
      return Refuse(BadRequest(StrictDecodingError(unknown)));
    }
  }
  const json old = live == nullptr ? json::object() : json::parse(live->text);
  const FieldWrite write = FieldWriteOf(call, state_.clock.Wall(), live == nullptr);
  auto merged = ApplyServerSide(write, call.options.force, old, *applied);
  if (!merged) return Refuse(Conflicts(merged.error()));
  const auto admitted = AdmitDocument(*call.kind, call.options.validation, *call.warnings, *merged);
  if (!admitted) return Refuse(admitted.error());
  if (live == nullptr) {
    if (const auto same = CheckIdentity(call, *merged); !same) return Refuse(same.error());
    return CreatePrepared(call, std::move(*merged));
  }
  return Adopt(call, live, old, std::move(*merged), true);
}

}  // namespace berth::apiserver
