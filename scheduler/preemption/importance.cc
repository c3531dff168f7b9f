// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/importance.h"

namespace berth::scheduler {

Time::TimePoint StartOf(const PodInfo& pod) {
  return pod.start_time() == Time() ? Time::TimePoint::max() : pod.start_time().point();
}

bool IsMoreImportant(const PodInfo& a, const PodInfo& b) {
  if (a.priority() != b.priority()) return a.priority() > b.priority();
  return StartOf(a) < StartOf(b);
}

}  // namespace berth::scheduler
