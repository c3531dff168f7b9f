// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_usage.h"

#include <algorithm>
#include <utility>

#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {

const std::map<Slot, uint32_t>& VolumeUsage::UsersOf(std::string_view claim) const {
  static const std::map<Slot, uint32_t> kNone;
  const auto found = claims_.find(claim);
  return found == claims_.end() ? kNone : found->second.users;
}

void VolumeUsage::Resize(size_t slots) {
  attached_.Resize(slots);
  broken_.resize(slots);
}

// ---- References between objects

void VolumeUsage::Mention(Mentions& mentions, const std::string& name, const std::string& key) {
  if (!name.empty()) mentions[name].insert(key);
}

void VolumeUsage::Unmention(Mentions& mentions, const std::string& name, const std::string& key) {
  const auto found = mentions.find(name);
  if (found == mentions.end()) return;
  found->second.erase(key);
  if (found->second.empty()) mentions.erase(found);
}

// Returns a copy, because the caller's loop may change the mentions.
std::set<std::string> VolumeUsage::MentionsOf(const Mentions& mentions, const std::string& name) {
  const auto found = mentions.find(name);
  return found == mentions.end() ? std::set<std::string>() : found->second;
}

void VolumeUsage::Register(const std::string& key, const CountedClaim& counted) {
  Mention(claims_of_volume_, counted.volume, key);
  Mention(claims_of_class_, counted.storage_class, key);
}

void VolumeUsage::Unregister(const std::string& key, const CountedClaim& counted) {
  Unmention(claims_of_volume_, counted.volume, key);
  Unmention(claims_of_class_, counted.storage_class, key);
}

// ---- Pods

VolumeUsage::Claim& VolumeUsage::ClaimAt(const std::string& key) {
  const auto [found, added] = claims_.try_emplace(key);
  if (added) {
    found->second.counted = CountClaim(objects_, key);
    Register(key, found->second.counted);
  }
  return found->second;
}

void VolumeUsage::DropIfUnused(const std::string& key, const Claim& claim) {
  if (!claim.users.empty() || !claim.ephemerals.empty()) return;
  Unregister(key, claim.counted);
  claims_.erase(key);
}

void VolumeUsage::AddPod(const PodInfo& pod, Slot slot) {
  for (const api::Volume& volume : pod.volumes()) {
    const std::string name = ClaimNameOf(pod, volume);
    if (name.empty()) {
      CountInline(pod, volume, slot, Change::kAdd);
      continue;
    }
    Claim& claim = ClaimAt(pod.namespace_() + "/" + name);
    if (volume.persistent_volume_claim) {
      ++claim.users[slot];
      Count(claim.counted, slot, 1, Change::kAdd);
    } else {
      claim.ephemerals.push_back({slot, pod.uid()});
      Count(claim, claim.ephemerals.back(), Change::kAdd);
    }
  }
}

void VolumeUsage::RemovePod(const PodInfo& pod, Slot slot) {
  for (const api::Volume& volume : pod.volumes()) {
    const std::string name = ClaimNameOf(pod, volume);
    if (name.empty()) {
      CountInline(pod, volume, slot, Change::kRemove);
      continue;
    }
    const std::string key = pod.namespace_() + "/" + name;
    Claim& claim = claims_.find(key)->second;
    if (volume.persistent_volume_claim) {
      const auto user = claim.users.find(slot);
      if (--user->second == 0) claim.users.erase(user);
      Count(claim.counted, slot, 1, Change::kRemove);
    } else {
      const auto use = std::ranges::find(claim.ephemerals, pod.uid(), &EphemeralUse::pod_uid);
      Count(claim, *use, Change::kRemove);
      claim.ephemerals.erase(use);
    }
    DropIfUnused(key, claim);
  }
}

void VolumeUsage::CountInline(const PodInfo& pod, const api::Volume& volume, Slot slot,
                              Change change) {
  const auto source = CountVolume(objects_, pod, volume);
  if (!source) {
    CountBroken(slot, change);
  } else if (*source) {
    Count(CountedClaim{.source = *source}, slot, 1, change);
  }
}

void VolumeUsage::Count(const CountedClaim& counted, Slot slot, uint32_t times, Change change) {
  if (!counted.source) return;
  if (change == Change::kAdd) {
    attached_.Add(slot, *counted.source, AttachedBy::kPod, times);
  } else {
    attached_.Remove(slot, *counted.source, AttachedBy::kPod, times);
  }
}

void VolumeUsage::Count(const Claim& claim, const EphemeralUse& use, Change change) {
  Count(claim.counted, use.slot, 1, change);
  if (IsBroken(claim, use)) CountBroken(use.slot, change);
}

void VolumeUsage::CountBroken(Slot slot, Change change) {
  uint32_t& broken = broken_[slot];
  broken = change == Change::kAdd ? broken + 1 : broken - 1;
}

void VolumeUsage::Count(const Claim& claim, Change change) {
  for (const auto& [slot, times] : claim.users) Count(claim.counted, slot, times, change);
  for (const EphemeralUse& use : claim.ephemerals) Count(claim, use, change);
}

// ---- Objects

void VolumeUsage::OnClaim(const std::string& key) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return;
  Claim& claim = found->second;
  CountedClaim counted = CountClaim(objects_, key);
  if (counted == claim.counted) return;
  Count(claim, Change::kRemove);
  Unregister(key, claim.counted);
  claim.counted = std::move(counted);
  Register(key, claim.counted);
  Count(claim, Change::kAdd);
  for (const auto& [slot, times] : claim.users) Touch(slot);
  for (const EphemeralUse& use : claim.ephemerals) Touch(use.slot);
}

void VolumeUsage::OnVolume(const std::string& name) {
  for (const std::string& key : MentionsOf(claims_of_volume_, name)) OnClaim(key);
  for (const std::string& key : MentionsOf(attachments_of_volume_, name)) OnAttachment(key);
}

void VolumeUsage::OnStorageClass(const std::string& name) {
  for (const std::string& key : MentionsOf(claims_of_class_, name)) OnClaim(key);
}

void VolumeUsage::OnCsiNode(const std::string& name) {
  const auto node = nodes_.find(name);
  if (node == nodes_.end() || node->second.slot == kNoSlot) return;
  attached_.SetNode(node->second.slot, objects_.Find<api::CsiNode>(name));
  Touch(node->second.slot);
}

// A volume of a migrated in-tree plugin does not count: its attachment names no CSI source.
VolumeUsage::Attachment VolumeUsage::Read(const api::VolumeAttachment& object) const {
  Attachment attachment{.node = object.spec.node_name,
                        .volume = object.spec.source.persistent_volume_name.value_or(""),
                        .source = {}};
  const auto* volume = objects_.Find<api::PersistentVolume>(attachment.volume);
  if (volume != nullptr && volume->spec.csi && !object.spec.attacher.empty()) {
    attachment.source = CsiSource{object.spec.attacher, volume->spec.csi->volume_handle};
  }
  return attachment;
}

void VolumeUsage::Count(const Attachment& attachment, Change change) {
  const auto node = nodes_.find(attachment.node);
  if (!attachment.source || node == nodes_.end() || node->second.slot == kNoSlot) return;
  const Slot slot = node->second.slot;
  if (change == Change::kAdd) {
    attached_.Add(slot, *attachment.source, AttachedBy::kAttachment);
  } else {
    attached_.Remove(slot, *attachment.source, AttachedBy::kAttachment);
  }
  Touch(slot);
}

void VolumeUsage::OnAttachment(const std::string& name) {
  if (const auto old = attachments_.extract(name)) {
    Count(old.mapped(), Change::kRemove);
    Unmention(attachments_of_volume_, old.mapped().volume, name);
    const auto node = nodes_.find(old.mapped().node);
    node->second.attachments.erase(name);
    if (node->second.attachments.empty() && node->second.slot == kNoSlot) nodes_.erase(node);
  }
  const auto* object = objects_.Find<api::VolumeAttachment>(name);
  if (object == nullptr) return;
  Attachment attachment = Read(*object);
  nodes_[attachment.node].attachments.insert(name);
  Mention(attachments_of_volume_, attachment.volume, name);
  Count(attachment, Change::kAdd);
  attachments_.emplace(name, std::move(attachment));
}

void VolumeUsage::OnCleared() {
  std::vector<std::string> keys;
  for (const auto& [key, claim] : claims_) keys.push_back(key);
  for (const std::string& key : keys) OnClaim(key);
  keys.clear();
  for (const auto& [name, attachment] : attachments_) keys.push_back(name);
  for (const std::string& name : keys) OnAttachment(name);
  keys.clear();
  for (const auto& [name, node] : nodes_) keys.push_back(name);
  for (const std::string& name : keys) OnCsiNode(name);
}

// ---- Nodes

void VolumeUsage::TakeSlot(Slot slot, const std::string& name) {
  Node& node = nodes_[name];
  node.slot = slot;
  attached_.SetNode(slot, objects_.Find<api::CsiNode>(name));
  for (const std::string& each : node.attachments) {
    Count(attachments_.find(each)->second, Change::kAdd);
  }
}

void VolumeUsage::FreeSlot(Slot slot, const std::string& name) {
  const auto found = nodes_.find(name);
  Node& node = found->second;
  for (const std::string& each : node.attachments) {
    Count(attachments_.find(each)->second, Change::kRemove);
  }
  attached_.SetNode(slot, nullptr);
  node.slot = kNoSlot;
  if (node.attachments.empty()) nodes_.erase(found);
}

}  // namespace berth::scheduler
