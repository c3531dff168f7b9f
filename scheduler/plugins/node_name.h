// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeName admits a pod only to the node in spec.nodeName, and limits the search to that node. A
// pod without spec.nodeName fits every node. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodename/node_name.go.
class NodeName final : public PreFilterPlugin, public FilterPlugin {
 public:
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override {
    return ResultKey::Of(cycle.pod.node_name());
  }
  ResultKey HintKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
};

}  // namespace berth::scheduler
