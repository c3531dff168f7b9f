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
  // Counted is a constraint with the pods that are counted for it.
  struct Counted {
    const TopologyDomains& topology;
    std::span<const uint32_t> pods;  // by slot or by domain
    bool by_slot;
    double weight = 0;
    double tolerance;  // maxSkew - 1

    double ScoreOf(uint32_t count) const { return count * weight + tolerance; }
    bool Has(Slot slot) const { return topology.OfSlots()[slot] != kNoDomain; }
    // AddTo adds to sums[i] what the constraint says of slots[i].
    void AddTo(std::span<double> sums, std::span<const Slot> slots) const;
  };

  bool IsIgnored(Slot slot) const;
  // WithIgnored calls `use` with IsIgnored, or with less than that where no node is ignored.
  template <class Use>
  void WithIgnored(const Use& use) const;
  size_t FeasibleDomains(const Counted& counted, size_t nodes,
                         std::span<const Slot> feasible) const;

  std::vector<Counted> constraints_;
  bool some_ignored_;  // of the nodes there are
};

}  // namespace berth::scheduler
