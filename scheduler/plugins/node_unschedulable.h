// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeUnschedulable rejects cordoned nodes, unless the pod tolerates the taint
// node.kubernetes.io/unschedulable:NoSchedule. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go.
class NodeUnschedulable final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override { return HintKeyOf(cycle.pod); }
  // Accepts every pod: kube-scheduler has it for a feature gate that is off.
  PreFilterResult PreFilter(CycleContext&) const override {
    return PreFilterResult::Of(Status::Success());
  }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  // Skips the creation of a cordoned node, even if the pod tolerates the cordon, as kube-scheduler
  // does.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
