// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// Returns the start time of a pod. A pod that has not started sorts after all others; upstream uses
// the current time for it, with the same effect. Source: kube-scheduler
// pkg/scheduler/util/utils.go, GetPodStartTime.
Time::TimePoint StartOf(const PodInfo& pod);

// Reports whether `a` is more important than `b`: higher priority, then earlier start. Source:
// kube-scheduler pkg/scheduler/util/utils.go, MoreImportantPod.
bool IsMoreImportant(const PodInfo& a, const PodInfo& b);

}  // namespace berth::scheduler
