// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// VolumeRestrictions rejects nodes where another pod uses a disk of the pod that cannot be mounted
// twice, and all nodes while another pod uses a claim of the pod with access mode ReadWriteOncePod.
// Source: kube-scheduler pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go.
class VolumeRestrictions final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  // Builds the key from the pod's disks and whether another pod uses such a claim.
  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  // A simulated pod counts as a user of the claim if one of its claims has the same name, in any
  // namespace, as in kube-scheduler.
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
