// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// QOSSort takes pods of higher priority first; of equal ones Guaranteed pods before Burstable ones,
// and these before BestEffort ones, by Kubernetes' definition (model/qos_class.h); and of equal
// ones that which has waited longer. All profiles of a scheduler must use the same sort.
class QOSSort final : public QueueSortPlugin {
 public:
  static PluginDescriptor Descriptor();

  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
};

}  // namespace berth::scheduler
