// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/plugins/domain_column.h"
#include "scheduler/plugins/spread_constraint.h"

namespace berth::scheduler {

// HardSpread checks nodes against the DoNotSchedule constraints of one pod. Valid during one cycle.
// Source: kube-scheduler pkg/scheduler/framework/plugins/podtopologyspread/filtering.go.
class HardSpread {
 public:
  HardSpread(const CycleContext& cycle, std::vector<SpreadConstraint> constraints);

  // Check evaluates a node as it is in the snapshot, CheckSimulated a node with a delta. Requires
  // for CheckSimulated: node.delta() is not null.
  Verdict Check(Slot slot) const;
  Verdict CheckSimulated(const CycleContext& cycle, const NodeView& node) const;

 private:
  struct Counted {
    SpreadConstraint constraint;
    const DomainCounts* counts;
    DomainColumn column;
    int64_t itself;  // 1 if the constraint's selector matches the pod itself
    int64_t most;    // a node fits if its domain has at most this many counted pods

    int64_t MostFor(int64_t lowest) const { return constraint.max_skew + lowest - itself; }
  };

  static int64_t Lowest(const Counted& counted);
  static int64_t LowestWith(const Counted& counted, Domain domain, int64_t pods);
  int64_t Simulated(const CycleContext& cycle, const Counted& counted, const NodeView& node) const;

  std::vector<Counted> constraints_;
  std::set<std::string> topology_keys_;
};

}  // namespace berth::scheduler
