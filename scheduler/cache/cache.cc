// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/cache.h"

#include <algorithm>

#include "base/log.h"

namespace berth::scheduler {

namespace {

// Reports whether epoch kNodeObject stays the same. A heartbeat that only changes times moves no
// epoch. Images are not included: they have versions.
bool ReadsAlike(const api::Node& a, const api::Node& b) {
  return a.metadata.labels == b.metadata.labels &&
         a.metadata.annotations == b.metadata.annotations && a.spec == b.spec &&
         a.status.allocatable == b.status.allocatable && a.status.capacity == b.status.capacity &&
         a.status.node_info == b.status.node_info &&
         a.status.declared_features == b.status.declared_features;
}

// Reports whether epoch kNodePods stays the same.
bool CountsAlike(const PodInfo& a, const PodInfo& b) {
  return a.priority() == b.priority() && a.labels() == b.labels() &&
         a.accounted() == b.accounted() && a.non_zero_milli_cpu() == b.non_zero_milli_cpu() &&
         a.non_zero_memory() == b.non_zero_memory() && a.HasAffinity() == b.HasAffinity() &&
         a.extras() == b.extras() && a.terminating() == b.terminating();
}

std::string Describe(const PodInfo& pod) { return pod.uid() + "(" + pod.Key() + ")"; }

auto FindByUid(std::vector<std::shared_ptr<const PodInfo>>& pods, const std::string& uid) {
  return std::find_if(pods.begin(), pods.end(), [&](const auto& pod) { return pod->uid() == uid; });
}

}  // namespace

void Cache::AddNode(std::shared_ptr<const api::Node> node) { UpdateNode(std::move(node)); }

void Cache::UpdateNode(std::shared_ptr<const api::Node> node) {
  owner_.AssertHeld();
  if (const Slot known = Find(node->metadata.name);
      known != kNoSlot && nodes_[known].node->metadata.uid != node->metadata.uid) {
    RemoveNode(node->metadata.name);
  }
  const Slot slot = SlotOf(words_.Intern(node->metadata.name));
  NodeInfo& info = nodes_[slot];
  const std::shared_ptr<const api::Node> old_node = std::move(info.node);
  if (tree_.Put(slot, ZoneKeyOf(*node))) OrderChanged();
  images_.Replace(slot, old_node.get(), node.get());
  const bool reads_alike = old_node != nullptr && ReadsAlike(*old_node, *node);
  if (!reads_alike) Fill(info, *node);
  info.node = std::move(node);
  if (!reads_alike) NodeObjectChanged(slot);
  if (old_node == nullptr) info.incarnation = changes_.generation();
}

void Cache::NodeObjectChanged(Slot slot) {
  std::vector<const CountedPod*> with_terms;
  for (const auto& pod : nodes_[slot].pods) {
    if (!pod->HasAffinity()) continue;
    const CountedPod& counted = pods_.find(pod->uid())->second.counted;
    if (counted.terms != nullptr) with_terms.push_back(&counted);
  }
  counts_.OnNode(slot, with_terms);
  changes_.Touch(slot, Epoch::kNodeObject);
}

void Cache::Fill(NodeInfo& info, const api::Node& node) {
  info.labels = LabelSet(node.metadata.labels, words_);
  volumes_.MoveNode(info);
  const auto pods = node.status.allocatable.find("pods");
  columns_.SetAllocatable(info.slot, ToResources(node.status.allocatable, words_),
                          pods == node.status.allocatable.end() ? 0 : pods->second.Value());
}

void Cache::RemoveNode(const std::string& name) {
  owner_.AssertHeld();
  const Slot slot = Find(name);
  if (slot == kNoSlot) return Repair("Node to remove was not in the cache", name);
  NodeInfo& info = nodes_[slot];
  images_.Replace(slot, info.node.get(), nullptr);
  tree_.Remove(slot);
  OrderChanged();
  info.node.reset();
  info.incarnation = 0;
  info.labels = {};
  volumes_.MoveNode(info);
  columns_.SetAllocatable(slot, Resources(), 0);
  NodeObjectChanged(slot);
  FreeIfEmpty(slot);
}

void Cache::TouchVolumesOf(const std::string& node) {
  const auto slot = slots_.find(words_.Find(node));
  if (slot != slots_.end()) changes_.Touch(slot->second, Epoch::kNodeVolumes);
}

bool Cache::Put(const api::Namespace& object) {
  owner_.AssertHeld();
  if (!namespaces_.Put(object)) return false;
  NamespaceChanged(words_.Find(object.metadata.name));
  return true;
}

bool Cache::PutBudget(const api::PodDisruptionBudget& budget) {
  owner_.AssertHeld();
  return budgets_.Put(budget);
}

const Gang* Cache::PutPodGroup(const api::PodGroup& group) {
  owner_.AssertHeld();
  return gangs_.Put(group);
}

const Gang* Cache::PutPodGroup(const std::shared_ptr<const api::NativePodGroup>& group) {
  owner_.AssertHeld();
  return gangs_.Put(group);
}

const Gang* Cache::RemovePodGroup(const std::string& uid) {
  owner_.AssertHeld();
  return gangs_.Remove(uid);
}

void Cache::Remove(ObjectKind kind, const std::string& uid) {
  owner_.AssertHeld();
  if (kind == ObjectKind::kPodDisruptionBudget) return budgets_.Remove(uid);
  if (kind != ObjectKind::kNamespace) return default_selectors_.Remove(kind, uid);
  if (const auto name = namespaces_.Remove(uid)) NamespaceChanged(name->symbol());
}

void Cache::Clear(ObjectKind kind) {
  owner_.AssertHeld();
  if (IsVolumeKind(kind)) return volumes_.Clear(kind);
  if (kind == ObjectKind::kPodDisruptionBudget) return budgets_.Clear();
  if (kind == ObjectKind::kPodGroup) return gangs_.Clear(GangApi::kCoscheduling);
  if (kind == ObjectKind::kNativePodGroup) return gangs_.Clear(GangApi::kNative);
  if (kind != ObjectKind::kNamespace) return default_selectors_.Clear(kind);
  namespaces_.Clear();
  NamespaceChanged(std::nullopt);
}

void Cache::NamespaceChanged(std::optional<Symbol> name) {
  counts_.OnNamespace(name);
  changes_.Touch(Epoch::kNamespaces);
}

Slot Cache::SlotOf(const Word& node_name) {
  if (const auto found = slots_.find(node_name); found != slots_.end()) return found->second;
  Slot slot;
  if (free_slots_.empty()) {
    slot = static_cast<Slot>(nodes_.size());
    nodes_.emplace_back();
    columns_.Resize(nodes_.size());
    changes_.Resize(nodes_.size());
    counts_.Resize(nodes_.size());
    volumes_.Usage().Resize(nodes_.size());
    order_stale_ = true;  // there is one more slot without a rank
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  NodeInfo& info = nodes_[slot];
  info.name = node_name;
  info.slot = slot;
  // Results cached for the former node of the slot must not be used for this one.
  changes_.Touch(info.slot, Epoch::kNodeObject);
  changes_.Touch(info.slot, Epoch::kNodePods);
  changes_.Touch(info.slot, Epoch::kNodeVolumes);
  volumes_.Usage().TakeSlot(slot, info.name.text());
  slots_.emplace(node_name, slot);
  return slot;
}

void Cache::FreeIfEmpty(Slot slot) {
  NodeInfo& info = nodes_[slot];
  if (info.node != nullptr || !info.pods.empty()) return;
  volumes_.Usage().FreeSlot(slot, info.name.text());
  slots_.erase(info.name);
  info = NodeInfo();
  free_slots_.push_back(slot);
}

std::shared_ptr<const PodInfo> Cache::AddPod(const api::Pod& pod) {
  owner_.AssertHeld();
  auto info = PodInfo::Placed(pod, words_, counts_.SameAffinities(pod));
  if (const auto found = pods_.find(info->uid()); found != pods_.end()) {
    const PodEntry& entry = found->second;
    if (!entry.assumed) {
      Repair("Pod was added twice", Describe(*info));
    } else if (nodes_[entry.slot].name != info->node_word()) {
      Repair("Pod was assumed on another node than it is on", Describe(*info));
    }
  }
  Place(info, false);
  return info;
}

std::shared_ptr<const PodInfo> Cache::UpdatePod(const api::Pod& pod) {
  owner_.AssertHeld();
  auto info = PodInfo::Placed(pod, words_, counts_.SameAffinities(pod));
  const auto found = pods_.find(info->uid());
  if (found == pods_.end()) {
    Repair("Updated pod was not in the cache", Describe(*info));
  } else if (found->second.assumed) {
    Repair("Updated pod was only assumed", Describe(*info));
  } else if (nodes_[found->second.slot].name != info->node_word()) {
    Repair("Updated pod was on another node", Describe(*info));
  }
  Place(info, false);
  return info;
}

void Cache::RemovePod(const std::string& uid) {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return Repair("Pod to remove was not in the cache", uid);
  gangs_.RemovePlaced(*found->second.pod);
  Unplace(found);
}

Result<void> Cache::Assume(std::shared_ptr<const PodInfo> bound) {
  owner_.AssertHeld();
  if (pods_.contains(bound->uid())) {
    return Fail(Reason::kConflict,
                "pod " + Describe(*bound) + " is in the cache, so can't be assumed");
  }
  gangs_.AddPlaced(bound);
  PlaceNew(std::move(bound), true);
  return {};
}

Result<void> Cache::Forget(const std::string& uid) {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return {};
  if (!found->second.assumed) {
    return Fail(Reason::kConflict,
                "pod " + Describe(*found->second.pod) + " wasn't assumed so cannot be forgotten");
  }
  gangs_.RemovePlaced(*found->second.pod);
  Unplace(found);
  return {};
}

Cache::AsidePod Cache::SetAside(const std::string& uid) {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  AsidePod aside{found->second.pod, found->second.assumed};
  gangs_.SetAside(*aside.pod);
  Unplace(found);
  return aside;
}

void Cache::PutBack(AsidePod aside) {
  owner_.AssertHeld();
  gangs_.PutBack(*aside.pod);
  PlaceNew(std::move(aside.pod), aside.assumed);
}

// Places a pod, new or known, on the node it names.
void Cache::Place(std::shared_ptr<const PodInfo> pod, bool assumed) {
  gangs_.AddPlaced(pod);
  const auto found = pods_.find(pod->uid());
  if (found == pods_.end()) return PlaceNew(std::move(pod), assumed);
  PodEntry& entry = found->second;
  NodeInfo& node = nodes_[entry.slot];
  if (node.name == pod->node_word() && CountsAlike(*entry.pod, *pod)) {
    assumed_count_ -= entry.assumed && !assumed ? 1 : 0;
    auto row = pods_.extract(found);
    row.key() = pod->uid();
    row.mapped().pod = pod;
    row.mapped().assumed = assumed;
    pods_.insert(std::move(row));  // same address: the counts point to it
    *FindByUid(node.pods, pod->uid()) = std::move(pod);
    return;
  }
  Unplace(found);
  PlaceNew(std::move(pod), assumed);
}

void Cache::PlaceNew(std::shared_ptr<const PodInfo> pod, bool assumed) {
  const Slot slot = SlotOf(pod->node_word());
  const std::string_view uid = pod->uid();
  PodEntry& entry = pods_.emplace(uid, PodEntry{std::move(pod), slot, assumed, {}}).first->second;
  assumed_count_ += assumed ? 1 : 0;
  Count(entry);
}

void Cache::Unplace(PodEntries::iterator found) {
  PodEntry& entry = found->second;
  const std::shared_ptr<const PodInfo> pod = entry.pod;  // owns the key of the row
  const Slot slot = entry.slot;
  assumed_count_ -= entry.assumed ? 1 : 0;
  Uncount(entry);
  pods_.erase(found);
  FreeIfEmpty(slot);
}

void Cache::Count(PodEntry& entry) {
  const PodInfo& pod = *entry.pod;
  NodeInfo& info = nodes_[entry.slot];
  columns_.AddPod(info.slot, pod);
  counts_.Add(pod, info.slot, entry.counted);
  volumes_.Usage().AddPod(pod, info.slot);
  info.used_ports.Add(pod.host_ports());
  info.pods.push_back(entry.pod);
  info.lowest_priority.Add(pod.priority());
  changes_.Touch(info.slot, Epoch::kNodePods);
}

void Cache::Uncount(PodEntry& entry) {
  const PodInfo& pod = *entry.pod;
  NodeInfo& info = nodes_[entry.slot];
  columns_.RemovePod(info.slot, pod);
  counts_.Remove(entry.counted);
  volumes_.Usage().RemovePod(pod, info.slot);
  info.used_ports.Remove(pod.host_ports());
  // Like upstream, which determines the order of pods on a node: the last pod takes the place.
  std::swap(*FindByUid(info.pods, pod.uid()), info.pods.back());
  info.pods.pop_back();
  if (!info.lowest_priority.Remove(pod.priority())) {
    info.lowest_priority = {};
    for (const auto& other : info.pods) info.lowest_priority.Add(other->priority());
  }
  changes_.Touch(info.slot, Epoch::kNodePods);
}

bool Cache::IsAssumed(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found != pods_.end() && found->second.assumed;
}

std::shared_ptr<const PodInfo> Cache::FindPod(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second.pod;
}

Slot Cache::Find(std::string_view node_name) const {
  const auto found = slots_.find(words_.Find(node_name));
  if (found == slots_.end() || nodes_[found->second].node == nullptr) return kNoSlot;
  return found->second;
}

void Cache::OrderChanged() {
  order_stale_ = true;
  changes_.Touch(Epoch::kOrder);
}

void Cache::ListOrder() const {
  if (!order_stale_) return;
  tree_.List(order_);
  ranks_.assign(nodes_.size(), kNoRank);
  for (size_t i = 0; i < order_.size(); ++i) ranks_[order_[i]] = static_cast<uint32_t>(i);
  order_stale_ = false;
}

std::span<const Slot> Cache::Order() const {
  ListOrder();
  return order_;
}

std::span<const uint32_t> Cache::Ranks() const {
  ListOrder();
  return ranks_;
}

void Cache::Repair(std::string_view what, std::string_view object) {
  ++repairs_;
  log::Warn("Cache differed from the API server and was corrected",
            {{"what", what}, {"object", object}});
}

}  // namespace berth::scheduler
