// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/model/node_info.h"
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// DomainColumn reads the counts of topology domains by node: two look-ups in arrays. Cheap to copy;
// good for the cycle.
class DomainColumn {
 public:
  explicit DomainColumn(const DomainCounts& counts)
      : domains_(counts.topology().OfSlots()), pods_(counts.Pods()) {}

  Domain DomainOf(Slot slot) const { return domains_[slot]; }
  // Has says whether the node has the topology key.
  bool Has(Slot slot) const { return domains_[slot] != kNoDomain; }
  // At is the pods in the node's domain; 0 where it is in none.
  int64_t At(Slot slot) const {
    const Domain domain = domains_[slot];
    return domain == kNoDomain ? 0 : int64_t{pods_[domain]};
  }

 private:
  std::span<const Domain> domains_;
  std::span<const uint32_t> pods_;
};

// SimulatedPods is how many more pods that `counts` holds for a node has once it is as the delta
// says: those imagined there less those imagined away.
template <class Counts>
int64_t SimulatedPods(const NodeDelta& delta, const Counts& counts) {
  int64_t more = 0;
  delta.ForEach([&](const PodInfo& pod, int sign) { more += counts(pod) ? sign : 0; });
  return more;
}

}  // namespace berth::scheduler
