// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// PrioritySort takes pods of higher priority first, and of equal ones that which has waited longer.
// Source: kube-scheduler pkg/scheduler/framework/plugins/queuesort/priority_sort.go.
class PrioritySort final : public QueueSortPlugin {
 public:
  static PluginDescriptor Descriptor();

  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
};

}  // namespace berth::scheduler
