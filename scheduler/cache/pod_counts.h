// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/cache/affinity_terms.h"
#include "scheduler/cache/count_column.h"
#include "scheduler/cache/pod_classes.h"
#include "scheduler/cache/pod_matcher.h"
#include "scheduler/cache/topology.h"
#include "scheduler/model/namespace_table.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// PodCounts counts the placed pods of the cache. A count is computed on first use, from the pod
// classes that match its query. Afterwards it follows each change: a new or removed pod updates the
// counts listed in its class, and its own terms.
//
// Unused counts are dropped (see Upkeep). If all counts together, with the lists of them in the
// classes, take more than `limit` bytes, the least recently used are dropped. Both happen only when
// a cycle begins or the cluster changes, so results stay valid during a cycle. Terms of placed pods
// and topologies do not count: they cannot be dropped, and topologies are bounded by the labels of
// nodes.
//
// Owned by the cache and its thread. Invariants: a column is in `columns` of exactly the classes
// that match its query, because each change of a column or a class updates the other side. Each
// count equals the result of a full scan over all pods (scenario/self_check.h).
class PodCounts final : public PodIndex {
 public:
  static constexpr size_t kDefaultLimit = size_t{64} << 20;

  // Requires: all arguments outlive this object. `nodes` (by slot) and `namespaces` are up to date
  // when a change is reported.
  PodCounts(Vocabulary& words, const std::deque<NodeInfo>& nodes, const NamespaceTable& namespaces,
            size_t limit = kDefaultLimit);
  PodCounts(const PodCounts&) = delete;
  PodCounts& operator=(const PodCounts&) = delete;

  // Counts a pod on the node at `slot`. Requires: the address of `counted` is stable until Remove.
  void Add(const PodInfo& pod, Slot slot, CountedPod& counted);
  void Remove(CountedPod& counted);
  // Returns the affinities of placed pods that equal those of `pod`, so that it can share them;
  // null if there are none. Valid until the next change.
  const PodAffinities* SameAffinities(const api::Pod& pod) { return terms_.SameAs(pod); }
  // Applies the change of a Node object (added, updated or removed). `pods` are the pods on the
  // node that have affinity terms.
  void OnNode(Slot slot, std::span<const CountedPod* const> pods);
  // Applies a change of the labels of a namespace; nullopt: of any namespace.
  void OnNamespace(std::optional<Symbol> name);
  void Resize(size_t slots);
  // Invalidates the results returned in the previous cycle.
  void BeginCycle() { Tidy(); }

  // PodIndex:
  std::span<const uint32_t> BySlot(const PodQuery& query) const override;
  const DomainCounts& ByDomain(const PodQuery& query, const std::string& topology_key,
                               const FindSubset& subset = {}) const override;
  const TopologyDomains& Domains(const std::string& topology_key) const override;
  void VisitDomains(const PodQuery& query, const TopologyDomains& topology,
                    const std::function<void(Domain)>& visit) const override;
  std::span<const PlacedTerm> TermsMatching(const PodInfo& pod) const override;
  bool Matches(const PodSelector& selector, const PodInfo& pod) const override;

  // Call visit(x) for each Topology, CountColumn and AffinityTerm, for checks against the pods.
  template <class Visit>
  void VisitTopologies(const Visit& visit) const {
    for (const auto& [key, topology] : made_.topologies) visit(*topology);
  }
  template <class Visit>
  void VisitColumns(const Visit& visit) const {
    for (const auto& [key, column] : made_.columns) visit(*column);
  }
  template <class Visit>
  void VisitTermCounts(const Visit& visit) const {
    terms_.VisitCounts(visit);
  }

  size_t columns() const { return made_.columns.size(); }
  size_t classes() const { return made_.classes.size(); }
  size_t terms() const { return terms_.size(); }
  size_t topologies() const { return made_.topologies.size(); }
  // Estimates the memory of all data that can be built again.
  size_t bytes() const;

 private:
  // Made is the lazily computed state. A const query may extend it, because it does not change the
  // counted pods.
  struct Made {
    PodClasses classes;
    std::unordered_map<Symbol, std::shared_ptr<Topology>> topologies;  // by key
    std::vector<Topology*> with_nodes;  // the topologies whose key some node has
    std::vector<Domain> without_nodes;  // kNoDomain by slot, for the others
    // Topologies that were created or released by a term since DropIdleTopologies.
    size_t maybe_idle = 0;
    std::vector<std::shared_ptr<NodeMembers>> members;
    std::vector<std::shared_ptr<CountedNodes>> counted_nodes;
    std::unordered_map<std::string, std::unique_ptr<CountColumn>> columns;  // by PodQuery::Key
    ByRequiredLabel<CountColumn> by_label;
    size_t columns_reading_namespaces = 0;
    size_t term_list_bytes = 0;  // of the lists of terms in kept classes
    AskedList asked;
    size_t asked_bytes = 0;  // sum over the list
    bool grown = false;      // since the last check of the limit
  };

  PodClass& ClassOf(const PodInfo& pod) const;
  void ListColumns(PodClass& pod_class) const;
  CountColumn& ColumnOf(const PodQuery& query) const;
  CountColumn& MakeColumn(const PodQuery& query) const;
  const DomainSums& Used(CountColumn& column, DomainSums& sums) const;
  DomainSums& MakeSums(CountColumn& column, const std::string& topology_key,
                       const SubsetQuery& subset) const;
  std::shared_ptr<Topology> TopologyOf(const std::string& key) const;
  std::shared_ptr<NodeMembers> MembersOf(const SubsetQuery& subset) const;
  std::shared_ptr<CountedNodes> CountedNodesOf(const std::string& topology_key,
                                               const SubsetQuery& subset) const;

  void CountMember(const PodClass& pod_class, const PodClass::Member& member, int by);
  void RecountByNamespace(PodClass& pod_class);
  void Tidy();
  void DropKept();
  void DropUnasked();
  void DropBeyondLimit();
  size_t DropSums(DomainSums& sums);
  size_t Unask(CountColumn& column, std::vector<CountColumn*>& unasked);
  void DropColumns(std::span<CountColumn* const> unasked);
  void DropUnused();
  void DropIdleTopologies();
  AskedList::iterator Append(Asked asked) const;
  void Weigh(Asked& asked) const;
  size_t SharedBytes() const;
  size_t ListBytes() const;

  Vocabulary& words_;
  const std::deque<NodeInfo>& nodes_;
  const NamespaceTable& namespaces_;
  size_t limit_;
  mutable Made made_;
  AffinityTerms terms_;
  bool has_unasked_ = false;  // some count is no longer worth its upkeep
};

}  // namespace berth::scheduler
