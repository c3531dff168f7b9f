// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/time.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// The time after the deletion timestamp until which a pod is still expected to terminate: a kubelet
// has volumes to unmount, and the clocks of scheduler and API server may differ.
inline constexpr std::chrono::minutes kGoneAtLatest{2};

// Reports whether a pod should have terminated so long ago that its room must not be counted on: a
// finalizer holds it, or its node is lost. kube-scheduler waits for such a pod without limit.
bool IsOverdue(const PodInfo& pod, Time now);

}  // namespace berth::scheduler
