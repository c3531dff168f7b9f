// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// TopologySums sums the weights of terms by topology domain, and returns for a node the sum over
// its domains. Valid during one cycle.
class TopologySums {
 public:
  void Add(const PlacedTerm& term, int64_t weight);
  // Adds the counts minus the `excluded` ones, by domain; empty: none.
  void Add(const DomainCounts& counts, std::span<const uint32_t> excluded, int64_t weight);
  // Adds the counts of PodIndex::ByDomain without keeping them there.
  void AddOnce(const PodIndex& pods, const PodQuery& query, const std::string& topology_key,
               int64_t weight);

  // Reports whether nothing was added to any domain. The sums may be 0 even if this is false.
  bool empty() const { return topologies_.empty(); }
  int64_t At(Slot slot) const;
  // Calls `visit` with each topology key and the sum of the node's domain.
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
