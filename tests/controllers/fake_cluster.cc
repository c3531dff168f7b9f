// SPDX-License-Identifier: Apache-2.0
#include "tests/controllers/fake_cluster.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

using Json = nlohmann::json;

template <class T>
std::shared_ptr<const T> TypedOf(const LiveObject* object) {
  if (!object) return nullptr;
  return std::make_shared<const T>(json::Decode<T>(object->json).value());
}

}  // namespace

void FakeCluster::PutProfile(crds::SchedulerProfile profile) {
  profile.metadata.resource_version = std::to_string(++last_version_);
  const std::string name = profile.metadata.name;
  profiles_[name] = std::make_shared<const crds::SchedulerProfile>(std::move(profile));
}

void FakeCluster::PutForeign(const ObjectKey& key, api::ObjectMeta metadata) {
  api::ObjectHeader header{.api_version = key.resource->ApiVersion(),
                           .kind = std::string(key.resource->kind),
                           .metadata = std::move(metadata)};
  header.metadata.name = key.name;
  header.metadata.namespace_ = key.namespace_;
  Store(key, json::Encode(header), "foreign-uid");
}

void FakeCluster::Edit(const ObjectKey& key, const std::string& merge_patch) {
  Json object = Json::parse(objects_.at(key).json);
  object.merge_patch(Json::parse(merge_patch));
  Store(key, object.dump(), objects_.at(key).metadata.uid);
}

void FakeCluster::SetDeploymentStatus(const std::string& profile, api::DeploymentStatus status) {
  const ObjectKey key{&api::Deployment::kResource, std::string(crds::kDefaultNamespace),
                      std::string(crds::kObjectPrefix) + profile};
  Edit(key, R"({"status":)" + json::Encode(status) + "}");
}

const LiveObject* FakeCluster::Find(const ObjectKey& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : &found->second;
}

std::shared_ptr<const crds::SchedulerProfile> FakeCluster::Profile(const std::string& name) {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : found->second;
}

std::optional<Observed> FakeCluster::Observe(const crds::SchedulerProfile& profile) {
  Observed observed;
  for (const auto& [name, other] : profiles_) observed.profiles.push_back(other);
  observed.lease = lease_;
  if (lease_) observed.lease_unchanged = lease_unchanged;
  if (stores_are_stale) return observed;
  for (const auto& [key, object] : objects_) {
    const auto label = object.metadata.labels.find(std::string(crds::kProfileLabel));
    if (label == object.metadata.labels.end() || label->second != profile.metadata.name) continue;
    observed.objects[key] = object;
  }
  const std::string name = ObjectName(profile);
  observed.deployment =
      TypedOf<api::Deployment>(Find({&api::Deployment::kResource, profile.spec.namespace_, name}));
  observed.config_map =
      TypedOf<api::ConfigMap>(Find({&api::ConfigMap::kResource, profile.spec.namespace_, name}));
  return observed;
}

Result<void> FakeCluster::Ask(const std::string& verb, const ObjectKey& key) {
  if (verb != "get") writes.push_back(verb + " " + key.ToString());
  if (!fault) return {};
  if (auto error = fault(verb, key)) return Fail(std::move(*error));
  return {};
}

LiveObject FakeCluster::Store(const ObjectKey& key, std::string text, const std::string& uid) {
  Json object = Json::parse(text);
  object["metadata"]["uid"] = uid;
  object["metadata"]["resourceVersion"] = std::to_string(++last_version_);
  objects_[key] = LiveObjectOf(*key.resource, object.dump()).value();
  return objects_[key];
}

Result<LiveObject> FakeCluster::Get(const ObjectKey& key) {
  BERTH_TRY_VOID(Ask("get", key));
  if (const LiveObject* object = Find(key)) return *object;
  return Fail(Reason::kNotFound, key.ToString() + " not found");
}

Result<LiveObject> FakeCluster::Create(const RenderedObject& object) {
  BERTH_TRY_VOID(Ask("create", object.key));
  if (Find(object.key)) {
    return Fail(Reason::kAlreadyExists, object.key.ToString() + " already exists");
  }
  return Store(object.key, object.json, "uid-" + std::to_string(last_version_));
}

Result<LiveObject> FakeCluster::Apply(const RenderedObject& object, const std::string& uid) {
  BERTH_TRY_VOID(Ask("apply", object.key));
  const LiveObject* live = Find(object.key);
  if (!live || live->metadata.uid != uid) return Fail(Reason::kConflict, "uid mismatch");
  Json merged = Json::parse(live->json);
  merged.merge_patch(Json::parse(object.json));
  return Store(object.key, merged.dump(), uid);
}

Result<void> FakeCluster::Delete(const ObjectKey& key, const std::string& uid) {
  BERTH_TRY_VOID(Ask("delete", key));
  const LiveObject* live = Find(key);
  if (live && live->metadata.uid != uid) return Fail(Reason::kConflict, "uid mismatch");
  objects_.erase(key);
  return {};
}

Result<void> FakeCluster::PatchStatus(const api::ObjectMeta& metadata,
                                      std::string_view merge_patch) {
  BERTH_TRY_VOID(Ask("status", {&crds::SchedulerProfile::kResource, "", metadata.name}));
  crds::SchedulerProfile profile = *profiles_.at(metadata.name);
  if (profile.metadata.resource_version != metadata.resource_version) {
    return Fail(Reason::kConflict, "the object has been modified");
  }
  Json status = Json::parse(json::Encode(profile.status));
  status.merge_patch(Json::parse(merge_patch));
  profile.status = json::Decode<crds::SchedulerProfileStatus>(status.dump()).value();
  PutProfile(std::move(profile));
  return {};
}

void FakeCluster::Record(const api::ObjectReference& regarding, const PlannedEvent& event) {
  events.push_back({regarding, event});
}

}  // namespace berth::controllers
