// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/unbound_claim.h"

#include <algorithm>
#include <utility>

#include "api/volume_annotations.h"
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kFilesystem = "Filesystem";
// A set of at most this size is searched for every node, without a cache.
constexpr size_t kFew = 8;

std::string_view ModeOf(const std::optional<std::string>& mode) {
  return mode ? std::string_view(*mode) : kFilesystem;
}

std::string_view TextOf(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

const Quantity* RequestOf(const api::PersistentVolumeClaim& claim) {
  const auto request = claim.spec.resources.requests.find("storage");
  return request == claim.spec.resources.requests.end() ? nullptr : &request->second;
}

}  // namespace

UnboundClaim::UnboundClaim(std::shared_ptr<const api::PersistentVolumeClaim> claim,
                           const api::StorageClass& storage_class, const Snapshot& snapshot)
    : claim_(std::move(claim)),
      storage_class_(storage_class.metadata.name),
      selected_node_(api::SelectedNodeOf(*claim_)) {
  static const auto kNoObject = std::make_shared<const api::PersistentVolume>();
  const VolumeStore& store = snapshot.Volumes();
  probe_.object = kNoObject;
  if (const Quantity* request = RequestOf(*claim_)) probe_.capacity = *request;
  if (claim_->spec.selector) {
    if (auto selector = api::Selector::Create(*claim_->spec.selector)) {
      selector_ = std::move(*selector);
    } else {
      error_ = "error creating internal label selector for claim: " + api::KeyOf(claim_->metadata) +
               ": " + selector.error().message();
    }
  }
  free_ = store.Volumes().FreeOf(storage_class_);
  for (const IndexedVolume* volume : store.Volumes().Naming(api::KeyOf(claim_->metadata))) {
    if (!api::NamesClaim(*volume->object, *claim_) || volume->storage_class != storage_class_ ||
        !Suits(*volume)) {
      continue;
    }
    if (named_ == nullptr || volume->name() < named_->name()) named_ = volume;
  }

  if (storage_class.provisioner != kNoProvisioner) provisioner_ = storage_class.provisioner;
  is_anywhere_ = storage_class.allowed_topologies.empty();
  KeyText text;
  text.AddCount(storage_class.allowed_topologies);
  for (const api::TopologySelectorTerm& term : storage_class.allowed_topologies) {
    text.AddCount(term.match_label_expressions);
    if (term.match_label_expressions.empty()) continue;  // matches no node
    std::vector<LabelMatcher>& parts = topologies_.emplace_back();
    for (const auto& [key, values] : term.match_label_expressions) {
      text.Add(key).Add(values);
      const api::Requirement requirement{key, api::Requirement::Operator::kIn, values, 0};
      parts.push_back(LabelMatcher::Passing({&requirement, 1}, snapshot.Words()));
    }
  }
  topologies_text_ = text.Take();
  const auto* driver = store.Find<api::CsiDriver>(provisioner_);
  is_limited_ =
      driver != nullptr && driver->spec.storage_capacity == true && RequestOf(*claim_) != nullptr;
}

bool UnboundClaim::Suits(const IndexedVolume& volume) const {
  const api::PersistentVolumeClaimSpec& wants = claim_->spec;
  const api::PersistentVolumeSpec& has = volume.object->spec;
  return volume.capacity >= size() && ModeOf(has.volume_mode) == ModeOf(wants.volume_mode) &&
         TextOf(has.volume_attributes_class_name) == TextOf(wants.volume_attributes_class_name) &&
         !volume.object->metadata.deletion_timestamp;
}

bool UnboundClaim::CanBind(const IndexedVolume& volume) const {
  if (!Suits(volume)) return false;
  if (selector_ && !selector_->Matches(volume.object->metadata.labels)) return false;
  const auto& has = volume.object->spec.access_modes;
  return std::ranges::all_of(claim_->spec.access_modes, [&has](const std::string& mode) {
    return std::ranges::find(has, mode) != has.end();
  });
}

const std::vector<const IndexedVolume*>& UnboundClaim::MayTakeOf(const Set& volumes) const {
  const auto [list, is_new] = may_take_.try_emplace(&volumes);
  if (!is_new) return list->second;
  for (auto volume = volumes.lower_bound(&probe_); volume != volumes.end(); ++volume) {
    if (CanBind(**volume)) list->second.push_back(*volume);
  }
  return list->second;
}

const IndexedVolume* UnboundClaim::SmallestOf(const Set& volumes, const NodeInfo& node,
                                              std::span<const IndexedVolume* const> taken) const {
  const auto is_here = [&](const IndexedVolume* volume) {
    return std::ranges::find(taken, volume) == taken.end() && volume->affinity->Matches(node);
  };
  if (volumes.size() > kFew) {
    const auto& list = MayTakeOf(volumes);
    const auto found = std::ranges::find_if(list, is_here);
    return found == list.end() ? nullptr : *found;
  }
  for (auto volume = volumes.lower_bound(&probe_); volume != volumes.end(); ++volume) {
    if (CanBind(**volume) && is_here(*volume)) return *volume;
  }
  return nullptr;
}

const IndexedVolume* UnboundClaim::FindVolume(const NodeInfo& node,
                                              std::span<const IndexedVolume* const> taken) const {
  if (named_ != nullptr) return named_->affinity->Matches(node) ? named_ : nullptr;
  if (free_ == nullptr) return nullptr;
  const IndexedVolume* smallest = SmallestOf(free_->wide(), node, taken);
  free_->ForEachPinnedTo(node, [&](const Set& volumes) {
    const IndexedVolume* found = SmallestOf(volumes, node, taken);
    if (found != nullptr && (smallest == nullptr || Smallest()(found, smallest))) smallest = found;
  });
  return smallest;
}

bool UnboundClaim::IsProvisionable(const NodeInfo& node) const {
  if (provisioner_.empty()) return false;
  return is_anywhere_ || std::ranges::any_of(topologies_, [&node](const auto& parts) {
           return std::ranges::all_of(
               parts, [&node](const LabelMatcher& part) { return part.Matches(node.labels); });
         });
}

bool UnboundClaim::HasRoom(const NodeInfo& node, const Snapshot& snapshot,
                           std::shared_ptr<const api::CsiStorageCapacity>& capacity) const {
  if (!is_limited_) return true;
  capacity = snapshot.Volumes().Capacities().FindRoom(storage_class_, size().Value(), node);
  return capacity != nullptr;
}

void UnboundClaim::AddTo(KeyText& text) const {
  const api::PersistentVolumeClaimSpec& spec = claim_->spec;
  text.Add(storage_class_).Add(size().ToString()).Add(RequestOf(*claim_) != nullptr);
  text.Add(ModeOf(spec.volume_mode)).Add(TextOf(spec.volume_attributes_class_name));
  text.Add(spec.access_modes).Add(selector_.has_value());
  if (selector_) text.Add(*selector_);
  text.Add(selected_node_ != nullptr);
  if (selected_node_ != nullptr) text.Add(*selected_node_);
  text.Add(named_ != nullptr);
  if (named_ != nullptr) text.Add(named_->affinity->text()).Add(named_->capacity.ToString());
  text.Add(provisioner_).Add(topologies_text_).Add(is_limited_);
}

}  // namespace berth::scheduler
