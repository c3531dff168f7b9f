// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/priority_sort.h"

#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

PluginDescriptor PrioritySort::Descriptor() {
  return Describe<PrioritySort>({
      .name = "PrioritySort",
      .summary = "Orders pending pods by priority, highest first, then by the time of their last "
                 "queueing.",
      .example = R"(plugins:
  queueSort:
    disabled: [{name: "*"}]
    enabled: [{name: PrioritySort}])",
  });
}

bool PrioritySort::Less(const QueuedPod& a, const QueuedPod& b) const {
  const int32_t priority_a = a.pod->priority();
  const int32_t priority_b = b.pod->priority();
  if (priority_a != priority_b) return priority_a > priority_b;
  return a.timestamp < b.timestamp;
}

}  // namespace berth::scheduler
