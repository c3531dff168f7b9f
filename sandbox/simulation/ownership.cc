// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/ownership.h"

#include <algorithm>
#include <utility>

namespace berth::simulation {
namespace {

// An owner in another namespace is invalid; it counts as gone.
bool IsPossible(const OwnedObject& owner, const OwnedObject& dependent) {
  return owner.metadata.namespace_.empty() ||
         owner.metadata.namespace_ == dependent.metadata.namespace_;
}

bool Blocks(const OwnedObject& dependent, const std::string& owner) {
  for (const api::OwnerReference& reference : dependent.metadata.owner_references) {
    if (reference.uid == owner) return reference.block_owner_deletion.value_or(false);
  }
  return false;
}

}  // namespace

bool OwnedObject::Has(const char* finalizer) const {
  return std::count(metadata.finalizers.begin(), metadata.finalizers.end(), finalizer) > 0;
}

void Ownership::Put(OwnedObject object) {
  const std::string uid = object.metadata.uid;
  Remove(uid);
  object.metadata.labels.clear();
  object.metadata.annotations.clear();
  for (const api::OwnerReference& owner : object.metadata.owner_references) {
    dependents_[owner.uid].insert(uid);
  }
  objects_[uid] = std::move(object);
}

void Ownership::Remove(const std::string& uid) {
  const auto found = objects_.find(uid);
  if (found == objects_.end()) return;
  for (const api::OwnerReference& owner : found->second.metadata.owner_references) {
    const auto siblings = dependents_.find(owner.uid);
    if (siblings == dependents_.end()) continue;
    siblings->second.erase(uid);
    if (siblings->second.empty()) dependents_.erase(siblings);
  }
  objects_.erase(found);
}

const OwnedObject* Ownership::Find(const std::string& uid) const {
  const auto found = objects_.find(uid);
  return found == objects_.end() ? nullptr : &found->second;
}

std::vector<std::string> Ownership::Dependents(const std::string& uid) const {
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::set<std::string> Ownership::WithUnknownOwners() const {
  std::set<std::string> uids;
  for (const auto& [owner, dependents] : dependents_) {
    if (!objects_.contains(owner)) uids.insert(dependents.begin(), dependents.end());
  }
  return uids;
}

CollectorStep Ownership::Decide(const std::string& uid, const IsGone& is_gone) const {
  const OwnedObject* object = Find(uid);
  if (object == nullptr) return {};
  if (object->IsLeaving()) {
    if (object->Has(kOrphanFinalizer)) return DecideOrphan(*object);
    if (object->Has(kForegroundFinalizer)) return DecideForeground(*object);
    return {};
  }
  return DecideDependent(*object, is_gone);
}

CollectorStep Ownership::DecideForeground(const OwnedObject& object) const {
  CollectorStep step{.kind = CollectorStep::Kind::kDeleteDependents};
  bool is_blocked = false;
  for (const std::string& uid : Dependents(object.metadata.uid)) {
    const OwnedObject& dependent = *Find(uid);
    is_blocked = is_blocked || Blocks(dependent, object.metadata.uid);
    if (!dependent.IsLeaving()) step.others.push_back(uid);
  }
  if (!is_blocked) {
    return {.kind = CollectorStep::Kind::kRemoveFinalizer, .finalizer = kForegroundFinalizer};
  }
  if (step.others.empty()) return {};
  return step;
}

CollectorStep Ownership::DecideOrphan(const OwnedObject& object) const {
  std::vector<std::string> dependents = Dependents(object.metadata.uid);
  if (dependents.empty()) {
    return {.kind = CollectorStep::Kind::kRemoveFinalizer, .finalizer = kOrphanFinalizer};
  }
  return {.kind = CollectorStep::Kind::kDropReferences, .others = std::move(dependents)};
}

CollectorStep Ownership::DecideDependent(const OwnedObject& object, const IsGone& is_gone) const {
  if (object.metadata.owner_references.empty()) return {};
  bool waits_for_us = false;
  for (const api::OwnerReference& reference : object.metadata.owner_references) {
    const OwnedObject* owner = Find(reference.uid);
    if (owner == nullptr || !IsPossible(*owner, object)) {
      if (owner == nullptr && !is_gone(object, reference)) return {};
      continue;
    }
    const bool is_waiting = owner->IsLeaving() && owner->Has(kForegroundFinalizer);
    if (!is_waiting) return {};
    waits_for_us = true;
  }
  const bool has_dependents = !Dependents(object.metadata.uid).empty();
  std::string propagation = waits_for_us && has_dependents ? "Foreground" : "Background";
  if (object.Has(kOrphanFinalizer)) propagation = "Orphan";
  return {.kind = CollectorStep::Kind::kDelete, .propagation = std::move(propagation)};
}

}  // namespace berth::simulation
