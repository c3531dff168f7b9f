// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/events.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// HoldsPlace says that a pod occupies, or is promised, a place on a node. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources/fit.go, isSchedulableAfterPodEvent.
inline bool HoldsPlace(const PodInfo& pod) {
  const PendingPod* pending = pod.pending();
  return !pod.node_name().empty() ||
         (pending != nullptr && !pending->nominated_node_name().empty());
}

// UpdateOfItself is what the waiting pod became, where an update is one of it; otherwise null.
inline const PendingPod* UpdateOfItself(const PendingPod& pod, const EventObjects& objects) {
  return objects.new_pod != nullptr && objects.new_pod->uid() == pod.uid()
             ? objects.new_pod->pending()
             : nullptr;
}

inline QueueingHint QueueIf(bool may_help) {
  return may_help ? QueueingHint::kQueue : QueueingHint::kSkip;
}

}  // namespace berth::scheduler
