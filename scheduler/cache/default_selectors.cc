// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/default_selectors.h"

#include <algorithm>
#include <functional>

namespace berth::scheduler {
namespace {

bool Selects(const LabelSet& selector, const LabelSet& labels) {
  return std::ranges::all_of(selector, [&](const LabelSet::Label& wanted) {
    return labels.Value(wanted.first) == wanted.second;
  });
}

// Matches group and version exactly: an owner in "apps/v1beta1" is ignored.
std::optional<ObjectKind> KindOfOwner(const api::OwnerReference& owner) {
  for (const ObjectKind kind :
       {ObjectKind::kReplicaSet, ObjectKind::kStatefulSet, ObjectKind::kReplicationController}) {
    const api::ResourceInfo& resource = ResourceOf(kind);
    if (owner.kind == resource.kind && owner.api_version == resource.ApiVersion()) return kind;
  }
  return std::nullopt;
}

// Adds requirements without duplicates. A controller usually requires the same labels as its
// Services.
void AddMissing(const std::vector<api::Requirement>& requirements, api::Selector& selector) {
  for (const api::Requirement& each : requirements) {
    const auto& known = selector.requirements();
    if (std::ranges::find(known, each) == known.end()) selector.Add(each);
  }
}

}  // namespace

size_t DefaultSelectors::PlaceHash::operator()(const Place& place) const {
  const uint64_t label = uint64_t{place.label.first} << 32 | place.label.second;
  return std::hash<uint64_t>()(label * 0x9e3779b97f4a7c15u ^ place.namespace_name);
}

// ---- Owners

void DefaultSelectors::Owners::Put(const std::string& uid, Owner owner) {
  Remove(uid);
  const Owner& kept = by_uid_.insert_or_assign(uid, std::move(owner)).first->second;
  const Name name{kept.namespace_name, kept.name};
  by_name_.erase(name);  // also the key, which may point into another object of that name
  by_name_.emplace(name, &kept);
}

void DefaultSelectors::Owners::Remove(const std::string& uid) {
  const auto gone = by_uid_.find(uid);
  if (gone == by_uid_.end()) return;
  const auto named = by_name_.find({gone->second.namespace_name, gone->second.name});
  if (named != by_name_.end() && named->second == &gone->second) by_name_.erase(named);
  by_uid_.erase(gone);
}

void DefaultSelectors::Owners::Clear() {
  by_name_.clear();
  by_uid_.clear();
}

const DefaultSelectors::Owners::Owner* DefaultSelectors::Owners::Find(Symbol namespace_name,
                                                                      std::string_view name) const {
  const auto found = by_name_.find({namespace_name, name});
  return found == by_name_.end() ? nullptr : found->second;
}

// ---- stored objects

// Ignores a Service without a selector: it selects nothing. An empty selector would select every
// pod but add no requirement, which has the same effect.
void DefaultSelectors::Put(const api::Service& service) {
  RemoveService(service.metadata.uid);
  if (service.spec.selector.empty()) return;
  Service& kept = services_[service.metadata.uid];
  kept.namespace_name = words_.Intern(service.metadata.namespace_);
  kept.name = service.metadata.name;
  kept.selector = LabelSet(service.spec.selector, words_);
  const Place place = PlaceFor(kept);
  kept.filed_under = place.label;
  services_at_[place].push_back(&kept);
}

DefaultSelectors::Place DefaultSelectors::PlaceFor(const Service& service) const {
  const auto crowd = [&](const LabelSet::Label& label) {
    const auto found = services_at_.find({service.namespace_name, label});
    return found == services_at_.end() ? size_t{0} : found->second.size();
  };
  return {service.namespace_name, *std::ranges::min_element(service.selector, {}, crowd)};
}

void DefaultSelectors::RemoveService(const std::string& uid) {
  const auto gone = services_.find(uid);
  if (gone == services_.end()) return;
  const auto place = services_at_.find({gone->second.namespace_name, gone->second.filed_under});
  std::erase(place->second, &gone->second);
  if (place->second.empty()) services_at_.erase(place);
  services_.erase(gone);
}

// Like upstream, does not validate the selector of a ReplicationController.
void DefaultSelectors::Put(const api::ReplicationController& controller) {
  const api::ObjectMeta& metadata = controller.metadata;
  OwnersOf(ObjectKind::kReplicationController)
      .Put(metadata.uid, {.namespace_name = words_.Intern(metadata.namespace_),
                          .name = metadata.name,
                          .labels = LabelSet(controller.spec.selector, words_),
                          .expressions = {}});
}

void DefaultSelectors::Put(const api::ReplicaSet& set) {
  PutOwner(ObjectKind::kReplicaSet, set.metadata, set.spec.selector);
}

void DefaultSelectors::Put(const api::StatefulSet& set) {
  PutOwner(ObjectKind::kStatefulSet, set.metadata, set.spec.selector);
}

// Skips an owner without a valid selector: it adds no requirement. Labels are stored as symbols,
// shared with those of its pods.
void DefaultSelectors::PutOwner(ObjectKind kind, const api::ObjectMeta& metadata,
                                const std::optional<api::LabelSelector>& selector) {
  Owners& owners = OwnersOf(kind);
  if (!selector || !api::Selector::Create(*selector)) return owners.Remove(metadata.uid);
  Owners::Owner owner{.namespace_name = words_.Intern(metadata.namespace_),
                      .name = metadata.name,
                      .labels = LabelSet(selector->match_labels, words_),
                      .expressions = {}};
  if (!selector->match_expressions.empty()) {
    const api::LabelSelector rest{.match_labels = {},
                                  .match_expressions = selector->match_expressions};
    owner.expressions = api::Selector::Create(rest)->requirements();
  }
  owners.Put(metadata.uid, std::move(owner));
}

void DefaultSelectors::Remove(ObjectKind kind, const std::string& uid) {
  if (kind == ObjectKind::kService) return RemoveService(uid);
  OwnersOf(kind).Remove(uid);
}

void DefaultSelectors::Clear(ObjectKind kind) {
  if (kind != ObjectKind::kService) return OwnersOf(kind).Clear();
  services_at_.clear();
  services_.clear();
}

// ---- queries

void DefaultSelectors::Merge(const LabelSet& labels, api::StringMap& wanted) const {
  for (const auto& [key, value] : labels) {
    wanted.insert_or_assign(words_.Text(key), words_.Text(value));
  }
}

template <class Visit>
void DefaultSelectors::ForEachServiceOf(const PodInfo& pod, const Visit& visit) const {
  for (const LabelSet::Label& label : pod.labels()) {
    const auto here = services_at_.find({pod.namespace_word(), label});
    if (here == services_at_.end()) continue;
    for (const Service* service : here->second) {
      if (Selects(service->selector, pod.labels())) visit(*service);
    }
  }
}

std::optional<api::Selector> DefaultSelectors::OfFirstService(const PodInfo& pod) const {
  const Service* first = nullptr;
  ForEachServiceOf(pod, [&first](const Service& service) {
    if (first == nullptr || service.name < first->name) first = &service;
  });
  if (first == nullptr) return std::nullopt;
  api::StringMap wanted;
  Merge(first->selector, wanted);
  return api::Selector::FromMap(wanted);
}

api::Selector DefaultSelectors::Of(const PendingPod& pod) const {
  api::StringMap wanted;
  ForEachServiceOf(pod, [&](const Service& service) { Merge(service.selector, wanted); });
  const api::OwnerReference* controller = api::ControllerOf(pod.pod().metadata);
  const auto kind = controller != nullptr ? KindOfOwner(*controller) : std::nullopt;
  // By name only, like upstream.
  const Owners::Owner* owner =
      kind ? OwnersOf(*kind).Find(pod.namespace_word(), controller->name) : nullptr;
  if (owner == nullptr) return api::Selector::FromMap(wanted);
  if (kind == ObjectKind::kReplicationController) {
    Merge(owner->labels, wanted);
    return api::Selector::FromMap(wanted);
  }
  api::Selector selector = api::Selector::FromMap(wanted);
  api::StringMap labels;
  Merge(owner->labels, labels);
  AddMissing(api::Selector::FromMap(labels).requirements(), selector);
  AddMissing(owner->expressions.ValueOrDefault(), selector);
  return selector;
}

}  // namespace berth::scheduler
