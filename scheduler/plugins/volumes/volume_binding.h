// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/volumes/pod_volumes.h"
#include "scheduler/plugins/volumes/volume_binding_args.h"

namespace berth::scheduler {

// VolumeBinding filters nodes by the reachability of the pod's volumes, chooses or provisions
// volumes for its unbound claims, and delays binding the pod until all its claims are bound.
// Source: kube-scheduler pkg/scheduler/framework/plugins/volumebinding/volume_binding.go.
//
// Filter's results per node are not stored: Reserve checks the selected node again. Pods share
// cached results if their volumes are reachable from the same nodes, or their claims may bind to
// the same volumes.
class VolumeBinding final : public PreFilterPlugin,
                            public FilterPlugin,
                            public PreScorePlugin,
                            public ScorePlugin,
                            public ReservePlugin,
                            public PreBindPlugin {
 public:
  using Args = VolumeBindingArgs;

  explicit VolumeBinding(const Args& args);
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  Versions VersionsOf(const CycleContext& cycle) const override;
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;

  Status Reserve(CycleContext& cycle, const NodeRef& node) const override;
  void Unreserve(CycleContext& cycle, const NodeRef& node) const override;
  PreBindPreFlightResult PreBindPreFlight(CycleContext& cycle, const NodeRef& node) const override;
  void PreBind(CycleContext& cycle, const NodeRef& node, const std::stop_token& canceled,
               StatusDone done) const override;

 private:
  int64_t ScoreOf(const NodeVolumes& found) const;  // Requires: scoring_

  std::chrono::seconds bind_timeout_;
  std::optional<PiecewiseLinear> scoring_;  // absent: nodes are not scored
};

}  // namespace berth::scheduler
