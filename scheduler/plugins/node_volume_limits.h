// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeVolumeLimits admits a pod where each CSI driver may attach as many volumes more as the pod
// brings: the node's CSINode says how many there may be. What is attached is read of the index of
// used volumes (scheduler/cache/volumes/volume_usage.h), not counted for each pod. Upstream's gate
// VolumeLimitScaling is off, as it is there by default. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go.
class NodeVolumeLimits final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  // KeyOf holds how many volumes of each driver come that nobody uses yet, and the names of the
  // others: pods with a new volume each share their answers.
  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
