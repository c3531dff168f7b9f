// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// VolumeRestrictions keeps a pod off nodes where a pod has a disk that cannot be mounted twice, and off
// all nodes while another pod uses a claim whose access mode is ReadWriteOncePod. Source:
// kube-scheduler pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go.
class VolumeRestrictions final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  // KeyOf holds the pod's disks, and whether such a claim of its is in use.
  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  // Filter takes a pod that is imagined for one that uses the claim when its claims have the name,
  // in whatever namespace, as kube-scheduler does.
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
