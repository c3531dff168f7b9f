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
#include "scheduler/cache/change_log.h"
#include "scheduler/cache/default_selectors.h"
#include "scheduler/cache/gang_table.h"
#include "scheduler/cache/image_table.h"
#include "scheduler/cache/node_tree.h"
#include "scheduler/cache/pod_counts.h"
#include "scheduler/cache/volumes/volume_store.h"
#include "scheduler/model/object_types.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// Cache is the cluster as the scheduler believes it to be: nodes, the pods on them, and pods of
// ours that are assumed to be on a node because their binding is under way. Source: kube-scheduler
// pkg/scheduler/backend/cache/cache.go.
//
// It *is* the Snapshot of a cycle, not a copy of one: upstream copies because its informers write
// while a cycle reads; here one thread applies events between two cycles, so nothing can change
// under a cycle, and a copy would only cost.
//
// An assumed pod leaves by confirmation (AddPod), by Forget, or by RemovePod; never by time: a
// binding that takes long must not free its room.
//
// The API server is right. Where an event does not fit what the cache holds (a pod added twice,
// updated while unknown, on another node than the cache has it), the cache follows the event, the
// correction is counted in repairs() and logged, and the process goes on.
//
// Invariants: a pod (by UID) is on one node, because Place takes it off the one it was on; a node
// known only by its pods (a ghost) has a slot and columns but is in no Order(), because only
// AddNode and UpdateNode, which have the object, put a slot into the tree; Columns() at a slot is
// the sum over NodeInfo::pods, and Pods() counts the same pods, because Count and Uncount alone add
// and remove pods, and do it in all three. Owned by the scheduling thread.
class Cache final : public Snapshot {
 public:
  // `words` outlives the cache. Counts of pods (Pods) may take `count_bytes`.
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

  // AddNode makes a node known, or a ghost whole. A node that is known already is updated.
  void AddNode(std::shared_ptr<const api::Node> node);
  // UpdateNode replaces the object. One with another UID is another machine: it goes to the end of
  // its zone, as if removed and added. The pods bound to that name stay counted until the API
  // server says that they are gone.
  void UpdateNode(std::shared_ptr<const api::Node> node);
  // RemoveNode forgets the object; pods that are still on it keep it as a ghost.
  void RemoveNode(const std::string& name);

  // AddPod counts an assigned pod on its node, whether that is known yet or not, and confirms an
  // assumed one. Gives what is kept of it. Requires: spec.nodeName.
  std::shared_ptr<const PodInfo> AddPod(const api::Pod& pod);
  std::shared_ptr<const PodInfo> UpdatePod(const api::Pod& pod);  // Requires: spec.nodeName
  void RemovePod(const std::string& uid);

  // Assume counts a pod on the node that was chosen for it. Errors (kConflict): it is in the cache
  // already.
  Result<void> Assume(std::shared_ptr<const PodInfo> bound);
  // Forget takes an assumed pod back. A pod that is gone is no error; one that is confirmed
  // (kConflict) stays.
  Result<void> Forget(const std::string& uid);

  bool IsAssumed(const std::string& uid) const;
  std::shared_ptr<const PodInfo> FindPod(const std::string& uid) const;  // null when unknown

  // SetAside takes a pod off its node as if it were gone, for a look at what would be then; PutBack
  // undoes it.
  struct AsidePod {
    std::shared_ptr<const PodInfo> pod;
    bool assumed = false;
  };
  AsidePod SetAside(const std::string& uid);  // Requires: FindPod(uid)
  void PutBack(AsidePod aside);

  // PutPending and DropPending tell of pods without a node, of whichever scheduler: they may be
  // members of gangs.
  void PutPending(const api::Pod& pod) { gangs_.PutPending(pod); }
  void DropPending(const std::string& uid) { gangs_.DropPending(uid); }
  GangTable& gangs() { return gangs_; }

  // Put takes the newest state of an object that plugins read; Remove and Clear forget one, and all
  // of a kind. Those of objects of volumes give the state before, or null.
  template <ReadObject T>
  void Put(const T& object) {
    owner_.AssertHeld();
    default_selectors_.Put(object);
  }
  template <VolumeObject T>
  std::shared_ptr<const T> Put(std::shared_ptr<const T> object) {
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
  // AssumeObject and RestoreObject do so with an object that a pod of ours is about to change; see
  // VolumeStore.
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
  void Put(const api::Namespace& object);
  bool Put(const api::PodDisruptionBudget& object);      // may it allow what was forbidden?
  const Gang* Put(const api::PodGroup& object);          // the gang whose terms changed, or null
  void Remove(ObjectKind kind, const std::string& uid);  // Requires: no object of volumes
  void Clear(ObjectKind kind);

  // BeginCycle says that what Pods() gave in the cycle before is used no more.
  void BeginCycle() { counts_.BeginCycle(); }

  // Snapshot:
  std::span<const Slot> Order() const override;
  const NodeInfo& At(Slot slot) const override { return nodes_[slot]; }
  Slot Find(std::string_view node_name) const override;  // not ghosts
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

  // MismatchOf says what is wrong with what the cache has of an object of the store, or of a pod of
  // the store that has a node; empty: nothing is.
  std::string_view MismatchOf(const api::Node& stored) const;
  std::string_view MismatchOf(const std::string& uid, const std::string& resource_version) const;
  // VisitNodes and VisitPods show what it has, nodes without ghosts, pods with the assumed ones.
  // They say when that was the last piece; nothing may be changed meanwhile.
  bool VisitNodes(IncrementalVisitor& pieces, size_t count,
                  const std::function<void(const api::Node&)>& visit) const;
  bool VisitPods(IncrementalVisitor& pieces, size_t count,
                 const std::function<void(const PodInfo&)>& visit) const;

  // CompareWith says, one sentence each, how the cache differs from what the store holds, and where
  // its own sums are not those of its pods; nothing when all is well. Unassigned pods of the store
  // may be assumed. Reads everything: for tests and samples, not for each event.
  std::vector<std::string> CompareWith(std::span<const std::shared_ptr<const api::Node>> nodes,
                                       std::span<const std::shared_ptr<const api::Pod>> pods) const;

  size_t pod_count() const { return pods_.size(); }
  size_t assumed_count() const { return assumed_count_; }
  size_t node_count() const { return slots_.size(); }  // with ghosts
  uint64_t repairs() const { return repairs_; }
  const ChangeLog& changes() const { return changes_; }

 private:
  struct PodEntry {
    std::shared_ptr<const PodInfo> pod;
    Slot slot = kNoSlot;
    bool assumed = false;
    CountedPod counted;
  };

  Slot SlotOf(const Word& node_name);  // takes a free one for an unknown name
  void FreeIfEmpty(Slot slot);
  void Fill(NodeInfo& info, const api::Node& node);
  void Place(std::shared_ptr<const PodInfo> pod, bool assumed);
  void PlaceNew(std::shared_ptr<const PodInfo> pod, bool assumed);
  void Unplace(const std::string& uid);
  void Count(PodEntry& entry);
  void Uncount(PodEntry& entry);
  void NodeObjectChanged(Slot slot);
  void TouchVolumesOf(const std::string& node);
  void NamespaceChanged(std::optional<Symbol> name);  // none: all
  void Repair(std::string_view what, std::string_view object);
  void OrderChanged();
  void ListOrder() const;
  void CompareCounts(std::vector<std::string>& differences) const;
  void CompareSums(const NodeInfo& info, std::vector<std::string>& differences) const;

  ThreadOwner owner_;
  Vocabulary& words_;
  std::deque<NodeInfo> nodes_;  // by slot; addresses are stable
  std::vector<Slot> free_slots_;
  std::unordered_map<Symbol, Slot> slots_;               // by name, with ghosts
  std::unordered_map<std::string_view, PodEntry> pods_;  // by UID, that of the row's own pod
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

  // Made when first read after a change.
  mutable std::vector<Slot> order_;
  mutable std::vector<uint32_t> ranks_;
  mutable bool order_stale_ = false;
};

}  // namespace berth::scheduler
