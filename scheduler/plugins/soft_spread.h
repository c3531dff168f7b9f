// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/plugins/spread_constraint.h"

namespace berth::scheduler {

// SoftSpread is what the ScheduleAnyway constraints of a pod say of the nodes that
// fit. Source: kube-scheduler podtopologyspread/scoring.go. Good for the cycle.
class SoftSpread {
 public:
  // With `needs_all_keys`, nodes without one of the topology keys are ignored: they count for
  // nothing and score 0.
  SoftSpread(const CycleContext& cycle, std::span<const SpreadConstraint> constraints,
             bool needs_all_keys, std::span<const Slot> feasible);

  int64_t Score(Slot slot) const;
  void ScoreAll(std::span<const Slot> slots, std::span<int64_t> scores) const;
  void Normalize(std::span<const Slot> slots, std::span<int64_t> scores) const;

 private:
  struct Counted {
    std::span<const Domain> domains;  // by slot
    std::span<const uint32_t> pods;   // by slot or by domain
    bool by_slot;
    double weight;
    double tolerance;  // maxSkew - 1

    uint32_t At(Slot slot) const { return pods[by_slot ? slot : domains[slot]]; }
  };

  bool IsIgnored(Slot slot) const;
  size_t FeasibleDomains(const Counted& counted, size_t bound,
                         std::span<const Slot> feasible) const;

  std::vector<Counted> constraints_;
  bool needs_all_keys_;
};

}  // namespace berth::scheduler
