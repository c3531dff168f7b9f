// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// StartOf is when a pod started; one that did not comes after all that did. Upstream takes the
// current time for it, which says the same. Source: kube-scheduler pkg/scheduler/util/utils.go,
// GetPodStartTime.
Time::TimePoint StartOf(const PodInfo& pod);

// IsMoreImportant orders pods: higher priority first, then those that started earlier. Source:
// kube-scheduler pkg/scheduler/util/utils.go, MoreImportantPod.
bool IsMoreImportant(const PodInfo& a, const PodInfo& b);

}  // namespace berth::scheduler
