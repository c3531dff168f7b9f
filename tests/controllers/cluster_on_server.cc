// SPDX-License-Identifier: Apache-2.0
#include "tests/controllers/cluster_on_server.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/apiextensions.h"
#include "api/apps.h"
#include "api/pod.h"
#include "controllers/kind_watch.h"
#include "controllers/render.h"
#include "crds/manifest.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;

template <class T>
std::shared_ptr<const T> TypedOf(const std::optional<AnyObject>& object) {
  return object ? object->As<T>() : nullptr;
}

template <class T>
void Must(const Result<T>& result) {
  if (!result) throw std::runtime_error(result.error().message());
}

std::string Named(const std::string& api_version, const std::string& kind,
                  const std::string& name) {
  return json::Encode(
      api::ObjectHeader{.api_version = api_version, .kind = kind, .metadata = {.name = name}});
}

}  // namespace

ClusterOnServer::ClusterOnServer() {
  Must(client_.Create(crds::SchedulerProfileDefinition()));
  CreateObject(api::Namespace::kResource, "",
               Named("v1", "Namespace", std::string(crds::kDefaultNamespace)));
  CreateObject(api::ServiceAccount::kResource, "default", Named("v1", "ServiceAccount", "default"));
}

void ClusterOnServer::CreateObject(const api::ResourceInfo& resource, const std::string& ns,
                                   const std::string& json) {
  Must(client_.Call(client::CreateRequest(resource, ns, json)));
}

void ClusterOnServer::RefreshProfile(const std::string& name) {
  auto found = client_.Get<SchedulerProfile>("", name);
  if (found) {
    crds::PlaceByDefault(*found, crds::kDefaultNamespace);
    ShowProfile(*found);
  } else {
    profiles_.erase(name);
  }
}

void ClusterOnServer::PutProfile(SchedulerProfile profile) {
  const std::string name = profile.metadata.name;
  if (const auto live = client_.Get<SchedulerProfile>("", name)) {
    profile.metadata = live->metadata;
    Must(client_.Update(profile));
  } else {
    Must(client_.Create(profile));
  }
  RefreshProfile(name);
}

void ClusterOnServer::DeleteProfile(const std::string& name) {
  Must(client_.Delete<SchedulerProfile>("", name));
  RefreshProfile(name);
}

void ClusterOnServer::ShowProfile(const SchedulerProfile& profile) {
  profiles_[profile.metadata.name] = std::make_shared<const SchedulerProfile>(profile);
}

void ClusterOnServer::PutForeign(const ObjectKey& key, api::ObjectMeta metadata) {
  api::ObjectHeader header{.api_version = key.resource->ApiVersion(),
                           .kind = std::string(key.resource->kind),
                           .metadata = std::move(metadata)};
  header.metadata.name = key.name;
  CreateObject(*key.resource, key.namespace_, json::Encode(header));
  keys_.insert(key);
}

void ClusterOnServer::Edit(const ObjectKey& key, const std::string& merge_patch,
                           const std::string& manager) {
  Must(client_.Call(client::PatchRequest(*key.resource, key.namespace_, key.name, merge_patch,
                                         {.field_manager = manager})));
}

void ClusterOnServer::ReportRollout(const ObjectKey& deployment, int32_t updated) {
  const int64_t generation = Find(deployment).value().metadata().generation;
  const std::string status =
      fmt::format(R"({{"status":{{"observedGeneration":{},"replicas":1,"updatedReplicas":{},)"
                  R"("readyReplicas":1}}}})",
                  generation, updated);
  Must(client_.Call(client::PatchRequest(*deployment.resource, deployment.namespace_,
                                         deployment.name, status, {}, "status")));
}

void ClusterOnServer::Annotate(const std::string& profile, std::string_view annotation,
                               std::string_view value) {
  const std::string text = value.empty() ? "null" : json::Quoted(value);
  Edit(
      {&SchedulerProfile::kResource, "", profile},
      fmt::format(R"({{"metadata":{{"annotations":{{{}:{}}}}}}})", json::Quoted(annotation), text));
  RefreshProfile(profile);
}

RenderedObject ClusterOnServer::Admitted(RenderedObject object) const {
  if (admission) object.object = admission(object.object);
  return object;
}

void ClusterOnServer::Remove(const ObjectKey& key) {
  Must(client_.DeleteRaw(*key.resource, key.namespace_, key.name));
}

void ClusterOnServer::AddPendingPod(const std::string& name, const std::string& scheduler) {
  api::Pod pod;
  pod.metadata.name = name;
  pod.metadata.namespace_ = "default";
  pod.spec.scheduler_name = scheduler;
  pod.spec.containers.resize(1);
  pod.spec.containers[0].name = "c";
  pod.spec.containers[0].image = "example.com/c";
  Must(client_.Create(pod));
}

std::vector<std::shared_ptr<const SchedulerPod>> ClusterOnServer::SchedulerPods() {
  auto pods = client_.List<SchedulerPod>(
      "", {.label_selector = "app.kubernetes.io/managed-by=berth-operator"});
  Must(pods);
  return pods->items;
}

void ClusterOnServer::SetReady(const SchedulerPod& pod, bool ready) {
  const std::string patch = fmt::format(
      R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{}"}}]}}}})",
      ready ? "True" : "False");
  // Errors are ignored: the pod may be gone.
  (void)client_.Call(client::PatchRequest(api::Pod::kResource, pod.metadata.namespace_,
                                          pod.metadata.name, patch, {}, "status"));
}

void ClusterOnServer::MarkPodsReady() {
  for (const auto& pod : SchedulerPods()) {
    if (pod->status.phase != "Running") SetReady(*pod, true);
  }
}

void ClusterOnServer::MarkPodUnready() { SetReady(*SchedulerPods().at(0), false); }

// Checks the status just written against the past states of the objects.
void ClusterOnServer::Judge(const std::string& name) {
  const SchedulerProfile& profile = *profiles_.at(name);
  Evidence& evidence = evidence_[name];
  const ObjectKey key{&api::Deployment::kResource, profile.spec.namespace_, ObjectName(profile)};
  if (auto deployment = TypedOf<api::Deployment>(Find(key))) {
    evidence.deployments.push_back(std::move(deployment));
  }
  if (lease_) evidence.leases.push_back(lease_);
  JudgeStatus(profile, evidence);
}

std::optional<AnyObject> ClusterOnServer::Find(const ObjectKey& key) {
  auto found = port_.Get(key);
  if (!found) return std::nullopt;
  return std::move(*found);
}

size_t ClusterOnServer::size() {
  size_t count = 0;
  for (const ObjectKey& key : keys_) count += Find(key).has_value();
  return count;
}

std::shared_ptr<const SchedulerProfile> ClusterOnServer::Profile(const std::string& name) {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : found->second;
}

Profiles ClusterOnServer::AllProfiles() {
  Profiles all;
  for (const auto& [name, profile] : profiles_) all.push_back(profile);
  return all;
}

std::optional<Leftovers> ClusterOnServer::DeletedProfiles() {
  std::vector<AnyObject> objects;
  for (const ObjectKey& key : keys_) {
    const std::string_view kind = key.resource->kind;
    if (kind != api::ClusterRoleBinding::kResource.kind && kind != api::Deployment::kResource.kind)
      continue;
    if (auto object = Find(key)) objects.push_back(std::move(*object));
  }
  return FindLeftovers(objects, AllProfiles());
}

std::optional<Observed> ClusterOnServer::Observe(const SchedulerProfile& profile) {
  ++observations;
  Observed observed;
  observed.profiles = AllProfiles();
  observed.lease = lease_;
  if (lease_) observed.lease_unchanged = lease_unchanged;
  if (stores_are_stale) return observed;
  for (const ObjectKey& key : keys_) {
    const auto object = Find(key);
    if (!object) continue;
    const auto& labels = object->metadata().labels;
    const auto label = labels.find(std::string(kManagedByLabel));
    const bool is_watched = label != labels.end() && label->second == kFieldManager;
    if (is_watched && IsOf(object->metadata(), profile.metadata.name)) {
      observed.objects[key] = *object;
    }
  }
  const std::string name = ObjectName(profile);
  observed.deployment =
      TypedOf<api::Deployment>(Find({&api::Deployment::kResource, profile.spec.namespace_, name}));
  observed.config_map =
      TypedOf<api::ConfigMap>(Find({&api::ConfigMap::kResource, profile.spec.namespace_, name}));
  for (auto& pod : SchedulerPods()) {
    if (ProfileOf(pod->metadata) == profile.metadata.name) observed.pods.push_back(std::move(pod));
  }
  return observed;
}

Result<void> ClusterOnServer::Ask(const std::string& verb, const ObjectKey& key) {
  if (verb != "get") writes.push_back(verb + " " + key.ToString());
  if (!fault) return {};
  if (auto error = fault(verb, key)) return Fail(std::move(*error));
  return {};
}

Result<AnyObject> ClusterOnServer::Get(const ObjectKey& key) {
  BERTH_TRY_VOID(Ask("get", key));
  return port_.Get(key);
}

Result<AnyObject> ClusterOnServer::Create(const RenderedObject& object) {
  BERTH_TRY_VOID(Ask("create", object.key));
  keys_.insert(object.key);
  return port_.Create(Admitted(object));
}

Result<AnyObject> ClusterOnServer::Apply(const RenderedObject& object, const std::string& uid) {
  BERTH_TRY_VOID(Ask("apply", object.key));
  return port_.Apply(Admitted(object), uid);
}

// Admission adds its fields to the text without the removed ones. A write that changes nothing is
// not stored.
Result<AnyObject> ClusterOnServer::RemoveFields(const ObjectKey& key,
                                                const std::string& merge_patch) {
  BERTH_TRY_VOID(Ask("remove fields", key));
  if (!admission) return port_.RemoveFields(key, merge_patch);
  BERTH_TRY(const AnyObject live, port_.Get(key));
  nlohmann::json text = nlohmann::json::parse(live.text());
  text.merge_patch(nlohmann::json::parse(merge_patch));
  BERTH_TRY(const AnyObject patched, ReadObject(*key.resource, text.dump()));
  const std::string admitted = admission(patched).Json();
  if (admitted == live.Json()) return live;
  BERTH_TRY(const std::string written,
            client_.Call(client::UpdateRequest(*key.resource, key.namespace_, key.name, admitted)));
  return ReadObject(*key.resource, written);
}

Result<void> ClusterOnServer::Delete(const ObjectKey& key, const std::string& uid) {
  BERTH_TRY_VOID(Ask("delete", key));
  return port_.Delete(key, uid);
}

Result<void> ClusterOnServer::PatchStatus(const api::ObjectMeta& profile,
                                          std::string_view merge_patch) {
  BERTH_TRY_VOID(Ask("status", {&SchedulerProfile::kResource, "", profile.name}));
  Result<void> patched = port_.PatchStatus(profile, merge_patch);
  RefreshProfile(profile.name);
  if (patched) Judge(profile.name);
  return patched;
}

void ClusterOnServer::Record(const api::ObjectReference& regarding, const PlannedEvent& event) {
  events.push_back({regarding, event});
}

}  // namespace berth::controllers
