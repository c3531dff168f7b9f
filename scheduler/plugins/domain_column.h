// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/model/node_info.h"
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

// DomainColumn reads the pod counts of topology domains by node slot: two array look-ups. Cheap to
// copy. Valid during one cycle.
class DomainColumn {
 public:
  explicit DomainColumn(const DomainCounts& counts)
      : domains_(counts.topology().OfSlots()), pods_(counts.Pods()) {}

  Domain DomainOf(Slot slot) const { return domains_[slot]; }
  // Reports whether the node has the topology key.
  bool Has(Slot slot) const { return domains_[slot] != kNoDomain; }
  // Returns the number of pods in the node's domain; 0 if the node is in no domain.
  int64_t At(Slot slot) const {
    const Domain domain = domains_[slot];
    return domain == kNoDomain ? 0 : int64_t{pods_[domain]};
  }

 private:
  std::span<const Domain> domains_;
  std::span<const uint32_t> pods_;
};

// Returns by how much the delta changes the number of the node's pods that match `counts`: matching
// pods that it adds minus matching pods that it removes.
template <class Counts>
int64_t SimulatedPods(const NodeDelta& delta, const Counts& counts) {
  int64_t more = 0;
  delta.ForEach([&](const PodInfo& pod, int sign) { more += counts(pod) ? sign : 0; });
  return more;
}

}  // namespace berth::scheduler
