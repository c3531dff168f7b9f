// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/node.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/pod_selector.h"
#include "scheduler/model/sparse_counts.h"

// Counts of placed pods per node and per topology domain, for inter-pod affinity and topology
// spread. A count is built on first use and then follows each change of the cluster, so that later
// cycles only look it up. Assumed pods count; pods on unknown nodes do not.
namespace berth::scheduler {

// TopologyDomains maps each node to its domain, for one topology key.
class TopologyDomains {
 public:
  virtual ~TopologyDomains() = default;
  // By slot; kNoDomain for a node without the label and for a slot without a node.
  virtual std::span<const Domain> OfSlots() const = 0;
  // An upper bound of all domain numbers; some domains may have no node.
  virtual size_t bound() const = 0;
  // The number of domains with a node, and the number of nodes in a domain.
  virtual size_t domains() const = 0;
  virtual size_t nodes() const = 0;
  virtual const std::string& key() const = 0;
};

// DomainCounts counts pods by domain of one topology key, over a subset of the nodes.
class DomainCounts {
 public:
  virtual ~DomainCounts() = default;
  virtual const TopologyDomains& topology() const = 0;
  // By domain: the number of pods on counted nodes, and the number of counted nodes. Empty if no
  // node has the key.
  virtual std::span<const uint32_t> Pods() const = 0;
  virtual std::span<const uint32_t> Nodes() const = 0;
  virtual uint64_t total() const = 0;  // pods in all domains
  // Over the domains with a counted node: their number, the lowest pod count of a domain, and the
  // lowest count without one domain; 0 if there is none.
  virtual size_t domains() const = 0;
  virtual uint32_t lowest() const = 0;
  virtual uint32_t LowestWithout(Domain domain) const = 0;
};

// PodQuery selects the pods to count: those that match all selectors.
struct PodQuery {
  std::vector<PodSelector> all_of;
  bool with_terminating = true;

  // Reports whether a pod that matches all selectors counts.
  bool Counts(bool terminating) const { return with_terminating || !terminating; }
  // Returns a key: equal queries have equal keys, different queries different ones.
  std::string Key() const;
};

// NodeSubset selects the nodes to count. Its result depends only on the Node object.
class NodeSubset {
 public:
  virtual ~NodeSubset() = default;
  virtual bool Includes(const api::Node& node) const = 0;
};

// SubsetQuery identifies a subset by a key, which is equal for subsets with the same nodes. `make`
// is called if the key is new. An empty key selects all nodes.
struct SubsetQuery {
  std::string key;
  std::function<std::unique_ptr<const NodeSubset>()> make;
};

// FindSubset returns a query. It is called only if some node has the topology key, because a query
// takes as long as its key. None: all nodes.
using FindSubset = std::function<SubsetQuery()>;

enum class TermKind : uint8_t {
  kRequiredAffinity,
  kRequiredAntiAffinity,
  kPreferredAffinity,
  kPreferredAntiAffinity,
};

// PlacedTerm is an affinity term of placed pods. Equal terms of all pods are combined, and so are
// terms that differ only in the values that they exclude.
struct PlacedTerm {
  TermKind kind = TermKind::kRequiredAffinity;
  int32_t weight = 0;  // of a preferred term
  const TopologyDomains* topology = nullptr;
  // The number of pods with the term, per domain. Sparse, because most terms are about hostnames
  // and few pods have them.
  const SparseCounts* counts = nullptr;
  // Those of them whose term excludes the pending pod; null: none.
  const SparseCounts* excluding = nullptr;

  // Calls `visit` with each domain and the number of pods there whose term selects the pending pod.
  template <class Visit>
  void VisitDomains(const Visit& visit) const {
    for (const auto& [domain, all] : counts->Entries()) {
      const uint32_t selecting = excluding == nullptr ? all : all - excluding->At(domain);
      if (selecting > 0) visit(domain, selecting);
    }
  }
};

// PodIndex counts the placed pods of a snapshot. Results are valid during the cycle.
class PodIndex {
 public:
  virtual ~PodIndex() = default;

  // Counts the pods per node, by slot. Values of slots that are not in Order() are undefined.
  virtual std::span<const uint32_t> BySlot(const PodQuery& query) const = 0;
  // Counts over the nodes of the subset that have the label `topology_key`.
  virtual const DomainCounts& ByDomain(const PodQuery& query, const std::string& topology_key,
                                       const FindSubset& subset = {}) const = 0;
  virtual const TopologyDomains& Domains(const std::string& topology_key) const = 0;
  // Calls `visit` with the domain of each pod that ByDomain counts over all nodes. It keeps no
  // counts: for pods with so many queries that their counts would need too much memory.
  virtual void VisitDomains(const PodQuery& query, const TopologyDomains& topology,
                            const std::function<void(Domain)>& visit) const = 0;

  // Returns the terms of placed pods that select this pending pod. Terms without a pod on a node
  // with their topology key may be included; they visit no domain.
  virtual std::span<const PlacedTerm> TermsMatching(const PodInfo& pod) const = 0;

  // Reports whether one pod would be counted: for the simulated pods of a NodeDelta.
  virtual bool Matches(const PodSelector& selector, const PodInfo& pod) const = 0;
};

}  // namespace berth::scheduler
