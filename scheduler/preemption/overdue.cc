// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/overdue.h"

namespace berth::scheduler {

bool IsOverdue(const PodInfo& pod, Time now) {
  return pod.terminating() && now - pod.deletion_time() > kGoneAtLatest;
}

}  // namespace berth::scheduler
