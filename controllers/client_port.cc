// SPDX-License-Identifier: Apache-2.0
#include "controllers/client_port.h"

#include <fmt/format.h>

#include "api/coordination.h"
#include "api/pod.h"
#include "base/log.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"

namespace berth::controllers {
namespace {

constexpr int kOwnershipAttempts = 5;

const client::CallOptions kOptions{.max_wait = client::CallOptions::kNoWaiting};

// ManagedField is what the API server records of one manager's fields: metadata.managedFields,
// which our own structs leave out.
struct ManagedField {
  std::string manager, operation, api_version, time, fields_type, subresource;
  json::Raw fields;

  static auto Fields() {
    return json::Object(json::Field("manager", &ManagedField::manager),
                        json::Field("operation", &ManagedField::operation),
                        json::Field("apiVersion", &ManagedField::api_version),
                        json::Field("time", &ManagedField::time),
                        json::Field("fieldsType", &ManagedField::fields_type),
                        json::Field("fieldsV1", &ManagedField::fields),
                        json::Field("subresource", &ManagedField::subresource));
  }
};

struct ManagedMeta {
  std::string uid, resource_version;
  std::vector<ManagedField> managed_fields;

  static auto Fields() {
    return json::Object(json::Field("uid", &ManagedMeta::uid),
                        json::Field("resourceVersion", &ManagedMeta::resource_version),
                        json::Field("managedFields", &ManagedMeta::managed_fields));
  }
};

struct ManagedObject {
  ManagedMeta metadata;

  static auto Fields() { return json::Object(json::Field("metadata", &ManagedObject::metadata)); }
};

// What a POST wrote is recorded as "Update" by its manager, beside which a later apply would leave
// fields standing that it does not name any more. Calling the record an "Apply" is what client-go's
// csaupgrade does. Gives nothing when `text` holds no such record.
std::optional<std::string> OwnershipPatch(const std::string& text) {
  Result<ManagedObject> object = json::Decode<ManagedObject>(text);
  if (!object) return std::nullopt;
  bool found = false;
  for (ManagedField& entry : object->metadata.managed_fields) {
    const bool is_ours =
        entry.manager == kFieldManager && entry.operation == "Update" && entry.subresource.empty();
    if (is_ours) entry.operation = "Apply";
    found = found || is_ours;
  }
  if (!found) return std::nullopt;
  return json::Encode(*object);
}

}  // namespace

Result<AnyObject> ReadObject(const api::ResourceInfo& resource, std::string_view text) {
  for (const RenderedKind& kind : RenderedKinds()) {
    if (kind.resource->kind == resource.kind) return kind.read(text);
  }
  if (resource.kind == api::Lease::kResource.kind) return AnyObject::Read<api::Lease>(text);
  return Fail(Reason::kUnknown, fmt::format("kind {} is not a rendered one", resource.kind));
}

Result<void> ClientPort::Fence() const {
  if (may_write_()) return {};
  return Fail(Reason::kCanceled, "leadership is not certain any more");
}

Result<std::string> ClientPort::Call(client::ApiRequest request) {
  request.options = kOptions;
  return client_.Call(std::move(request));
}

Result<AnyObject> ClientPort::Get(const ObjectKey& key) {
  BERTH_TRY(const std::string text,
            Call(client::GetRequest(*key.resource, key.namespace_, key.name)));
  return ReadObject(*key.resource, text);
}

Result<AnyObject> ClientPort::Create(const RenderedObject& object) {
  BERTH_TRY_VOID(Fence());
  const ObjectKey& key = object.key;
  client::ApiRequest request =
      client::CreateRequest(*key.resource, key.namespace_, object.object.Json());
  request.target += "?fieldManager=" + std::string(kFieldManager);
  BERTH_TRY(const std::string created, Call(std::move(request)));
  return ReadObject(*key.resource, TakeOwnership(key, created));
}

// Controllers of the cluster write into a new Deployment at once, so the patch may meet a newer
// version. Should it never get through, the object is right all the same: only a field that a later
// version of it leaves out would stay.
std::string ClientPort::TakeOwnership(const ObjectKey& key, std::string text) {
  for (int attempt = 0; attempt < kOwnershipAttempts; ++attempt) {
    const std::optional<std::string> patch = OwnershipPatch(text);
    if (!patch) return text;
    Result<std::string> patched = Call(client::PatchRequest(
        *key.resource, key.namespace_, key.name, *patch,
        {.type = client::PatchType::kMerge, .field_manager = std::string(kFieldManager)}));
    if (patched) return std::move(*patched);
    if (!patched.error().Is(Reason::kConflict)) break;
    Result<std::string> newer = Call(client::GetRequest(*key.resource, key.namespace_, key.name));
    if (!newer) break;
    text = std::move(*newer);
  }
  log::Warn("Could not take over the fields of a new object", {{"object", key.ToString()}});
  return text;
}

Result<AnyObject> ClientPort::Apply(const RenderedObject& object, const std::string& uid) {
  BERTH_TRY_VOID(Fence());
  const ObjectKey& key = object.key;
  BERTH_TRY(const std::string text, client_.ApplyRaw(*key.resource, key.namespace_, key.name,
                                                     object.object.WithUid(uid).Json(),
                                                     kFieldManager, /*force=*/true, kOptions));
  return ReadObject(*key.resource, text);
}

Result<void> ClientPort::Delete(const ObjectKey& key, const std::string& uid) {
  BERTH_TRY_VOID(Fence());
  api::DeleteOptions options;
  options.preconditions = api::Preconditions{.uid = uid, .resource_version = std::nullopt};
  options.propagation_policy = "Background";
  Result<void> deleted =
      client_.DeleteRaw(*key.resource, key.namespace_, key.name, options, kOptions);
  if (!deleted && deleted.error().Is(Reason::kNotFound)) return {};
  return deleted;
}

Result<void> ClientPort::PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) {
  BERTH_TRY_VOID(Fence());
  const std::string body = fmt::format(R"({{"metadata":{{"resourceVersion":{}}},"status":{}}})",
                                       json::Quoted(profile.resource_version), merge_patch);
  const Result<std::string> answer = Call(client::PatchRequest(
      crds::SchedulerProfile::kResource, "", profile.name, body,
      {.type = client::PatchType::kMerge, .field_manager = std::string(kFieldManager)}, "status"));
  if (!answer) return Fail(answer.error());
  return {};
}

void ClientPort::Record(const api::ObjectReference& regarding, const PlannedEvent& event) {
  std::optional<api::ObjectReference> related;
  if (event.related) {
    related = api::ObjectReference{.api_version = event.related->resource->ApiVersion(),
                                   .kind = std::string(event.related->resource->kind),
                                   .namespace_ = event.related->namespace_,
                                   .name = event.related->name};
  }
  recorder_.Record(
      {.kind = event.is_warning ? client::EventKind::kWarning : client::EventKind::kNormal,
       .reason = event.reason,
       .action = event.action,
       .note = event.note,
       .regarding = regarding,
       .related = std::move(related)});
}

Result<std::vector<api::ObjectReference>> ClientPort::PendingPods(
    const std::string& scheduler_name) {
  client::ListOptions list;
  list.field_selector = "spec.schedulerName=" + scheduler_name +
                        ",spec.nodeName=,status.phase!=Succeeded,status.phase!=Failed";
  BERTH_TRY(const client::RawList pods, client_.ListRaw(api::Pod::kResource, "", list, kOptions));
  std::vector<api::ObjectReference> references;
  for (const std::string& text : pods.items) {
    BERTH_TRY(const api::ObjectHeader pod, json::Decode<api::ObjectHeader>(text));
    references.push_back({.api_version = "v1",
                          .kind = "Pod",
                          .namespace_ = pod.metadata.namespace_,
                          .name = pod.metadata.name,
                          .uid = pod.metadata.uid,
                          .resource_version = pod.metadata.resource_version,
                          .field_path = ""});
  }
  return references;
}

}  // namespace berth::controllers
