// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// SelectorSpread spreads the pods that belong together, by their Services and by what controls them
// (Snapshot::DefaultSelector), over nodes and zones. A node's raw score is how many of them it has
// that are not terminating. It becomes, in doubles and truncated at the end,
//
//   100 * (most - pods) / most                                    for a node without a zone,
//   a third of that and two thirds of the same by zone            for a node with one,
//
// where `most` is the most that a node, or a zone, has of those that fit; 100 where nobody has any. A
// zone is a pair of region and zone (model/node_zone.h). Pods that nothing selects, and those with
// topologySpreadConstraints of their own, are left out: they score the same everywhere. It is what
// SelectorSpreadPriority and ServiceSpreadingPriority of a Policy mean. Source: kube-scheduler at v1.20,
// pkg/scheduler/framework/plugins/selectorspread/selector_spread.go.
class SelectorSpread final : public PreScorePlugin, public ScorePlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Normalizer normalizer() const override { return Normalizer::kCustom; }
  Status NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                        std::span<int64_t> scores) const override;
};

}  // namespace berth::scheduler
