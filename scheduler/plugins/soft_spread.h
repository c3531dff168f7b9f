// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/plugins/spread_constraint.h"

namespace berth::scheduler {

// SoftSpread scores the feasible nodes by the ScheduleAnyway constraints of one pod. Valid during
// one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/scoring.go.
class SoftSpread {
 public:
  // If `needs_all_keys` is set, nodes that lack one of the topology keys are ignored: their pods
  // are not counted and they score 0.
  SoftSpread(const CycleContext& cycle, std::span<const SpreadConstraint> constraints,
             bool needs_all_keys, std::span<const Slot> feasible);

  int64_t Score(Slot slot) const;
  void ScoreAll(std::span<const Slot> slots, std::span<int64_t> scores) const;
  void Normalize(std::span<const Slot> slots, std::span<int64_t> scores) const;

 private:
  // Counted is a constraint with the counts of the pods that it selects.
  struct Counted {
    const TopologyDomains& topology;
    std::span<const uint32_t> pods;  // by slot or by domain
    bool by_slot;
    double weight = 0;
    double tolerance;  // maxSkew - 1

    double ScoreOf(uint32_t count) const { return count * weight + tolerance; }
    bool Has(Slot slot) const { return topology.OfSlots()[slot] != kNoDomain; }
    // Adds the constraint's score of slots[i] to sums[i], for all i.
    void AddTo(std::span<double> sums, std::span<const Slot> slots) const;
  };

  bool IsIgnored(Slot slot) const;
  // Calls `use` with IsIgnored, or with a cheaper function that returns false if no node is
  // ignored.
  template <class Use>
  void WithIgnored(const Use& use) const;
  size_t FeasibleDomains(const Counted& counted, size_t nodes,
                         std::span<const Slot> feasible) const;

  std::vector<Counted> constraints_;
  bool some_ignored_;  // some node lacks one of the topology keys
};

}  // namespace berth::scheduler
