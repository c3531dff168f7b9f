// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/node.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/used_ports.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// Type of sums, which are exposed as the nearest int64.
__extension__ using Int128 = __int128;

// ResourceColumns holds the allocatable and requested amounts of all nodes, as one array over slots
// per resource, so that batch code reads memory sequentially. CPU is in milli-cores, all others in
// whole units. A scalar resource that few nodes offer may have no array: its amounts are kept by name
// and slot. Owned by the cache; only the scheduling thread writes.
class ResourceColumns {
 public:
  enum Fixed : size_t { kMilliCpu, kMemory, kEphemeralStorage, kPods, kFixedCount };

  // This many scalar resources may have arrays, however few nodes offer them. Others have one while
  // at least one slot in kSlotsPerOffer offers them.
  static constexpr size_t kScalarColumns = 128;
  static constexpr size_t kSlotsPerOffer = 16;

  // Amounts are those of one resource of a node.
  struct Amounts {
    int64_t allocatable = 0;
    int64_t requested = 0;
  };
  // View reads the amounts of one resource of all nodes. Valid until the next change.
  class View {
   public:
    View(std::span<const int64_t> allocatable, std::span<const int64_t> requested)
        : allocatable_(allocatable), requested_(requested) {}
    View(const ResourceColumns& columns, Symbol name) : columns_(&columns), name_(name) {}

    Amounts operator[](Slot slot) const {
      if (columns_ != nullptr) return columns_->ScalarAt(name_, slot);
      return {allocatable_[slot], requested_[slot]};
    }

   private:
    std::span<const int64_t> allocatable_, requested_;
    const ResourceColumns* columns_ = nullptr;  // null: the arrays have the amounts
    Symbol name_ = 0;
  };

  void Resize(size_t slots);
  size_t slots() const { return slots_; }  // number of slots, used or not
  int64_t allocatable(Fixed resource, Slot slot) const {
    return fixed_allocatable_[resource][slot];
  }
  int64_t requested(Fixed resource, Slot slot) const { return fixed_requested_[resource][slot]; }
  std::span<const int64_t> allocatable(Fixed resource) const {
    return fixed_allocatable_[resource];
  }
  std::span<const int64_t> requested(Fixed resource) const {
    return fixed_requested_[resource].values();
  }
  int64_t non_zero_milli_cpu(Slot slot) const { return non_zero_milli_cpu_[slot]; }
  int64_t non_zero_memory(Slot slot) const { return non_zero_memory_[slot]; }
  std::span<const int64_t> non_zero_milli_cpu() const { return non_zero_milli_cpu_.values(); }
  std::span<const int64_t> non_zero_memory() const { return non_zero_memory_.values(); }
  // Return the amount with `more` added to the requests.
  int64_t requested(Fixed resource, Slot slot, Int128 more) const {
    return fixed_requested_[resource].With(slot, more);
  }
  int64_t non_zero_milli_cpu(Slot slot, Int128 more) const {
    return non_zero_milli_cpu_.With(slot, more);
  }
  int64_t non_zero_memory(Slot slot, Int128 more) const {
    return non_zero_memory_.With(slot, more);
  }
  int64_t scalar_requested(Symbol name, Slot slot, Int128 more) const;
  // Reports whether at least one node has an allocatable amount of the scalar resource above 0.
  bool IsOffered(Symbol name) const { return scalars_.contains(name); }
  // Return the number of scalar columns, and of nodes' amounts that no column holds.
  size_t scalar_columns() const { return scalar_columns_; }
  size_t sparse_amounts() const { return sparse_.size(); }
  Amounts ScalarAt(Symbol name, Slot slot) const;
  View ViewOf(Fixed resource) const { return {allocatable(resource), requested(resource)}; }
  View ViewOf(Symbol scalar) const;

  // Replaces all allocatable amounts of a node; scalars missing in `amount` become 0.
  void SetAllocatable(Slot slot, const Resources& amount, int64_t pods);
  void AddPod(Slot slot, const PodInfo& pod);
  void RemovePod(Slot slot, const PodInfo& pod);

 private:
  // SumColumn sums in 128 bits and exposes the nearest int64: excessive requests saturate, and
  // subtracting them restores the previous value.
  class SumColumn {
   public:
    void Resize(size_t slots);
    void Add(Slot slot, Int128 amount);
    Int128 exact(Slot slot) const { return exact_[slot]; }
    int64_t operator[](Slot slot) const { return values_[slot]; }
    int64_t With(Slot slot, Int128 more) const;  // the value with `more` added
    std::span<const int64_t> values() const { return values_; }

   private:
    std::vector<Int128> exact_;
    std::vector<int64_t> values_;
  };
  struct ScalarColumn {
    std::vector<int64_t> allocatable;
    SumColumn requested;

    void Resize(size_t slots);
  };
  // Scalar is a scalar resource that at least one node offers.
  struct Scalar {
    Word name;                                       // holds the symbol that is its key
    size_t offering = 0;                             // number of nodes
    std::unique_ptr<ScalarColumn> column = nullptr;  // null: its amounts are in sparse_
  };
  // SparseAmounts are those of one node for a scalar resource without a column.
  struct SparseAmounts {
    Word name;  // holds the symbol of the key
    int64_t allocatable = 0;
    Int128 requested = 0;
  };
  using SparseKey = std::pair<Symbol, Slot>;

  ScalarColumn* ColumnOf(Symbol name) const;                    // null: none
  const SparseAmounts* SparseAt(Symbol name, Slot slot) const;  // null: both are 0
  // Changes the amounts of a node by `change`, which takes SparseAmounts.
  template <class Change>
  void ChangeSparse(const Word& name, Slot slot, const Change& change);
  void SetScalar(const Word& name, Slot slot, int64_t allocatable);
  void AddScalar(const Word& name, Slot slot, Int128 amount);
  // Creates or deletes the column according to the number of nodes that offer the resource.
  void Arrange(Scalar& scalar);
  void MakeColumn(Scalar& scalar);
  void DropColumn(Scalar& scalar);
  void Account(Slot slot, const PodInfo& pod, int sign);

  size_t slots_ = 0;
  std::array<std::vector<int64_t>, kFixedCount> fixed_allocatable_;
  std::array<SumColumn, kFixedCount> fixed_requested_;
  SumColumn non_zero_milli_cpu_, non_zero_memory_;
  std::map<Symbol, Scalar> scalars_;          // the offered resources
  std::vector<std::vector<Symbol>> offered_;  // by slot: the scalars that the node offers
  size_t scalar_columns_ = 0;
  std::map<SparseKey, SparseAmounts> sparse_;  // without zeros
};

// ImageState is the state of an image name in the cluster: its size in bytes and the nodes that
// have it, sorted by slot. `version` changes whenever these change; it is 0 while no node has the
// image. Valid during one cycle.
struct ImageState {
  int64_t size = 0;
  std::span<const Slot> slots;
  uint64_t version = 0;
};

// LowestPriority tracks the lowest priority of a set of pods and the number of pods with it.
struct LowestPriority {
  int32_t value = std::numeric_limits<int32_t>::max();  // if there are no pods
  uint32_t pods = 0;

  void Add(int32_t priority) {
    if (priority < value) *this = {priority, 0};
    if (priority == value) ++pods;
  }
  // Reports whether the value is still valid; if not, the caller adds all remaining pods again.
  bool Remove(int32_t priority) { return priority != value || --pods > 0; }
};

// NodeInfo is a node with the data that plugins read. Its resource amounts are in ResourceColumns.
// A placeholder stands for a node whose pods are known but whose Node object is not (yet, or any
// longer): its `node` is null, and it is in no snapshot.
struct NodeInfo {
  Word name;
  Slot slot = kNoSlot;
  std::shared_ptr<const api::Node> node;  // null: a placeholder
  uint64_t incarnation = 0;  // unique per node, even with the same name; 0: a placeholder
  LabelSet labels;
  std::vector<std::shared_ptr<const PodInfo>> pods;
  UsedPorts used_ports;            // of all pods
  LowestPriority lowest_priority;  // of all pods
};

// NodeDelta is a small simulated change to one node: nominated pods are added, victims removed. It
// never changes the columns. Its sums are updated with each change, so that reading them costs the
// same for any number of pods. Valid during one cycle.
class NodeDelta {
 public:
  // Requires: `node` outlives the delta and does not change.
  explicit NodeDelta(const NodeInfo& node) : node_(&node) {}

  // Add simulates an additional pod. Remove simulates the removal of one of the node's pods, and
  // Restore undoes it. Requires: `pod` is the object in NodeInfo::pods and is removed at most once.
  void Add(std::shared_ptr<const PodInfo> pod);
  void Remove(const PodInfo& pod);
  void Restore(const PodInfo& pod);

  bool empty() const { return added_.empty() && removed_count_ == 0; }
  std::span<const std::shared_ptr<const PodInfo>> added() const { return added_; }
  // Reports whether the pod at this index of NodeInfo::pods is removed.
  bool IsRemoved(size_t place) const { return place < removed_.size() && removed_[place]; }
  // Calls visit(pod, sign): +1 for each added pod, -1 for each removed pod.
  template <class Visit>
  void ForEach(Visit&& visit) const;

  // Return the change of the requests; negative if they decrease.
  Int128 requested(ResourceColumns::Fixed resource) const { return fixed_[resource]; }
  Int128 non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  Int128 non_zero_memory() const { return non_zero_memory_; }
  Int128 scalar_requested(Symbol name) const;
  // Returns the node's used ports including the change.
  const UsedPorts& used_ports() const { return used_ports_ ? *used_ports_ : node_->used_ports; }

 private:
  void Mark(const PodInfo& pod, bool removed);
  void Account(const PodInfo& pod, int sign);

  const NodeInfo* node_;
  std::vector<std::shared_ptr<const PodInfo>> added_;
  std::vector<bool> removed_;  // by index in NodeInfo::pods; empty: never used
  size_t removed_count_ = 0;
  std::array<Int128, ResourceColumns::kFixedCount> fixed_{};
  Int128 non_zero_milli_cpu_ = 0;
  Int128 non_zero_memory_ = 0;
  std::map<Symbol, Int128> scalars_;
  std::optional<UsedPorts> used_ports_;  // absent: no changed pod has host ports
};

template <class Visit>
void NodeDelta::ForEach(Visit&& visit) const {
  for (size_t i = 0; i < removed_.size(); ++i) {
    if (removed_[i]) visit(*node_->pods[i], -1);
  }
  for (const auto& pod : added_) visit(*pod, +1);
}

// NodeView is a node as a plugin sees it: the columns at its slot and, in a simulation, a delta.
// Cheap to copy; valid during one cycle.
class NodeView {
 public:
  NodeView(const NodeInfo& info, const ResourceColumns& columns, const NodeDelta* delta = nullptr)
      : info_(&info), columns_(&columns), delta_(delta) {}

  const NodeInfo& info() const { return *info_; }
  const std::string& name() const { return info_->name.text(); }
  const api::Node& node() const { return *info_->node; }
  Slot slot() const { return info_->slot; }
  // Reports whether a delta applies: results for this view are never cached.
  bool simulated() const { return delta_ != nullptr && !delta_->empty(); }
  const NodeDelta* delta() const { return delta_; }

  int64_t Allocatable(ResourceColumns::Fixed resource) const {
    return columns_->allocatable(resource, slot());
  }
  int64_t Requested(ResourceColumns::Fixed resource) const;
  int64_t NonZeroMilliCpu() const;
  int64_t NonZeroMemory() const;
  int64_t AllocatableScalar(Symbol name) const {
    return columns_->ScalarAt(name, slot()).allocatable;
  }
  int64_t RequestedScalar(Symbol name) const;
  const UsedPorts& used_ports() const {
    return delta_ == nullptr ? info_->used_ports : delta_->used_ports();
  }

  // Visits the pods on the node, including the delta.
  template <class Visit>
  void ForEachPod(Visit&& visit) const;

 private:
  const NodeInfo* info_;
  const ResourceColumns* columns_;
  const NodeDelta* delta_;
};

template <class Visit>
void NodeView::ForEachPod(Visit&& visit) const {
  for (size_t i = 0; i < info_->pods.size(); ++i) {
    if (delta_ == nullptr || !delta_->IsRemoved(i)) visit(*info_->pods[i]);
  }
  if (delta_ == nullptr) return;
  for (const auto& pod : delta_->added()) visit(*pod);
}

}  // namespace berth::scheduler
