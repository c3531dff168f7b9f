// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/garbage_collector.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/json/json.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

constexpr int kCollectorWorkers = 4;
constexpr std::chrono::seconds kDiscoveryPeriod(10);
constexpr std::chrono::milliseconds kCatchUpPeriod(20);
constexpr const char* kDiscoveryKey = "resources";

std::string KindKey(const std::string& api_version, std::string_view kind) {
  return api_version + " " + std::string(kind);
}

// Events own nothing and are many; Endpoints are deprecated, and reading them causes a warning.
bool IsCollected(const ServedResource& resource) {
  const std::string_view kind = resource.info().kind;
  return resource.Can("list") && resource.Can("watch") && resource.Can("delete") &&
         kind != "Event" && kind != "Endpoints";
}

// Reports whether an object has the owner `uid`.
bool Names(const api::ObjectMeta& dependent, const std::string& uid) {
  const auto& owners = dependent.owner_references;
  return std::any_of(owners.begin(), owners.end(),
                     [&](const api::OwnerReference& owner) { return owner.uid == uid; });
}

}  // namespace

// ResourceWatch keeps the metadata of one resource in the graph.
class GarbageCollector::ResourceWatch final : private client::ObjectSink {
 public:
  ResourceWatch(GarbageCollector& collector, ServedResourcePtr resource)
      : collector_(collector),
        resource_(std::move(resource)),
        loop_(collector.client_, resource_->info(), {}, collector.clock_, *this) {
    loop_.Start();
  }
  ~ResourceWatch() override { loop_.Stop(); }

 private:
  void ListBegins() override { unseen_ = known_; }

  void ListEnds() override {
    for (const std::string& uid : std::exchange(unseen_, {})) {
      known_.erase(uid);
      collector_.ObserveDeletion(uid);
    }
  }

  std::string Change(client::EventType type, const std::string& object) override {
    const auto header = json::Decode<api::ObjectHeader>(object);
    if (!header) return "";
    unseen_.erase(header->metadata.uid);
    if (type == client::EventType::kDeleted) {
      known_.erase(header->metadata.uid);
      collector_.ObserveDeletion(header->metadata.uid);
    } else {
      Keep(header->metadata);
    }
    return header->metadata.resource_version;
  }

  void Synced() override {}

  void Keep(const api::ObjectMeta& metadata) {
    known_.insert(metadata.uid);
    collector_.Observe({resource_, metadata});
  }

  GarbageCollector& collector_;
  const ServedResourcePtr resource_;
  std::set<std::string> known_;   // uids; of the watch's thread
  std::set<std::string> unseen_;  // during a list: uids of known_ that it has not returned yet
  client::ReflectorLoop loop_;    // last: its thread uses the rest
};

GarbageCollector::GarbageCollector(client::Client& client, const Clock& clock)
    : client_(client),
      clock_(clock),
      discovery_("API resources", clock, 1, [this](const std::string&) { return Discover(); }),
      loop_("Garbage", clock, kCollectorWorkers,
            [this](const std::string& uid) { return Collect(uid); }) {}

GarbageCollector::~GarbageCollector() { Stop(); }

void GarbageCollector::Start() {
  loop_.Start();
  discovery_.Start();
  discovery_.Add(kDiscoveryKey);
}

void GarbageCollector::Stop() {
  discovery_.Stop();
  std::map<std::string, std::unique_ptr<ResourceWatch>> watches;
  {
    std::lock_guard lock(mutex_);
    watches = std::move(watches_);
    watches_.clear();
  }
  watches.clear();  // without the lock, because their threads lock it
  loop_.Stop();
}

Result<RequeueAfter> GarbageCollector::Discover() {
  BERTH_TRY(const std::vector<ServedResourcePtr> resources, DiscoverResources(client_));
  std::vector<std::unique_ptr<ResourceWatch>> left;
  std::set<std::string> served;
  bool has_new = false;
  for (const ServedResourcePtr& resource : resources) {
    const std::string key = KindKey(resource->info().ApiVersion(), resource->info().kind);
    if (!IsCollected(*resource) || !served.insert(key).second) continue;
    {
      std::lock_guard lock(mutex_);
      if (!by_kind_.emplace(key, resource).second) continue;
    }
    has_new = true;
    auto watch = std::make_unique<ResourceWatch>(*this, resource);
    std::lock_guard lock(mutex_);
    watches_[key] = std::move(watch);
  }
  {
    std::lock_guard lock(mutex_);
    std::erase_if(by_kind_, [&](const auto& entry) { return !served.contains(entry.first); });
    for (auto watch = watches_.begin(); watch != watches_.end();) {
      if (served.contains(watch->first)) {
        ++watch;
        continue;
      }
      left.push_back(std::move(watch->second));
      watch = watches_.erase(watch);
    }
    // Owners of a kind that was unknown before can be looked up now.
    if (has_new) {
      for (const std::string& uid : ownership_.WithUnknownOwners()) loop_.Add(uid);
    }
  }
  return RequeueAfter(kDiscoveryPeriod);
}

void GarbageCollector::RecordDefinition(const OwnedObject& object) {
  if (object.resource->info().kind == "CustomResourceDefinition") discovery_.Add(kDiscoveryKey);
}

void GarbageCollector::Observe(OwnedObject object) {
  RecordDefinition(object);
  const std::string uid = object.metadata.uid;
  const bool concerns =
      !object.metadata.owner_references.empty() || object.metadata.deletion_timestamp.has_value();
  {
    std::lock_guard lock(mutex_);
    // Notifies an owner that waits for its dependents if this one has dropped its reference.
    if (const OwnedObject* known = ownership_.Find(uid)) AddOwners(*known);
    ownership_.Put(std::move(object));
  }
  if (concerns) loop_.Add(uid);
}

void GarbageCollector::AddOwners(const OwnedObject& object) {
  for (const api::OwnerReference& reference : object.metadata.owner_references) {
    const OwnedObject* owner = ownership_.Find(reference.uid);
    if (owner != nullptr && owner->IsLeaving()) loop_.Add(reference.uid);
  }
}

void GarbageCollector::ObserveDeletion(const std::string& uid) {
  std::lock_guard lock(mutex_);
  for (const std::string& dependent : ownership_.Dependents(uid)) loop_.Add(dependent);
  if (const OwnedObject* known = ownership_.Find(uid)) {
    AddOwners(*known);
    RecordDefinition(*known);
  }
  ownership_.Remove(uid);
}

bool GarbageCollector::IsGone(const OwnedObject& dependent, const api::OwnerReference& owner) {
  ServedResourcePtr resource;
  {
    std::lock_guard lock(mutex_);
    const auto found = by_kind_.find(KindKey(owner.api_version, owner.kind));
    if (found == by_kind_.end()) return false;  // an owner of an unknown kind is assumed to exist
    resource = found->second;
  }
  const std::string ns = resource->info().namespaced ? dependent.metadata.namespace_ : "";
  const Result<std::string> text =
      client_.Call(client::GetRequest(resource->info(), ns, owner.name));
  if (!text) return text.error().Is(Reason::kNotFound);
  const auto header = json::Decode<api::ObjectHeader>(*text);
  return header && header->metadata.uid != owner.uid;
}

// Requests to the API server are made without the lock, so the decision uses a copy of the graph
// around this object.
Result<RequeueAfter> GarbageCollector::Collect(const std::string& uid) {
  Ownership around;
  {
    std::lock_guard lock(mutex_);
    const OwnedObject* object = ownership_.Find(uid);
    if (object == nullptr) return RequeueAfter();
    for (const api::OwnerReference& owner : object->metadata.owner_references) {
      if (const OwnedObject* found = ownership_.Find(owner.uid)) around.Put(*found);
    }
    for (const std::string& dependent : ownership_.Dependents(uid)) {
      around.Put(*ownership_.Find(dependent));
    }
    around.Put(*object);
  }
  const CollectorStep step =
      around.Decide(uid, [this](const OwnedObject& dependent, const api::OwnerReference& owner) {
        return IsGone(dependent, owner);
      });
  if (step.kind == CollectorStep::Kind::kDeleteDependents) {
    for (const std::string& dependent : step.others) loop_.Add(dependent);
    return RequeueAfter();
  }
  if (step.kind == CollectorStep::Kind::kDropReferences) {
    for (const std::string& dependent : step.others) {
      BERTH_TRY_VOID(DropReference(*around.Find(dependent), uid));
    }
    return RequeueAfter();
  }
  const OwnedObject& object = *around.Find(uid);
  if (step.kind == CollectorStep::Kind::kRemoveFinalizer) {
    BERTH_TRY(const bool is_early, HasUnseenDependents(object, around));
    if (is_early) return RequeueAfter(kCatchUpPeriod);
  }
  BERTH_TRY_VOID(Carry(object, step));
  return RequeueAfter();
}

Result<bool> GarbageCollector::HasUnseenDependents(const OwnedObject& owner,
                                                   const Ownership& seen) {
  std::vector<ServedResourcePtr> resources;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [kind, resource] : by_kind_) resources.push_back(resource);
  }
  const std::string& ns = owner.metadata.namespace_;
  for (const ServedResourcePtr& resource : resources) {
    if (!ns.empty() && !resource->info().namespaced) continue;
    BERTH_TRY(const client::RawList list, client_.ListRaw(resource->info(), ns, {}));
    for (const std::string& text : list.items) {
      const auto header = json::Decode<api::ObjectHeader>(text);
      if (!header || !Names(header->metadata, owner.metadata.uid)) continue;
      if (seen.Find(header->metadata.uid) == nullptr) return true;
    }
  }
  return false;
}

Result<void> GarbageCollector::Carry(const OwnedObject& object, const CollectorStep& step) {
  if (step.kind == CollectorStep::Kind::kRemoveFinalizer) {
    return RemoveFinalizer(object, step.finalizer);
  }
  if (step.kind != CollectorStep::Kind::kDelete) return {};
  api::DeleteOptions options;
  options.propagation_policy = step.propagation;
  // A concurrent change may have removed the owner; its event will requeue the object.
  return DeleteUnchanged(client_, object.resource->info(), object.metadata, options);
}

Result<void> GarbageCollector::DropReference(const OwnedObject& dependent,
                                             const std::string& owner) {
  Json kept = Json::array();
  for (const api::OwnerReference& reference : dependent.metadata.owner_references) {
    if (reference.uid != owner) kept.push_back(berth::json::ReadDocument(json::Encode(reference)));
  }
  const Json patch = {{"metadata", {{"ownerReferences", kept}}}};
  return PatchExactly(client_, dependent.resource->info(), dependent.metadata,
                      berth::json::DocumentText(patch));
}

Result<void> GarbageCollector::RemoveFinalizer(const OwnedObject& object,
                                               const std::string& finalizer) {
  std::vector<std::string> kept = object.metadata.finalizers;
  std::erase(kept, finalizer);
  const Json patch = {{"metadata", {{"finalizers", kept}}}};
  return PatchExactly(client_, object.resource->info(), object.metadata,
                      berth::json::DocumentText(patch));
}

}  // namespace berth::simulation
