// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeDeclaredFeatures rejects nodes that do not declare the kubelet features which the pod uses in
// status.declaredFeatures. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go.
class NodeDeclaredFeatures final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  ResultKey HintKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;
};

}  // namespace berth::scheduler
