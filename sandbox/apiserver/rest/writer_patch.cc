// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/yaml/yaml.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/patch/json_patch.h"
#include "sandbox/apiserver/patch/merge_patch.h"
#include "sandbox/apiserver/patch/patch_failure.h"
#include "sandbox/apiserver/patch/strategic_merge.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/writer.h"

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

// Returns the error for a patch with a result that is not an object of the kind. The message shows
// `shown`.
StatusError InvalidPatch(const std::string& shown, const Error& why) {
  const Errors errors = {FieldError::InvalidJson("patch", Quoted(shown), why.message())};
  return Invalid("", "", "", errors);
}

Answer<void> CheckPatchOptions(const WriteCall& call, std::string_view type) {
  Errors errors;
  if (type == kApplyPatch && !call.options.names_manager)
    errors.push_back(FieldError::Required("fieldManager", "is required for apply patch"));
  if (type != kApplyPatch && call.options.names_force)
    errors.push_back(FieldError::Forbidden("force", "may not be specified for non-apply patch"));
  if (errors.empty()) return {};
  return Reject(Invalid("meta.k8s.io", "PatchOptions", "", errors));
}

Result<json> PatchedWith(const KindInfo& kind, std::string_view type, const std::string& body,
                         const json& old) {
  if (type == kJsonPatch) return ApplyJsonPatch(old, body);
  if (type == kMergePatch) return ApplyMergePatch(old, body);
  if (kind.custom || kind.schema == nullptr) return Failure(UnsupportedPatchType());
  return ApplyStrategicMergePatch(*kind.schema, old, body);
}

// kubectl and Berth send JSON as YAML here.
Answer<json> DecodeApplied(const std::string& body) {
  const auto text = yaml::ToJson(body);
  if (!text) return Reject(BadRequest("error decoding YAML: " + text.error().message()));
  json applied = ReadDocument(*text);
  if (applied.is_object()) return applied;
  return Reject(BadRequest("error decoding YAML: the body is not an object"));
}

}  // namespace

Answer<Written> Writer::Patch(const WriteCall& call, std::string_view type,
                              const std::string& body) {
  static constexpr std::string_view kTypes[] = {kJsonPatch, kMergePatch, kStrategicPatch,
                                                kApplyPatch};
  if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes))
    return Reject(FromError(UnsupportedPatchType()));
  if (const auto fit = CheckPatchOptions(call, type); !fit) return Reject(fit.error());
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (type == kApplyPatch) return ApplyPatch(call, body, live);
  if (live == nullptr) return Reject(NotFoundError(call));
  const json old = ReadObject(*live);
  json event;
  if (IsEventsV1(*call.kind)) EventFromStored(event = old);
  auto patched = Patched(call, type, body, event.is_null() ? old : event);
  if (!patched) return Reject(std::move(patched).error());
  if (const auto same = CheckIdentity(call, *patched); !same) return Reject(same.error());
  if (IsEventsV1(*call.kind)) EventToStored(*patched);
  return Adopt(call, live, old, std::move(*patched), false);
}

Answer<json> Writer::Patched(const WriteCall& call, std::string_view type, const std::string& body,
                             const json& old) const {
  auto patched = PatchedWith(*call.kind, type, body, old);
  if (!patched) {
    StatusError error = FromError(patched.error());
    error.empty_details = error.reason == "Invalid";
    return Reject(std::move(error));
  }
  const auto decoded =
      DecodeDocument(*call.kind, call.options.validation, *call.warnings, *patched);
  if (decoded) return std::move(*patched);
  return Reject(InvalidPatch(body, decoded.error()));
}

Answer<json> Writer::Applied(const WriteCall& call, const std::string& body,
                             const json* old) const {
  auto applied = DecodeApplied(body);
  if (!applied) return applied;
  const FieldWrite write = FieldWriteOf(call, state_.clock.Wall(), old == nullptr);
  auto merged =
      ApplyServerSide(write, call.options.force, old == nullptr ? json::object() : *old, *applied);
  if (!merged) return Reject(Conflicts(merged.error()));
  const auto decoded = DecodeDocument(*call.kind, call.options.validation, *call.warnings, *merged);
  if (!decoded) {
    return Reject(FromError(
        PatchFailure("failed to convert new typed object: " + decoded.error().message()).value()));
  }
  return std::move(*merged);
}

Answer<Written> Writer::ApplyPatch(const WriteCall& call, const std::string& body,
                                   const ObjectPtr& live) {
  if (live == nullptr && !call.subresource.empty()) return Reject(NotFoundError(call));
  const json old = live == nullptr ? json() : ReadObject(*live);
  auto merged = Applied(call, body, live == nullptr ? nullptr : &old);
  if (!merged) return Reject(std::move(merged).error());
  if (live == nullptr) {
    if (const std::string uid = TextAt(*merged, "metadata/uid"); !uid.empty()) {
      return Reject(Conflict(call.kind->Resource(), call.name,
                             "uid mismatch: the provided object specified uid " + uid +
                                 ", and no existing object was found"));
    }
  }
  if (const auto same = CheckIdentity(call, *merged); !same) return Reject(same.error());
  if (live == nullptr) {
    (*merged)["metadata"].erase("resourceVersion");
    return CreatePrepared(call, std::move(*merged));
  }
  return Adopt(call, live, old, std::move(*merged), true);
}

}  // namespace berth::apiserver
