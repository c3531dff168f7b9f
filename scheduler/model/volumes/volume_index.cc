// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_index.h"

#include <utility>

namespace berth::scheduler {
namespace {

std::string ClaimKeyOf(const api::PersistentVolume& volume) {
  const auto& claim = volume.spec.claim_ref;
  return claim ? claim->namespace_ + "/" + claim->name : std::string();
}

Quantity CapacityOf(const api::PersistentVolume& volume) {
  const auto storage = volume.spec.capacity.find("storage");
  return storage == volume.spec.capacity.end() ? Quantity() : storage->second;
}

// Reports whether two states of a free volume are equal for claims.
bool ReadsAlike(const IndexedVolume& a, const api::PersistentVolume& b) {
  return a.object->spec == b.spec && a.object->metadata.labels == b.metadata.labels &&
         a.object->status == b.status && a.storage_class == api::StorageClassOf(b) &&
         a.object->metadata.deletion_timestamp.has_value() ==
             b.metadata.deletion_timestamp.has_value();
}

}  // namespace

bool IndexedVolume::IsFree() const {
  return !object->spec.claim_ref && object->status.phase == "Available" &&
         !object->metadata.deletion_timestamp;
}

void VolumeIndex::Replace(const std::string& name,
                          std::shared_ptr<const api::PersistentVolume> volume) {
  const auto known = volumes_.find(name);
  if (known != volumes_.end()) {
    if (volume != nullptr && ReadsAlike(known->second, *volume)) {
      known->second.object = std::move(volume);  // same name and size: it keeps its position
      return;
    }
    Erase(name);
  }
  if (volume == nullptr) return;
  IndexedVolume row;
  row.capacity = CapacityOf(*volume);
  row.storage_class = api::StorageClassOf(*volume);
  row.claim = ClaimKeyOf(*volume);
  row.affinity = AffinityOf(*volume);
  row.object = std::move(volume);
  Insert(std::move(row));
}

void VolumeIndex::Insert(IndexedVolume volume) {
  const std::string name = volume.name();
  const IndexedVolume& row = volumes_.emplace(name, std::move(volume)).first->second;
  if (!row.claim.empty()) by_claim_[row.claim].push_back(&row);
  if (!row.IsFree()) return;
  const auto& pin = row.affinity->pin();
  if (pin) changes_.nodes().Track(pin->key);
  OfClass& of_class = classes_[row.storage_class];
  of_class.free.Add(row, pin, words_);
  FreeChanged(of_class, pin);
}

void VolumeIndex::Erase(const std::string& name) {
  auto row = volumes_.find(name);
  const IndexedVolume& volume = row->second;
  if (const auto named = by_claim_.find(volume.claim); named != by_claim_.end()) {
    std::erase(named->second, &volume);
    if (named->second.empty()) by_claim_.erase(named);
  }
  if (volume.IsFree()) {
    const auto& pin = volume.affinity->pin();
    const auto of_class = classes_.find(volume.storage_class);
    of_class->second.free.Remove(volume, pin, words_);
    FreeChanged(of_class->second, pin);
    if (of_class->second.free.empty()) classes_.erase(of_class);
    if (pin) changes_.nodes().Untrack(pin->key);
  }
  auto affinity = std::move(row->second.affinity);
  volumes_.erase(row);
  DropAffinity(std::move(affinity));
}

void VolumeIndex::FreeChanged(OfClass& of_class, const std::optional<LabelPin>& pin) {
  if (!changes_.Touch(pin)) of_class.version = changes_.NextVersion();
}

std::shared_ptr<const VolumeAffinity> VolumeIndex::AffinityOf(const api::PersistentVolume& volume) {
  std::weak_ptr<const VolumeAffinity>& known = affinities_[VolumeAffinity::TextOf(volume)];
  auto affinity = known.lock();
  if (affinity == nullptr) {
    affinity = std::make_shared<const VolumeAffinity>(VolumeAffinity::Lasting(volume, words_));
    known = affinity;
  }
  return affinity;
}

void VolumeIndex::DropAffinity(std::shared_ptr<const VolumeAffinity> affinity) {
  if (affinity.use_count() == 1) affinities_.erase(affinity->text());
}

void VolumeIndex::Clear() {
  while (!volumes_.empty()) Erase(std::string(volumes_.begin()->first));
}

const IndexedVolume* VolumeIndex::Find(std::string_view name) const {
  const auto found = volumes_.find(name);
  return found == volumes_.end() ? nullptr : &found->second;
}

std::span<const IndexedVolume* const> VolumeIndex::Naming(std::string_view claim_key) const {
  const auto found = by_claim_.find(claim_key);
  if (found == by_claim_.end()) return {};
  return found->second;
}

const VolumeIndex::Free* VolumeIndex::FreeOf(std::string_view storage_class) const {
  const auto found = classes_.find(storage_class);
  return found == classes_.end() ? nullptr : &found->second.free;
}

uint64_t VolumeIndex::VersionOf(std::string_view storage_class) const {
  const auto found = classes_.find(storage_class);
  return found == classes_.end() ? 0 : found->second.version;
}

}  // namespace berth::scheduler
