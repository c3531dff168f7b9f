// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/events.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// Reports whether a pod is assigned to, or nominated for, a node. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources/fit.go, isSchedulableAfterAssignedPodDelete.
inline bool HoldsPlace(const PodInfo& pod) {
  const PendingPod* pending = pod.pending();
  return !pod.node_name().empty() ||
         (pending != nullptr && !pending->nominated_node_name().empty());
}

inline QueueingHint QueueIf(bool may_help) {
  return may_help ? QueueingHint::kQueue : QueueingHint::kSkip;
}

}  // namespace berth::scheduler
