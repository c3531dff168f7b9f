// SPDX-License-Identifier: Apache-2.0
#include "controllers/client_port.h"

#include <fmt/format.h>

#include "api/pod.h"
#include "controllers/field_managers.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"

namespace berth::controllers {
namespace {

// No object has this version: resource versions are etcd's, and its first write gets 2. Source:
// etcd server/storage/mvcc/kvstore.go.
constexpr const char* kVersionOfNone = "1";

const client::CallOptions kOptions{.max_wait = client::CallOptions::kNoWaiting};

}  // namespace

Result<AnyObject> ReadObject(const api::ResourceInfo& resource, std::string_view text) {
  for (const RenderedKind& kind : RenderedKinds()) {
    if (kind.resource->kind == resource.kind) return kind.read(text);
  }
  return Fail(Reason::kUnknown, fmt::format("kind {} is not a rendered kind", resource.kind));
}

Result<void> ClientPort::Fence() const {
  if (may_write_()) return {};
  return Fail(Reason::kCanceled, "this process may have lost leadership");
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

Result<bool> ClientPort::IsLive(const api::ObjectMeta& profile) {
  const Result<std::string> text =
      Call(client::GetRequest(crds::SchedulerProfile::kResource, "", profile.name));
  if (!text && text.error().Is(Reason::kNotFound)) return false;
  if (!text) return Fail(text.error());
  BERTH_TRY(const api::ObjectHeader live, json::Decode<api::ObjectHeader>(*text));
  return live.metadata.uid == profile.uid && !live.metadata.deletion_timestamp;
}

// An apply creates a missing object, and checks the version of an existing one. So an apply with a
// version that no object has can only create. A POST would record our fields under the operation
// "Update" instead, and a later apply would not remove fields that it no longer names. Source:
// apiserver pkg/registry/generic/registry/store.go, Update.
Result<AnyObject> ClientPort::Create(const RenderedObject& object) {
  Result<AnyObject> created = Send(object.key, object.object.WithVersion(kVersionOfNone));
  if (!created && created.error().Is(Reason::kConflict)) {
    return Fail(Reason::kAlreadyExists, object.key.ToString() + " exists already");
  }
  return created;
}

Result<AnyObject> ClientPort::Apply(const RenderedObject& object, const std::string& uid) {
  return Send(object.key, object.object.WithUid(uid));
}

Result<AnyObject> ClientPort::Send(const ObjectKey& key, const AnyObject& applied) {
  BERTH_TRY_VOID(Fence());
  BERTH_TRY(const std::string text,
            client_.ApplyRaw(*key.resource, key.namespace_, key.name, applied.Json(), kFieldManager,
                             /*force=*/true, kOptions));
  return ReadObject(*key.resource, text);
}

Result<AnyObject> ClientPort::RemoveFields(const ObjectKey& key, const std::string& merge_patch) {
  BERTH_TRY_VOID(Fence());
  BERTH_TRY(const std::string text,
            Call(client::PatchRequest(
                *key.resource, key.namespace_, key.name, merge_patch,
                {.type = client::PatchType::kMerge, .field_manager = std::string(kFieldManager)})));
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

Result<std::string> ClientPort::RivalOf(const ObjectKey& key, const std::string& path) {
  BERTH_TRY(const std::string text,
            Call(client::GetRequest(*key.resource, key.namespace_, key.name)));
  return controllers::RivalOf(text, path, kFieldManager);
}

template <class T>
Result<std::vector<std::shared_ptr<const T>>> ClientPort::ListIfServed() {
  Result<client::ObjectList<T>> list = client_.List<T>("", {}, kOptions);
  if (list) return std::move(list->items);
  if (list.error().Is(Reason::kNotFound) || list.error().Is(Reason::kForbidden)) {
    return std::vector<std::shared_ptr<const T>>();
  }
  return Fail(list.error());
}

Result<Mutators> ClientPort::RegisteredMutators() {
  Mutators registered;
  BERTH_TRY(registered.webhooks, ListIfServed<api::MutatingWebhookConfiguration>());
  BERTH_TRY(registered.policies, ListIfServed<api::MutatingAdmissionPolicy>());
  return registered;
}

Result<void> ClientPort::PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) {
  return PatchStatus(crds::SchedulerProfile::kResource, profile, merge_patch);
}

Result<void> ClientPort::PatchStatus(const api::ResourceInfo& resource,
                                     const api::ObjectMeta& object, std::string_view merge_patch) {
  BERTH_TRY_VOID(Fence());
  const std::string body = fmt::format(R"({{"metadata":{{"resourceVersion":{}}},"status":{}}})",
                                       json::Quoted(object.resource_version), merge_patch);
  const Result<std::string> answer = Call(client::PatchRequest(
      resource, object.namespace_, object.name, body,
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
  list.field_selector = "spec.schedulerName=" + client::EscapeFieldValue(scheduler_name) +
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
