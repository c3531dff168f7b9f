// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeVolumeLimits rejects nodes where attaching the pod's volumes would exceed the limit of a CSI
// driver in the node's CSINode, and nodes without a driver whose CSIDriver prevents scheduling there
// (preventPodSchedulingIfMissing). Attached volumes are read from the index of used volumes
// (scheduler/model/volumes/volume_usage.h), not counted for each pod. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go.
class NodeVolumeLimits final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  // Builds the key from the number of unused volumes by driver and the names of volumes in use, so
  // that pods with one new volume each share their results.
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
