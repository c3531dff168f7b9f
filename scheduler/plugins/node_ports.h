// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodePorts rejects nodes where a host port of the pod is already in use. As in kube-scheduler,
// ports within one pod are not compared with each other, and "::" is an address like any other.
// Source: kube-scheduler pkg/scheduler/framework/plugins/nodeports/node_ports.go.
class NodePorts final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override { return HintKeyOf(cycle.pod); }
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
