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

// How many placed pods of some kind each node and each topology domain has: what affinity and
// spreading ask. Counts are made when they are first asked for and follow each change of the cluster
// from then on, so that a question in a later cycle is a look-up. Assumed pods count; pods on nodes
// that are not known do not.
namespace berth::scheduler {

// TopologyDomains says for one topology key in which domain each node is.
class TopologyDomains {
 public:
  virtual ~TopologyDomains() = default;
  // By slot; kNoDomain for a node without the label, and for a slot without a node.
  virtual std::span<const Domain> OfSlots() const = 0;
  // All domains are below; some may have no node.
  virtual size_t bound() const = 0;
  // How many domains have a node, and how many nodes are in one.
  virtual size_t domains() const = 0;
  virtual size_t nodes() const = 0;
  virtual const std::string& key() const = 0;
};

// DomainCounts counts pods by domain of one topology key, over the nodes that it is about.
class DomainCounts {
 public:
  virtual ~DomainCounts() = default;
  virtual const TopologyDomains& topology() const = 0;
  // By domain: the pods on counted nodes, and how many nodes are counted.
  virtual std::span<const uint32_t> Pods() const = 0;
  virtual std::span<const uint32_t> Nodes() const = 0;
  virtual uint64_t total() const = 0;  // pods in all domains
  // Of the domains that have a counted node: how many there are, the fewest pods that one has, and
  // the fewest when one domain is left out; 0 when there is none.
  virtual size_t domains() const = 0;
  virtual uint32_t lowest() const = 0;
  virtual uint32_t LowestWithout(Domain domain) const = 0;
};

// PodQuery is the pods that are counted: those that all the selectors mean.
struct PodQuery {
  std::vector<PodSelector> all_of;
  bool with_terminating = true;

  // Key is a text that equal queries have, and no others.
  std::string Key() const;
};

// NodeSubset is the nodes that a count is about. What it says of a node follows from the node's
// object alone.
class NodeSubset {
 public:
  virtual ~NodeSubset() = default;
  virtual bool Includes(const api::Node& node) const = 0;
};

// SubsetQuery names a subset by a text, which is the same for subsets that include the same nodes;
// `make` is called where the text is not known yet. Without a text all nodes are counted.
struct SubsetQuery {
  std::string key;
  std::function<std::unique_ptr<const NodeSubset>()> make;
};

enum class TermKind : uint8_t {
  kRequiredAffinity,
  kRequiredAntiAffinity,
  kPreferredAffinity,
  kPreferredAntiAffinity,
};

// PlacedTerm is an affinity term that placed pods have, like terms of all pods together.
struct PlacedTerm {
  TermKind kind = TermKind::kRequiredAffinity;
  int32_t weight = 0;  // of a preferred one
  const TopologyDomains* topology = nullptr;
  // How often pods in each domain have it. Most terms are about hostnames and are had by a few pods
  // only, so that an array by domain for each would be nearly empty.
  const SparseCounts* counts = nullptr;
};

// PodIndex answers for the cluster of a snapshot. What it gives is good for the cycle: until the
// cluster changes or another cycle begins.
class PodIndex {
 public:
  virtual ~PodIndex() = default;

  // BySlot counts on each node, by slot. What it says of a slot that is not in Order() means
  // nothing.
  virtual std::span<const uint32_t> BySlot(const PodQuery& query) const = 0;
  // ByDomain counts over the nodes that have the label `topology_key` and are in the subset.
  virtual const DomainCounts& ByDomain(const PodQuery& query, const std::string& topology_key,
                                       const SubsetQuery& subset = {}) const = 0;
  virtual const TopologyDomains& Domains(const std::string& topology_key) const = 0;

  // TermsAbout lists the terms of placed pods that mean this pod, which waits; also some that no
  // pod on a node with their topology key has, whose counts are empty.
  virtual std::span<const PlacedTerm> TermsAbout(const PodInfo& pod) const = 0;

  // Matches asks about one pod as the counts would: for pods that a NodeDelta imagines.
  virtual bool Matches(const PodSelector& selector, const PodInfo& pod) const = 0;
};

}  // namespace berth::scheduler
