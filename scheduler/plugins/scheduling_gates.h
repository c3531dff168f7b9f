// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// SchedulingGates keeps a pod out of the queue until spec.schedulingGates is empty. Source:
// kube-scheduler pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go.
class SchedulingGates final : public PreEnqueuePlugin {
 public:
  static PluginDescriptor Descriptor();

  Status PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const override;
  ResultKey HintKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
};

}  // namespace berth::scheduler
