// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/time.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// kGoneAtLatest is how long after its time to end a pod that is deleted is still believed to go: a
// kubelet has volumes to unmount, and the clocks of scheduler and API server may differ.
inline constexpr std::chrono::minutes kGoneAtLatest{2};

// IsOverdue says that a pod ought to be gone for so long that nobody should count on its room: a
// finalizer holds it, or its node is lost. kube-scheduler waits for such a pod for good.
bool IsOverdue(const PodInfo& pod, Time now);

}  // namespace berth::scheduler
