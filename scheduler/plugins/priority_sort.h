// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// PrioritySort orders the queue by descending priority, then by the time of the last queueing.
// Source: kube-scheduler pkg/scheduler/framework/plugins/queuesort/priority_sort.go.
class PrioritySort final : public QueueSortPlugin {
 public:
  static PluginDescriptor Descriptor();

  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
};

}  // namespace berth::scheduler
