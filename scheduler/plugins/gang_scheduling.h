// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/gang_plugin.h"

namespace berth::scheduler {

// GangScheduling places the pods of a PodGroup of scheduling.k8s.io in one cycle: enough of them
// for its policy, or none. Pods of a group that cannot be tried yet stay gated. Source:
// kube-scheduler pkg/scheduler/framework/plugins/gangscheduling/gangscheduling.go;
// pkg/scheduler/schedule_one_podgroup.go, validatePodGroup.
class GangScheduling final : public PreEnqueuePlugin, public GangPlugin {
 public:
  static PluginDescriptor Descriptor();

  Status PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const override;

  GangApi gang_api() const override { return GangApi::kNative; }
  // Rejects a group whose pods contradict each other or the group. Its other conditions are those
  // of PreEnqueue, and that enough pods fit.
  Status CheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                   const Snapshot& snapshot) const override;
  GangRejection WhyIncomplete(const Gang& gang, const IncompleteAttempt& attempt) const override;
  const GangPolicy& gang_policy() const override { return policy_; }

  ResultKey HintKeyOf(const PendingPod& pod) const override;

 private:
  const GangPolicy policy_{.incomplete = IncompleteGang::kKeep,
                           .preempts_last = true,
                           .patience = std::chrono::minutes(5)};
};

}  // namespace berth::scheduler
