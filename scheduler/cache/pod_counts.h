// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
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

// PodCounts counts the placed pods of the cache. A count is made when it is first asked for, from
// the classes of pods that its query means, and then follows each change: a pod that comes or goes
// touches the counts that its class is listed for, and its own terms.
//
// Counts that nobody asks for are dropped, see Upkeep, and those that were not asked for longest
// when all together take more than `limit` bytes. That happens only as a cycle begins or the
// cluster changes, so that what a cycle was given stays.
//
// Owned by the cache and its thread. Invariants: a column is in `columns` of each class that its
// query means and of no other, because what makes, drops or changes either looks for the others;
// each count is what a walk over all pods would come to (Compare).
class PodCounts final : public PodIndex {
 public:
  static constexpr size_t kDefaultLimit = size_t{64} << 20;

  // Requires: all outlive this. `nodes`, by slot, and `namespaces` are up to date when a change is
  // told.
  PodCounts(Vocabulary& words, const std::deque<NodeInfo>& nodes, const NamespaceTable& namespaces,
            size_t limit = kDefaultLimit);
  PodCounts(const PodCounts&) = delete;
  PodCounts& operator=(const PodCounts&) = delete;

  // Add counts a pod on the node at `slot`. `counted` stays where it is until Remove.
  void Add(const PodInfo& pod, Slot slot, CountedPod& counted);
  void Remove(CountedPod& counted);
  // SameAffinities gives those of placed pods that are equal to those of a pod, for it to share;
  // null where there are none. Good until the next change.
  const PodAffinities* SameAffinities(const api::Pod& pod) { return terms_.SameAs(pod); }
  // OnNode follows a node whose object came, changed or went. `pods` are those on it that have
  // affinity terms.
  void OnNode(Slot slot, std::span<const CountedPod* const> pods);
  // OnNamespace follows a namespace that has other labels; without a name, any may have.
  void OnNamespace(std::optional<Symbol> name);
  void Resize(size_t slots);
  // BeginCycle ends what the last cycle was given.
  void BeginCycle() { Tidy(); }

  // PodIndex:
  std::span<const uint32_t> BySlot(const PodQuery& query) const override;
  const DomainCounts& ByDomain(const PodQuery& query, const std::string& topology_key,
                               const SubsetQuery& subset = {}) const override;
  const TopologyDomains& Domains(const std::string& topology_key) const override;
  std::span<const PlacedTerm> TermsAbout(const PodInfo& pod) const override;
  bool Matches(const PodSelector& selector, const PodInfo& pod) const override;

  // Compare appends, one sentence each, where a count is not what the pods come to.
  struct OnSlot {
    const PodInfo* pod;
    Slot slot;
    const CountedPod* counted;
  };
  void Compare(std::span<const OnSlot> pods, std::vector<std::string>& differences) const;

  size_t columns() const { return made_.columns.size(); }
  size_t classes() const { return made_.classes.size(); }
  size_t terms() const { return terms_.size(); }

 private:
  // Made is what a question may make, though it changes nothing that is counted.
  struct Made {
    PodClasses classes;
    std::map<std::string, std::shared_ptr<Topology>> topologies;
    std::vector<std::shared_ptr<NodeMembers>> members;
    std::vector<std::shared_ptr<CountedNodes>> counted_nodes;
    std::unordered_map<std::string, std::unique_ptr<CountColumn>> columns;  // by PodQuery::Key
    ByRequiredLabel<CountColumn> by_label;
    AskedList asked;
    size_t asked_bytes = 0;  // of all in the list
    bool grown = false;      // since the limit was looked at
  };

  PodClass& ClassOf(const PodInfo& pod) const;
  void ListColumns(PodClass& pod_class) const;
  CountColumn& ColumnOf(const PodQuery& query) const;
  CountColumn& MakeColumn(const PodQuery& query) const;
  DomainSums& MakeSums(CountColumn& column, const std::string& topology_key,
                       const SubsetQuery& subset) const;
  std::shared_ptr<Topology> TopologyOf(const std::string& key) const;
  std::shared_ptr<NodeMembers> MembersOf(const SubsetQuery& subset) const;
  std::shared_ptr<CountedNodes> CountedNodesOf(const std::string& topology_key,
                                               const SubsetQuery& subset) const;

  void CompareColumn(const CountColumn& column, std::span<const OnSlot> pods,
                     std::vector<std::string>& differences) const;
  void CompareTerms(std::span<const OnSlot> pods, std::vector<std::string>& differences) const;

  void CountMember(const PodClass& pod_class, const PodClass::Member& member, int by);
  void Recount(PodClass& pod_class);
  void Tidy();
  void DropUnasked();
  void DropBeyondLimit();
  void Drop(Asked asked);
  void DropUnused();
  AskedList::iterator Append(Asked asked) const;
  void Weigh(Asked& asked) const;
  size_t SharedBytes() const;

  Vocabulary& words_;
  const std::deque<NodeInfo>& nodes_;
  const NamespaceTable& namespaces_;
  size_t limit_;
  mutable Made made_;
  AffinityTerms terms_;
  bool has_unasked_ = false;  // a count is no longer worth its upkeep
};

}  // namespace berth::scheduler
