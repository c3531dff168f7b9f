// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/topology_sums.h"

#include <numeric>

namespace berth::scheduler {

std::vector<int64_t>& TopologySums::SumsOf(const TopologyDomains& topology) {
  for (Topology& known : topologies_) {
    if (*known.key == topology.key()) return known.sums;
  }
  topologies_.push_back(
      {&topology.key(), topology.OfSlots(), std::vector<int64_t>(topology.bound())});
  return topologies_.back().sums;
}

void TopologySums::Add(const PlacedTerm& term, int64_t weight) {
  std::vector<int64_t>* sums = nullptr;
  term.VisitDomains([&](Domain domain, uint32_t pods) {
    if (sums == nullptr) sums = &SumsOf(*term.topology);
    (*sums)[domain] += weight * int64_t{pods};
  });
}

void TopologySums::Add(const DomainCounts& counts, std::span<const uint32_t> excluded,
                       int64_t weight) {
  if (counts.total() == std::accumulate(excluded.begin(), excluded.end(), uint64_t{0})) return;
  std::vector<int64_t>& sums = SumsOf(counts.topology());
  const std::span<const uint32_t> pods = counts.Pods();
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += weight * int64_t{pods[i]};
  for (size_t i = 0; i < excluded.size(); ++i) sums[i] -= weight * int64_t{excluded[i]};
}

void TopologySums::AddOnce(const PodIndex& pods, const PodQuery& query,
                           const std::string& topology_key, int64_t weight) {
  const TopologyDomains& topology = pods.Domains(topology_key);
  std::vector<int64_t>* sums = nullptr;
  pods.VisitDomains(query, topology, [&](Domain domain) {
    if (sums == nullptr) sums = &SumsOf(topology);
    (*sums)[domain] += weight;
  });
}

int64_t TopologySums::At(Slot slot) const {
  int64_t sum = 0;
  for (const Topology& topology : topologies_) sum += topology.At(slot);
  return sum;
}

}  // namespace berth::scheduler
