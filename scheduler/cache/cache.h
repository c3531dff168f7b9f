// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/error.h"
#include "base/incremental_visitor.h"
#include "base/thread_owner.h"
#include "scheduler/cache/default_selectors.h"
#include "scheduler/cache/gang_table.h"
#include "scheduler/cache/image_table.h"
#include "scheduler/cache/node_tree.h"
#include "scheduler/cache/pod_counts.h"
#include "scheduler/model/change_log.h"
#include "scheduler/model/object_types.h"
#include "scheduler/model/snapshot.h"
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {

// Cache is the scheduler's view of the cluster: nodes, their pods, and assumed pods. An assumed pod
// has a node, but its binding has not been confirmed yet. Source: kube-scheduler
// pkg/scheduler/backend/cache/cache.go.
//
// It *is* the Snapshot of a cycle, not a copy of one. Upstream copies because its informers write
// while a cycle reads. Here one thread applies events between two cycles, so the cluster cannot
// change during a cycle.
//
// An assumed pod is removed by confirmation (AddPod), by Forget, or by RemovePod. It never expires:
// a slow binding must not free its resources.
//
// The API server is authoritative. If an event does not fit the cache (a pod added twice, an update
// of an unknown pod, another node than cached), the cache applies the event, increments repairs()
// and logs the correction.
//
// Invariants:
// - A pod (by UID) is on one node, because Place removes it from the former one.
// - A placeholder, a node known only by its pods, has a slot and columns but is not in Order().
//   Only AddNode and UpdateNode, which have the object, put a slot into the tree.
// - Columns() at a slot is the sum over NodeInfo::pods, and Pods() counts the same pods. Only Count
//   and Uncount add and remove pods, and they update all three.
// Owned by the scheduling thread.
class Cache final : public Snapshot {
 public:
  // `words` must outlive the cache. Counts of pods (Pods) may use `count_bytes` of memory.
  explicit Cache(Vocabulary& words, size_t count_bytes = PodCounts::kDefaultLimit)
      : words_(words),
        images_(words),
        namespaces_(words),
        budgets_(words),
        default_selectors_(words),
        gangs_(words),
        volumes_(changes_, words, nodes_),
        counts_(words, nodes_, namespaces_, count_bytes) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Adds a node, or completes a placeholder. Updates the node if it is already known.
  void AddNode(std::shared_ptr<const api::Node> node);
  // Replaces the Node object. An object with another UID is another machine: it goes to the end of
  // its zone, as if removed and added. Pods bound to that name stay counted until the API server
  // deletes them.
  void UpdateNode(std::shared_ptr<const api::Node> node);
  // Removes the Node object. If pods are still on the node, it becomes a placeholder.
  void RemoveNode(const std::string& name);

  // Counts an assigned pod on its node, which may still be unknown, and confirms an assumed pod.
  // Returns the cached form. Requires: spec.nodeName.
  std::shared_ptr<const PodInfo> AddPod(const api::Pod& pod);
  std::shared_ptr<const PodInfo> UpdatePod(const api::Pod& pod);  // Requires: spec.nodeName
  void RemovePod(const std::string& uid);

  // Counts a pod on its chosen node before the binding. Errors (kConflict): the pod is already in
  // the cache.
  Result<void> Assume(std::shared_ptr<const PodInfo> bound);
  // Removes an assumed pod. An unknown pod is no error; a confirmed pod (kConflict) stays.
  Result<void> Forget(const std::string& uid);

  bool IsAssumed(const std::string& uid) const;
  std::shared_ptr<const PodInfo> FindPod(const std::string& uid) const;  // null when unknown

  // SetAside removes a pod temporarily, to simulate the node without it. PutBack undoes this.
  struct AsidePod {
    std::shared_ptr<const PodInfo> pod;
    bool assumed = false;
  };
  AsidePod SetAside(const std::string& uid);  // Requires: FindPod(uid)
  void PutBack(AsidePod aside);

  // Track pods without a node, of any scheduler: they may be members of gangs.
  void PutPending(const api::Pod& pod) { gangs_.PutPending(pod); }
  void DropPending(const std::string& uid) { gangs_.DropPending(uid); }
  GangTable& gangs() { return gangs_; }

  // Stores the newest state of a namespace, Service or controller.
  // Reports whether the namespace is new or its labels changed.
  bool Put(const api::Namespace& object);
  template <ReadObject T>
  void Put(const T& object) {
    owner_.AssertHeld();
    default_selectors_.Put(object);
  }
  // Stores the newest state of a budget. Returns whether it may allow more evictions than before.
  bool PutBudget(const api::PodDisruptionBudget& budget);
  // Stores the newest state of a PodGroup. Returns its gang if the terms changed, else null.
  const Gang* PutPodGroup(const api::PodGroup& group);
  const Gang* PutPodGroup(const std::shared_ptr<const api::NativePodGroup>& group);
  // Returns the gang if it has members.
  const Gang* RemovePodGroup(const std::string& uid);
  // Store and delete a volume object. Return its previous state, or null.
  template <VolumeObject T>
  std::shared_ptr<const T> PutVolumeObject(std::shared_ptr<const T> object) {
    owner_.AssertHeld();
    if constexpr (std::same_as<T, api::CsiNode>) TouchVolumesOf(object->metadata.name);
    return volumes_.Put(std::move(object));
  }
  template <VolumeObject T>
  std::shared_ptr<const T> Remove(const std::string& uid) {
    owner_.AssertHeld();
    auto last = volumes_.Remove<T>(uid);
    if constexpr (std::same_as<T, api::CsiNode>) {
      if (last != nullptr) TouchVolumesOf(last->metadata.name);
    }
    return last;
  }
  // AssumeObject stores the state of an object that we are about to write; RestoreObject undoes it.
  // See VolumeStore.
  template <AssumableVolumeObject T>
  Result<void> AssumeObject(std::shared_ptr<const T> object) {
    owner_.AssertHeld();
    return volumes_.Assume(std::move(object));
  }
  template <AssumableVolumeObject T>
  void RestoreObject(const T& object) {
    owner_.AssertHeld();
    volumes_.Restore(object);
  }
  // Remove deletes one object of another kind, Clear all objects of any kind.
  void Remove(ObjectKind kind, const std::string& uid);  // Requires: not a volume kind
  void Clear(ObjectKind kind);

  // Invalidates the counts that Pods() returned in the previous cycle.
  void BeginCycle() { counts_.BeginCycle(); }

  // Snapshot:
  std::span<const Slot> Order() const override;
  const NodeInfo& At(Slot slot) const override { return nodes_[slot]; }
  Slot Find(std::string_view node_name) const override;  // ignores placeholders
  const ResourceColumns& Columns() const override { return columns_; }
  ImageState Image(Symbol name) const override { return images_.Find(name); }
  const PodCounts& Pods() const override { return counts_; }
  std::span<const uint32_t> Ranks() const override;
  uint64_t Generation() const override { return changes_.generation(); }
  uint64_t ClusterEpoch(Epoch epoch) const override { return changes_.Of(epoch); }
  void ChangedSince(EpochSet epochs, uint64_t generation, std::vector<Slot>& out) const override {
    changes_.Since(epochs, generation, out);
  }
  const Vocabulary& Words() const override { return words_; }
  const NamespaceTable& Namespaces() const override { return namespaces_; }
  const DisruptionBudgets& Budgets() const override { return budgets_; }
  const VolumeStore& Volumes() const override { return volumes_; }
  const Gang* GangOf(const PodInfo& pod) const override { return gangs_.Of(pod); }
  bool HasGangs() const override { return gangs_.HasMembers(); }
  api::Selector DefaultSelector(const PendingPod& pod) const override {
    return default_selectors_.Of(pod);
  }
  std::optional<api::Selector> FirstServiceSelector(const PodInfo& pod) const override {
    return default_selectors_.OfFirstService(pod);
  }

  // Describes how the cached object differs from `stored` or from the stored version of an assigned
  // pod. Returns "" if they are equal.
  std::string_view MismatchOf(const api::Node& stored) const;
  std::string_view MismatchOf(const std::string& uid, const std::string& resource_version) const;
  // Visit the next `count` nodes (without placeholders) or pods (assumed ones included). Return
  // true after the last piece. Requires: `visit` changes nothing.
  bool VisitNodes(IncrementalVisitor& pieces, size_t count,
                  const std::function<void(const api::Node&)>& visit) const;
  bool VisitPods(IncrementalVisitor& pieces, size_t count,
                 const std::function<void(const PodInfo&)>& visit) const;

  // The counted state of a pod on a node, for checks; null if the pod is unknown.
  const CountedPod* FindCounted(const std::string& uid) const;

  size_t pod_count() const { return pods_.size(); }
  size_t assumed_count() const { return assumed_count_; }
  size_t node_count() const { return slots_.size(); }  // with placeholders
  size_t slot_count() const { return nodes_.size(); }  // used or not
  uint64_t repairs() const { return repairs_; }
  const ChangeLog& changes() const { return changes_; }

 private:
  struct PodEntry {
    std::shared_ptr<const PodInfo> pod;
    Slot slot = kNoSlot;
    bool assumed = false;
    CountedPod counted;
  };
  using PodEntries = std::unordered_map<std::string_view, PodEntry>;

  Slot SlotOf(const Word& node_name);  // allocates a slot for an unknown name
  void FreeIfEmpty(Slot slot);
  void Fill(NodeInfo& info, const api::Node& node);
  void Place(std::shared_ptr<const PodInfo> pod, bool assumed);
  void PlaceNew(std::shared_ptr<const PodInfo> pod, bool assumed);
  void Unplace(PodEntries::iterator found);
  void Count(PodEntry& entry);
  void Uncount(PodEntry& entry);
  void NodeObjectChanged(Slot slot);
  void TouchVolumesOf(const std::string& node);
  void NamespaceChanged(std::optional<Symbol> name);  // nullopt: all
  void Repair(std::string_view what, std::string_view object);
  void OrderChanged();
  void ListOrder() const;

  ThreadOwner owner_;
  Vocabulary& words_;
  std::deque<NodeInfo> nodes_;  // by slot; addresses are stable
  std::vector<Slot> free_slots_;
  std::unordered_map<Symbol, Slot> slots_;  // by name, with placeholders
  PodEntries pods_;                         // by UID, the text of the row's pod
  size_t assumed_count_ = 0;
  ResourceColumns columns_;
  NodeTree tree_;
  ImageTable images_;
  NamespaceTable namespaces_;
  DisruptionBudgets budgets_;
  DefaultSelectors default_selectors_;
  GangTable gangs_;
  ChangeLog changes_;
  VolumeStore volumes_;
  PodCounts counts_;
  uint64_t repairs_ = 0;

  // Computed on the first read after a change.
  mutable std::vector<Slot> order_;
  mutable std::vector<uint32_t> ranks_;
  mutable bool order_stale_ = false;
};

}  // namespace berth::scheduler
