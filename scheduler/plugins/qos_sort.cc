// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/qos_sort.h"

#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler {

PluginDescriptor QOSSort::Descriptor() {
  return Describe<QOSSort>({
      .name = "QOSSort",
      .summary = "Orders pending pods by priority, highest first, then by QoS class (Guaranteed, "
                 "Burstable, BestEffort), then by the time of their last queueing.",
      .example = R"(plugins:
  queueSort:
    disabled: [{name: PrioritySort}]
    enabled: [{name: QOSSort}])",
  });
}

bool QOSSort::Less(const QueuedPod& a, const QueuedPod& b) const {
  const int32_t priority_a = a.pod->priority();
  const int32_t priority_b = b.pod->priority();
  if (priority_a != priority_b) return priority_a > priority_b;
  const QosClass class_a = a.pod->qos_class();
  const QosClass class_b = b.pod->qos_class();
  if (class_a != class_b) return class_a < class_b;
  return a.timestamp < b.timestamp;
}

}  // namespace berth::scheduler
