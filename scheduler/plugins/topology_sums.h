// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// TopologySums adds up what terms say of the domains of their topology keys, and gives a node the sum
// of its domains. Good for the cycle.
class TopologySums {
 public:
  void Add(const TopologyDomains& topology, const SparseCounts& counts, int64_t weight);
  void Add(const DomainCounts& counts, int64_t weight);

  // Empty says that nothing was added to any domain, not that the sums are 0.
  bool empty() const { return topologies_.empty(); }
  int64_t At(Slot slot) const;
  // ForEach visits the topology keys with the sum of the domain in which the node is.
  template <class Visit>
  void ForEach(Slot slot, const Visit& visit) const {
    for (const Topology& topology : topologies_) visit(*topology.key, topology.At(slot));
  }

 private:
  struct Topology {
    const std::string* key;
    std::span<const Domain> domains;  // by slot
    std::vector<int64_t> sums;        // by domain

    int64_t At(Slot slot) const {
      const Domain domain = domains[slot];
      return domain == kNoDomain ? 0 : sums[domain];
    }
  };

  std::vector<int64_t>& SumsOf(const TopologyDomains& topology);

  std::vector<Topology> topologies_;
};

}  // namespace berth::scheduler
