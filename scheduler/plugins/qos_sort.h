// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// QOSSort orders the queue by descending priority, then by QoS class (Guaranteed, Burstable,
// BestEffort; model/qos_class.h), then by the time of the last queueing. All profiles of a
// scheduler must use the same sort plugin.
class QOSSort final : public QueueSortPlugin {
 public:
  static PluginDescriptor Descriptor();

  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
};

}  // namespace berth::scheduler
