// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// VolumeZone rejects nodes in another zone or region than the volumes bound to the pod's claims, by
// the labels of both. A node without such labels fits every volume. A claim that waits for its
// first consumer has no volume to check. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumezone/volume_zone.go.
class VolumeZone final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  // Builds the key from the zones that PreFilter found: pods with volumes in the same zones share
  // results.
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
