// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/events.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// HoldsPlace says that a pod occupies, or is promised, a place on a node. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources/fit.go, isSchedulableAfterPodEvent.
inline bool HoldsPlace(const PodInfo& pod) {
  return !pod.node_name().empty() || !pod.nominated_node_name().empty();
}

// IsAboutItself says that an update is one of the waiting pod itself; its new object is at hand
// then.
inline bool IsAboutItself(const PodInfo& pod, const EventObjects& objects) {
  return objects.new_pod != nullptr && objects.new_pod->has_pod() &&
         objects.new_pod->uid() == pod.uid();
}

inline QueueingHint QueueIf(bool may_help) {
  return may_help ? QueueingHint::kQueue : QueueingHint::kSkip;
}

}  // namespace berth::scheduler
