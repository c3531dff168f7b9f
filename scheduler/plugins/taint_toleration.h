// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// TaintToleration rejects nodes with a NoSchedule or NoExecute taint that the pod does not
// tolerate, and prefers nodes with few such PreferNoSchedule taints. Source: kube-scheduler
// pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
class TaintToleration final : public PreFilterPlugin,
                              public FilterPlugin,
                              public PreScorePlugin,
                              public ScorePlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override { return HintKeyOf(cycle.pod); }
  // Accepts every pod: kube-scheduler has it for a feature gate that is off.
  PreFilterResult PreFilter(CycleContext&) const override {
    return PreFilterResult::Of(Status::Success());
  }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  Normalizer normalizer() const override { return Normalizer::kDefaultReversed; }
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
