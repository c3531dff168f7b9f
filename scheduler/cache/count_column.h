// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scheduler/cache/pod_classes.h"
#include "scheduler/cache/pod_matcher.h"
#include "scheduler/cache/sum_levels.h"
#include "scheduler/cache/topology.h"
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

class CountColumn;
class DomainSums;

// Asked is an entry of the list of counts in order of their last use (LRU).
struct Asked {
  CountColumn* column = nullptr;
  DomainSums* sums = nullptr;  // part of the column; null: the column itself
  size_t bytes = 0;            // at the last measurement
};
using AskedList = std::list<Asked>;  // most recently used last

// CountedNodes is the set of nodes that a count by domain includes: nodes of a subset that have the
// topology key. Counts of all queries about these nodes share one.
class CountedNodes {
 public:
  CountedNodes(std::shared_ptr<const Topology> topology, std::shared_ptr<const NodeMembers> members)
      : topology_(std::move(topology)), members_(std::move(members)), nodes_(topology_->bound()) {}

  const Topology& topology() const { return *topology_; }
  const NodeMembers& members() const { return *members_; }
  bool Is(const std::string& topology_key, const std::string& subset_key) const {
    return topology_->key() == topology_key && members_->key() == subset_key;
  }

  Domain Of(Slot slot) const { return of_slots_[slot]; }  // kNoDomain: not counted
  std::span<const Domain> OfSlots() const { return of_slots_; }
  std::span<const uint32_t> Nodes() const { return nodes_; }  // by domain

  void Resize(size_t slots) { of_slots_.resize(slots, kNoDomain); }
  // Applies a change of the topology or the members to this and to all attached sums.
  void Update(Slot slot);

  void Attach(DomainSums& sums);
  void Detach(const DomainSums& sums);

  size_t attached() const { return sums_.size(); }
  size_t bytes() const { return of_slots_.size() * sizeof(Domain) + nodes_.size() * 4; }

 private:
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const NodeMembers> members_;
  std::vector<Domain> of_slots_;
  std::vector<uint32_t> nodes_;
  std::vector<DomainSums*> sums_;
};

// Upkeep decides whether a count is worth its cost. Each pod change costs a little, even if the
// count is not used. A count is dropped when the upkeep since its last use reaches the cost of
// computing it again. So no count costs more than twice the optimum.
class Upkeep {
 public:
  // Resets the budget after a use. `cost` is the cost of computing the count, in slots and pods to
  // read.
  void Asked(uint64_t cost) { left_ = static_cast<int64_t>(std::max(cost, kLeast)); }
  void Changed() { --left_; }
  bool IsWorthIt() const { return left_ >= 0; }

 private:
  static constexpr uint64_t kLeast = 1024;
  int64_t left_ = kLeast;  // changes
};

// DomainSums is the sum of a column by domain. Invariant: levels_ has the sum of each domain with a
// counted node; all other sums are 0.
class DomainSums final : public DomainCounts {
 public:
  // Requires: `column` outlives this object.
  DomainSums(const CountColumn& column, std::shared_ptr<CountedNodes> nodes);
  ~DomainSums() override { nodes_->Detach(*this); }
  DomainSums(const DomainSums&) = delete;
  DomainSums& operator=(const DomainSums&) = delete;

  const TopologyDomains& topology() const override { return nodes_->topology(); }
  std::span<const uint32_t> Pods() const override { return pods_; }
  std::span<const uint32_t> Nodes() const override { return nodes_->Nodes(); }
  uint64_t total() const override { return total_; }
  size_t domains() const override { return levels_.domains(); }
  uint32_t lowest() const override { return levels_.lowest(); }
  uint32_t LowestWithout(Domain domain) const override;

  const CountedNodes& nodes() const { return *nodes_; }
  const CountColumn& column() const { return column_; }
  size_t bytes() const { return pods_.size() * sizeof(uint32_t); }

  // Adds (+1) or removes (-1) a pod on a node.
  void Change(Slot slot, int by);

  // Called by CountedNodes when domains are added, or when a node enters or exits a domain. `opens`
  // and `closes` report that the domain has no other counted node.
  void Resize(size_t domains) { pods_.resize(domains); }
  void Enter(Slot slot, Domain domain, bool opens);
  void Exit(Slot slot, Domain domain, bool closes);

  AskedList::iterator place;  // in the list of PodCounts
  Upkeep upkeep;
  size_t attached_at = 0;  // the index in the list of its CountedNodes

 private:
  void Add(Domain domain, int64_t pods);

  const CountColumn& column_;
  std::shared_ptr<CountedNodes> nodes_;
  std::vector<uint32_t> pods_;
  uint64_t total_ = 0;
  SumLevels levels_;
};

// CountColumn is the number of pods that match a query, by node.
class CountColumn {
 public:
  CountColumn(const PodQuery& query, Vocabulary& words);

  const PodQuery& query() const { return query_; }
  std::span<const PodMatcher> matchers() const { return matchers_; }
  std::span<const uint32_t> BySlot() const { return by_slot_; }
  const std::vector<std::unique_ptr<DomainSums>>& sums() const { return sums_; }

  void Resize(size_t slots) { by_slot_.resize(slots); }
  // Adds (+1) or removes (-1) a pod of a class that the query selects. Returns false if the column
  // or one of its sums is no longer worth its upkeep.
  bool Change(const PodClass::Member& pod, int by);
  // Record a use of the column or of one of its sums.
  void Asked() { upkeep_.Asked(by_slot_.size() + total_); }
  void Asked(DomainSums& sums) const { sums.upkeep.Asked(by_slot_.size()); }
  bool IsWorthIt() const { return upkeep_.IsWorthIt(); }
  // Reports whether the query depends on labels of namespaces.
  bool reads_namespaces() const { return reads_namespaces_; }

  DomainSums* Find(const std::string& topology_key, const std::string& subset_key) const;
  DomainSums& Add(std::shared_ptr<CountedNodes> nodes);
  void Drop(const DomainSums& sums);

  size_t bytes() const;

  AskedList::iterator place;  // in the list of PodCounts
  // The requirement that PodCounts indexes it by; points into the matchers.
  const LabelMatcher::Requirement* required = nullptr;
  std::vector<uint32_t> postings;  // in that index
  size_t classes = 0;              // number of classes that list it
  bool dropped = false;            // about to be deleted, see PodClasses::UnlistDropped

 private:
  PodQuery query_;
  size_t query_bytes_;  // an estimate of its memory
  std::vector<PodMatcher> matchers_;
  bool reads_namespaces_;
  Upkeep upkeep_;
  std::vector<uint32_t> by_slot_;
  uint64_t total_ = 0;
  std::vector<std::unique_ptr<DomainSums>> sums_;
};

}  // namespace berth::scheduler
