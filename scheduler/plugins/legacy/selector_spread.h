// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// SelectorSpread spreads the pods of the same Services and controller (Snapshot::DefaultSelector)
// over nodes and zones. A node's raw score is its number of such pods that are not terminating. The
// normalized score is computed in doubles and truncated at the end:
//
//   100 * (most - pods) / most                                    for a node without a zone,
//   a third of that and two thirds of the same by zone            for a node with one,
//
// where `most` is the maximum over the feasible nodes, or over their zones; 100 if there are no
// such pods. A zone is a pair of region and zone (model/node_zone.h). Pods without a selector, and
// pods with topologySpreadConstraints of their own, are skipped: all nodes score the same. It
// implements SelectorSpreadPriority and ServiceSpreadingPriority of a Policy. Source:
// kube-scheduler at v1.20, pkg/scheduler/framework/plugins/selectorspread/selector_spread.go.
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
