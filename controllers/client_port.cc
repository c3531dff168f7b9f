// SPDX-License-Identifier: Apache-2.0
#include "controllers/client_port.h"

#include <nlohmann/json.hpp>

#include "api/apps.h"
#include "api/coordination.h"
#include "api/networking.h"
#include "api/pod.h"
#include "api/policy.h"
#include "api/rbac.h"
#include "base/log.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

using Json = nlohmann::json;
using nlohmann::literals::operator""_json_pointer;

constexpr int kOwnershipAttempts = 5;

template <class T>
Result<LiveObject> Read(std::string_view text) {
  BERTH_TRY(T object, json::Decode<T>(text));
  std::string canonical = json::Encode(object);
  return LiveObject{.metadata = std::move(object.metadata), .json = std::move(canonical)};
}

struct Reader {
  const api::ResourceInfo* resource;
  Result<LiveObject> (*read)(std::string_view text);
};
constexpr Reader kReaders[] = {
    {&api::ServiceAccount::kResource, &Read<api::ServiceAccount>},
    {&api::Role::kResource, &Read<api::Role>},
    {&api::RoleBinding::kResource, &Read<api::RoleBinding>},
    {&api::ClusterRoleBinding::kResource, &Read<api::ClusterRoleBinding>},
    {&api::ConfigMap::kResource, &Read<api::ConfigMap>},
    {&api::Service::kResource, &Read<api::Service>},
    {&api::NetworkPolicy::kResource, &Read<api::NetworkPolicy>},
    {&api::PodDisruptionBudget::kResource, &Read<api::PodDisruptionBudget>},
    {&api::Deployment::kResource, &Read<api::Deployment>},
    {&api::Lease::kResource, &Read<api::Lease>},
};

std::string WithUid(const std::string& body, const std::string& uid) {
  Json object = Json::parse(body);
  object["metadata"]["uid"] = uid;
  return object.dump();
}

// What a POST wrote is recorded as "Update" by its manager, beside which a later apply would leave
// fields standing that it does not name any more. Calling the record an "Apply" is what client-go's
// csaupgrade does. Gives nothing when `text` holds no such record.
std::optional<std::string> OwnershipPatch(const std::string& text) {
  const Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Json managed = object.value("/metadata/managedFields"_json_pointer, Json::array());
  bool found = false;
  for (Json& entry : managed) {
    const bool is_ours = entry.value("manager", "") == kFieldManager &&
                         entry.value("operation", "") == "Update" && !entry.contains("subresource");
    if (is_ours) entry["operation"] = "Apply";
    found = found || is_ours;
  }
  if (!found) return std::nullopt;
  const Json& metadata = object.at("metadata");
  return Json({{"metadata",
                {{"uid", metadata.at("uid")},
                 {"resourceVersion", metadata.at("resourceVersion")},
                 {"managedFields", managed}}}})
      .dump();
}

}  // namespace

Result<LiveObject> LiveObjectOf(const api::ResourceInfo& resource, std::string_view text) {
  for (const Reader& reader : kReaders) {
    if (reader.resource->kind == resource.kind) return reader.read(text);
  }
  return Fail(Reason::kUnknown, "kind " + std::string(resource.kind) + " is not a rendered one");
}

Result<void> ClientPort::Fence() const {
  if (may_write_()) return {};
  return Fail(Reason::kCanceled, "leadership is not certain any more");
}

Result<LiveObject> ClientPort::Get(const ObjectKey& key) {
  BERTH_TRY(const std::string text,
            client_.Call(client::GetRequest(*key.resource, key.namespace_, key.name)));
  return LiveObjectOf(*key.resource, text);
}

Result<LiveObject> ClientPort::Create(const RenderedObject& object) {
  BERTH_TRY_VOID(Fence());
  const ObjectKey& key = object.key;
  client::ApiRequest request = client::CreateRequest(*key.resource, key.namespace_, object.json);
  request.target += "?fieldManager=" + std::string(kFieldManager);
  BERTH_TRY(const std::string created, client_.Call(std::move(request)));
  return LiveObjectOf(*key.resource, TakeOwnership(key, created));
}

// Controllers of the cluster write into a new Deployment at once, so the patch may meet a newer
// version. Should it never get through, the object is right all the same: only a field that a later
// version of it leaves out would stay.
std::string ClientPort::TakeOwnership(const ObjectKey& key, std::string text) {
  for (int attempt = 0; attempt < kOwnershipAttempts; ++attempt) {
    const std::optional<std::string> patch = OwnershipPatch(text);
    if (!patch) return text;
    Result<std::string> patched = client_.Call(client::PatchRequest(
        *key.resource, key.namespace_, key.name, *patch,
        {.type = client::PatchType::kMerge, .field_manager = std::string(kFieldManager)}));
    if (patched) return std::move(*patched);
    if (!patched.error().Is(Reason::kConflict)) break;
    Result<std::string> newer =
        client_.Call(client::GetRequest(*key.resource, key.namespace_, key.name));
    if (!newer) break;
    text = std::move(*newer);
  }
  log::Warn("Could not take over the fields of a new object", {{"object", key.ToString()}});
  return text;
}

Result<LiveObject> ClientPort::Apply(const RenderedObject& object, const std::string& uid) {
  BERTH_TRY_VOID(Fence());
  const ObjectKey& key = object.key;
  BERTH_TRY(const std::string text, client_.ApplyRaw(*key.resource, key.namespace_, key.name,
                                                     WithUid(object.json, uid), kFieldManager));
  return LiveObjectOf(*key.resource, text);
}

Result<void> ClientPort::Delete(const ObjectKey& key, const std::string& uid) {
  BERTH_TRY_VOID(Fence());
  api::DeleteOptions options;
  options.preconditions = api::Preconditions{.uid = uid, .resource_version = std::nullopt};
  options.propagation_policy = "Background";
  Result<void> deleted = client_.DeleteRaw(*key.resource, key.namespace_, key.name, options);
  if (!deleted && deleted.error().Is(Reason::kNotFound)) return {};
  return deleted;
}

Result<void> ClientPort::PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) {
  BERTH_TRY_VOID(Fence());
  const Json body = {{"metadata", {{"resourceVersion", profile.resource_version}}},
                     {"status", Json::parse(merge_patch)}};
  const Result<std::string> answer = client_.Call(client::PatchRequest(
      crds::SchedulerProfile::kResource, "", profile.name, body.dump(),
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
  BERTH_TRY(const client::RawList pods, client_.ListRaw(api::Pod::kResource, "", list));
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
