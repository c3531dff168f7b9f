// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/model/node_info.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// Topology partitions the nodes by the value of one label. Owned by the counts. Invariants: a
// domain has a value while it has a node, because only Move changes both; placeholders are in no
// domain; a topology without nodes has no array of its own, since placed pods may have terms about
// thousands of keys that no node has.
class Topology final : public TopologyDomains {
 public:
  // `without_nodes` has kNoDomain for each slot. Requires: it outlives this object and is resized
  // before it.
  Topology(std::string key, Vocabulary& words, const std::vector<Domain>& without_nodes);

  std::span<const Domain> OfSlots() const override {
    return nodes_ == 0 ? without_nodes_ : of_slots_;
  }
  size_t bound() const override { return domains_.size(); }
  size_t domains() const override { return by_value_.size(); }
  size_t nodes() const override { return nodes_; }
  const std::string& key() const override { return key_.text(); }

  Symbol key_symbol() const { return key_; }
  // The counts of any query while no node has the key. They take no memory of their own.
  const DomainCounts& no_counts() const { return no_counts_; }

  void Resize(size_t slots) {
    if (nodes_ > 0) of_slots_.resize(slots, kNoDomain);
  }
  // Moves a node into the domain of its label value; a slot without a Node object goes to no
  // domain. Returns the previous domain.
  Domain Move(const NodeInfo& info);

  size_t bytes() const;

 private:
  class NoCounts final : public DomainCounts {
   public:
    explicit NoCounts(const Topology& topology) : topology_(topology) {}
    const TopologyDomains& topology() const override { return topology_; }
    std::span<const uint32_t> Pods() const override { return {}; }
    std::span<const uint32_t> Nodes() const override { return {}; }
    uint64_t total() const override { return 0; }
    size_t domains() const override { return 0; }
    uint32_t lowest() const override { return 0; }
    uint32_t LowestWithout(Domain) const override { return 0; }

   private:
    const Topology& topology_;
  };

  struct OfValue {
    Word value;  // keeps the symbol alive
    size_t nodes = 0;
  };

  Domain Enter(Symbol value);
  void Exit(Domain domain);

  Vocabulary& words_;
  const std::vector<Domain>& without_nodes_;
  Word key_;
  std::vector<Domain> of_slots_;  // empty without nodes
  std::vector<OfValue> domains_;
  std::unordered_map<Symbol, Domain> by_value_;
  std::vector<Domain> free_;
  size_t nodes_ = 0;
  const NoCounts no_counts_{*this};
};

// NodeMembers is a NodeSubset as flags by slot. Without a subset, all nodes are members.
class NodeMembers {
 public:
  NodeMembers(std::string key, std::unique_ptr<const NodeSubset> subset)
      : key_(std::move(key)), subset_(std::move(subset)) {}

  const std::string& key() const { return key_; }
  bool Has(Slot slot) const { return marks_[slot] != 0; }

  void Resize(size_t slots) { marks_.resize(slots, 0); }
  void Update(const NodeInfo& info) { marks_[info.slot] = Includes(info) ? 1 : 0; }
  // Reports whether the subset includes the node; false for a placeholder.
  bool Includes(const NodeInfo& info) const {
    return info.node != nullptr && (subset_ == nullptr || subset_->Includes(*info.node));
  }

  size_t bytes() const { return marks_.size(); }

 private:
  std::string key_;
  std::unique_ptr<const NodeSubset> subset_;  // null: all nodes
  std::vector<char> marks_;
};

}  // namespace berth::scheduler
